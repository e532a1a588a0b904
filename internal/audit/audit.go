// Package audit checks sites and sitemaps, and compares lists of URLs: it is what the
// commands check and diff do. It writes no files and prints nothing.
package audit

import (
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"time"

	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/fetch"
)

// Options say what the site at hand is, and how lists are read.
type Options struct {
	Build   engine.Options
	Input   config.Input
	Timeout time.Duration // for one answer of a live site; 0 is 30 seconds
	Client  *http.Client  // nil is the default
	Links   *LinkOptions  // of a check; nil: links are not looked at
	Google  bool          // of a check: ForGoogle is wanted
	Live    *LiveOptions  // of a check; nil: the live site is not asked
	First   bool          // of a diff: an old list that its site does not have is empty, as before the first deploy

	budget *fetch.Budget
}

// listOptions are the options for lists that the user named.
func (o *Options) listOptions(s *config.Settings) fetch.ListOptions {
	return fetch.ListOptions{
		Stdin: o.Build.Stdin, Network: true, Typed: true, Timeout: o.Timeout, Client: o.Client, Budget: o.budget, Dir: o.Input.Dir,
		Named: append(s.Named(), o.Input.Flags.One("base-url")), Folder: s.Site.Parts().Folder,
	}
}

// lists finds the settings of a command that looks at lists alone.
func (o *Options) lists(b *engine.Build) error {
	settings, ds, err := config.ResolveLists(o.Input)
	b.Settings, b.Findings.Levels = settings, settings.Findings
	b.Findings.Add(ds...)
	return err
}

// isFolder reports whether a name stands for a built site.
func (o *Options) isFolder(name string) bool {
	if name == "-" || fetch.IsURL(name) {
		return false
	}
	info, err := os.Stat(o.path(name))
	return err == nil && info.IsDir()
}

// exists reports whether what the user named may be there; an address may always be.
func (o *Options) exists(name string) bool {
	if name == "-" || fetch.IsURL(name) {
		return true
	}
	_, err := os.Stat(o.path(name))
	return !errors.Is(err, fs.ErrNotExist)
}

// path returns what the operating system calls a file that the user typed.
func (o *Options) path(name string) string {
	if name == "-" {
		return name
	}
	return engine.Path(o.Input.Dir, name)
}

// in returns the input for the site in a folder; "" is the site at hand.
func (o *Options) in(dir string) config.Input {
	in := o.Input
	if dir != "" {
		in.Flags = config.Flags{}
		maps.Copy(in.Flags, o.Input.Flags)
		in.Flags["dir"] = []string{dir}
	}
	return in
}
