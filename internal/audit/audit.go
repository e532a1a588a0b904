// Package audit checks sites and sitemaps, and compares lists of URLs, for the commands check and
// diff. It does not write files or print.
package audit

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/fetch"
)

// Options are the options of RunCheck and RunDiff.
type Options struct {
	Build     engine.Options
	Input     config.Input
	Timeout   time.Duration // time limit for one response, shorter in tests; 0 means 30 seconds, which is also the maximum
	Client    *http.Client  // sends the requests; nil means the default client
	Links     bool          // check the links of the site
	Fragments bool          // with Links, check that the fragment of each link exists in the linked page
	Heads     bool          // check titles, descriptions and other tags in the heads of pages
	Google    bool          // the user passed --google; RunCheck then rejects a target that has no sitemap URL
	Live      *LiveOptions  // how to check the live site; nil skips it
	Header    string        // request header "Name: value" for a protected live site; "" for none
	// First permits a diff if the live site has no sitemap yet, as before the first deploy. The old
	// list is then empty. Without First, RunDiff returns an error.
	First bool
	// If LivePages is set, RunDiff downloads up to maxLostPages lost pages from the live site. To
	// find out where a lost page moved, RunDiff compares its content with the content of the added
	// pages.
	LivePages bool

	// budget limits the total size of all lists that the command reads.
	budget *fetch.Budget
}

// listOptions returns the options for reading a sitemap, or another list of URLs, that the user
// named on the command line. The list may be a FIFO or a device.
func (o *Options) listOptions(s *config.Settings) fetch.ListOptions {
	return fetch.ListOptions{
		Stdin: o.Build.Stdin, AllowRequests: true, Typed: true, Budget: o.budget, Dir: o.Input.Dir, Folder: s.Site.Parts().FolderOfURL,
		Fetch: fetch.Options{Timeout: o.Timeout, Client: o.Client, Named: append(s.BaseURLs(), o.Input.Flags.Value("base-url"))},
	}
}

// secretFor returns the configured request header for the protected site that serves loc. It
// returns nil if no header is configured, and an error if the header or loc is not valid.
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

// withHeaderAdvice returns err. If the site refused access with status 401 or 403, it adds advice
// about the request header.
func withHeaderAdvice(err error) error {
	var status *fetch.StatusError
	if errors.As(err, &status) && (status.Code == http.StatusUnauthorized || status.Code == http.StatusForbidden) {
		return diag.Hintedf(`set SITEWALK_LIVE_HEADER="Name: value" to a header that opens the site`, "%w", err)
	}
	return err
}

// resolveListSettings sets b.Settings for a command that reads only lists, without a built site. It
// adds the findings about the configuration to b.Findings.
func (o *Options) resolveListSettings(b *engine.Build) error {
	settings, ds, err := config.ResolveComparison(o.Input)
	b.Settings, b.Findings.Levels = settings, settings.Findings
	b.Findings.Add(ds...)
	return err
}

// isFolder reports whether name is an existing folder. URLs and "-" are not folders.
func (o *Options) isFolder(name string) bool {
	if name == "-" || fetch.IsURL(name) {
		return false
	}
	info, err := os.Stat(o.filePath(name))
	return err == nil && info.IsDir()
}

// filePath returns the path of the file called name, which the user typed relative to the working
// directory o.Input.Dir. It returns URLs and "-" (standard input) unchanged.
func (o *Options) filePath(name string) string {
	if name == "-" {
		return name
	}
	return engine.ResolvePath(o.Input.Dir, name)
}

// inputWithDir returns the command's input with the flag --dir set to dir. If dir is "", it returns
// the input unchanged.
func (o *Options) inputWithDir(dir string) config.Input {
	in := o.Input
	if dir != "" {
		in.Flags = config.Flags{}
		maps.Copy(in.Flags, o.Input.Flags)
		in.Flags["dir"] = []string{dir}
	}
	return in
}
