// Package hosting answers for a site's host: which URLs serve its files, which URLs redirect,
// and which pages the host or robots.txt keeps from search engines. It reads the host's files
// and the environment of the build, and sends no request.
//
// A rule that depends on the request, such as the visitor's country or a cookie, is not
// applied. A finding names it.
package hosting

import (
	"cmp"
	"io/fs"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/robots"
	"github.com/sitewalk/sitewalk/mapping"
)

// Auto is the name with which Load detects the host.
const Auto = "auto"

// Input is the input of Load. A nil tree has no files; a nil Getenv has no
// variables.
type Input struct {
	Root, Publish         fs.FS  // the project root and the publish directory
	RootName, PublishName string // as the user would type them: ".", "public"
	Above                 fs.FS  // the repository's root if the project is a folder in it, else nil
	AboveName             string
	Getenv                func(string) string
	Name                  string       // one of Names; "" is Auto
	Base                  mapping.Base // the site's base URL, if it is known
}

// A Site is a site on its host. It is safe for concurrent use.
type Site struct {
	host    *host
	why     string
	isKnown bool

	isGuessed bool
	hasDomain bool
	server
	pretty bool // Netlify's Pretty URLs

	encodesPunctuation bool

	redirects    ruleList
	filesFirst   bool // rules without force come after redirects to another spelling too
	followsLoops bool // rules hold if they lead to the URL itself, too
	indexRules   bool // rules for a folder's index.html hold for the folder, too

	headers    ruleList // of X-Robots-Tag; other headers decide nothing
	lastHeader bool     // of several values for one URL the last holds, else all do

	ignores ruleList // files of the publish directory that the host's own tool does not deploy

	origin mapping.Base // the root of the base URL's host, or of a made-up host
	base   mapping.Base

	robots     *robots.Rules
	robotsFile string // as the user would type it
}

// A Verdict is the host's answer for a URL, with the rule that decides.
type Verdict struct {
	Pos  diag.Pos
	To   string // the target of a redirect
	Text string // the rule as written

	Status int    // 200, 301, 404 …; 0 if the rule hides the URL or its file
	File   string // of the publish directory, with status 200; "" if a rule serves other content
}

// Load detects a site's host and reads the host's files. It looks for files that configure a
// project in the root and then in the publish directory, and for all others in the publish
// directory. A rule that cannot be read is a finding, and the others count.
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
	for _, list := range []*ruleList{&s.redirects, &s.headers, &s.ignores} {
		l.reportUnread(list)
	}
	l.readRobots()
	return s, l.diags.Sorted()
}

// Name returns the host's name, or "none" if nothing points to a host.
func (s *Site) Name() string { return s.host.name }

// IsKnown reports whether the host was named or detected.
func (s *Site) IsKnown() bool { return s.isKnown }

// IsGuessed reports whether the only clue to the host is a file that many tools write for any
// host.
func (s *Site) IsGuessed() bool { return s.isGuessed }

// HasDomain reports whether a file of the site names its own domain, to which the platform
// redirects the address that it gives.
func (s *Site) HasDomain() bool { return s.hasDomain }

// Why returns the evidence for the host: a file or a variable, or "named".
func (s *Site) Why() string { return s.why }

// EncodesPunctuation reports whether the host redirects paths with characters such as + to their
// encoded form; see [mapping.Base.EncodePunctuation].
func (s *Site) EncodesPunctuation() bool { return s.encodesPunctuation }

// Style returns the style of the host's URLs by its settings.
func (s *Site) Style() mapping.Style { return s.style }
