// Package hosting says what a site's host does with its files: at which URLs
// it serves them, which it redirects, and which it or the site's robots.txt
// keeps from search engines. All of that is read from files and the
// environment of the build.
//
// It refuses to ask the host itself, and to guess: a rule that only a request
// can decide, by country, cookie or code, decides nothing here and is named in
// a finding.
package hosting

import (
	"cmp"
	"io/fs"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/robots"
	"github.com/sitewalk/sitewalk/mapping"
)

// Auto is the name that lets Load find the host itself.
const Auto = "auto"

// Input is what Load looks at. A nil tree has no files; a nil Getenv has no
// variables.
type Input struct {
	Root, Publish         fs.FS  // the project root and the publish directory
	RootName, PublishName string // as the user would type them: ".", "public"
	Above                 fs.FS  // the repository's root where the site's is a folder in it, nil elsewhere
	AboveName             string
	Getenv                func(string) string
	Name                  string       // one of Names; "" is Auto
	Base                  mapping.Base // the site's base URL, if it is known
}

// A Site is what is known of a site's host. It is safe for concurrent use.
type Site struct {
	host    *host
	why     string
	isKnown bool
	server
	pretty bool // Netlify's Pretty URLs

	filesFirst bool // rules without force come after redirects to another spelling too

	origin mapping.Base // root of the base URL's host, or of a host that no one has
	base   mapping.Base

	redirects redirects
	headers   headers
	robots    *robots.Rules
	ignores   index[Verdict] // files of the publish directory that the host's own tool does not deploy

	robotsFile string // as the user would type it
}

// A Verdict is what the host does with a URL, and what of its files says so.
type Verdict struct {
	Pos  diag.Pos
	To   string // where a redirect leads
	Text string // the rule, as it stands in the file

	Status int    // 200, 301, 404 …; 0 where the rule hides the URL or its file
	File   string // of the publish directory, with status 200; "" when a rule serves something else
}

// Load finds out which host a site has and reads that host's files: those that
// configure a project in the root and then in the publish directory, all others in
// the publish directory. What cannot be read
// or understood is a finding, and the rest counts.
func Load(in Input) (*Site, diag.List) {
	l := newLoader(in)
	l.site.origin, _ = mapping.ParseBase(cmp.Or(in.Base.Origin(), "https://host.invalid"))
	if in.Name == "" || in.Name == Auto {
		l.detect()
	} else {
		l.site.host, l.site.isKnown, l.site.why = hostByName(in.Name), true, "named"
	}
	s := l.site
	s.server = s.host.server
	if s.host.read != nil {
		s.host.read(l)
	}
	l.robotsTxt()
	return s, l.diags.Sorted()
}

// Name returns the host's name, "none" when nothing points to a host.
func (s *Site) Name() string { return s.host.name }

// IsKnown reports whether the host was named or found.
func (s *Site) IsKnown() bool { return s.isKnown }

// Why says what decided for the host: a file or a variable, or "named".
func (s *Site) Why() string { return s.why }

// Style returns how the host forms URLs, its own settings included.
func (s *Site) Style() mapping.Style { return s.style }
