// Package audit checks sites and sitemaps, and compares lists of URLs, for the commands check
// and diff. It does not write files or print. The package may change.
package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"time"

	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/fetch"
)

// Options configure RunCheck and RunDiff.
type Options struct {
	Build   engine.Options
	Input   config.Input
	Timeout time.Duration // time limit for one answer of a live site; 0 means 30 seconds
	Client  *http.Client  // nil means the default client
	Links   *LinkOptions  // check the links of the site; nil skips the check
	Heads   bool          // check the heads of the pages, as check.heads does
	Google  bool          // a check must set ForGoogle
	Live    *LiveOptions  // check the live site; nil skips the check
	Header  string        // "Name: value" for a protected live site; "" for no header
	First   bool          // for a diff: an old list that the site does not serve is empty, as before the first deploy
	// LivePages lets a diff read lost pages on the live site, to find out where they went.
	LivePages bool

	budget *fetch.Budget
}

// listOptions returns the options for reading a list that the user named.
func (o *Options) listOptions(s *config.Settings) fetch.ListOptions {
	return fetch.ListOptions{
		Stdin: o.Build.Stdin, AllowRequests: true, Typed: true, Budget: o.budget, Dir: o.Input.Dir, Folder: s.Site.Parts().Folder,
		Fetch: fetch.Options{Timeout: o.Timeout, Client: o.Client, Named: append(s.BaseURLs(), o.Input.Flags.Value("base-url"))},
	}
}

// secretFor returns the header for a protected site, of which loc is a URL, or nil.
func (o *Options) secretFor(loc string) (*fetch.Secret, error) {
	if o.Header == "" {
		return nil, nil
	}
	secret, err := fetch.NewSecret(o.Header, loc)
	if err != nil {
		return nil, fmt.Errorf("SITEWALK_LIVE_HEADER: %w", err)
	}
	return secret, nil
}

// resolveLists resolves the settings of a command that reads only lists.
func (o *Options) resolveLists(b *engine.Build) error {
	settings, ds, err := config.ResolveLists(o.Input)
	b.Settings, b.Findings.Levels = settings, settings.Findings
	b.Findings.Add(ds...)
	return err
}

// isFolder reports whether name is a folder.
func (o *Options) isFolder(name string) bool {
	if name == "-" || fetch.IsURL(name) {
		return false
	}
	info, err := os.Stat(o.filePath(name))
	return err == nil && info.IsDir()
}

// exists reports whether the named file or folder may exist. URLs and standard input may always
// exist.
func (o *Options) exists(name string) bool {
	if name == "-" || fetch.IsURL(name) {
		return true
	}
	_, err := os.Stat(o.filePath(name))
	return !errors.Is(err, fs.ErrNotExist)
}

// filePath returns the operating system path of a file name that the user typed.
func (o *Options) filePath(name string) string {
	if name == "-" {
		return name
	}
	return engine.ResolvePath(o.Input.Dir, name)
}

// inputFor returns the input for the site in the folder dir, or the original input if dir is "".
func (o *Options) inputFor(dir string) config.Input {
	in := o.Input
	if dir != "" {
		in.Flags = config.Flags{}
		maps.Copy(in.Flags, o.Input.Flags)
		in.Flags["dir"] = []string{dir}
	}
	return in
}
