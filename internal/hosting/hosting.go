// Package hosting predicts how the hosting platform of a site answers requests. It finds out which
// URLs serve files, which URLs redirect, and which pages a header or robots.txt hides from search
// engines. It reads the configuration files of the platform and the environment variables of the
// build. It sends no requests.
//
// A platform is called a host. The package ignores rules that depend on the request, for example on
// a cookie or on the visitor's country. It reports ignored rules that may redirect or hide pages.
package hosting

import (
	"cmp"
	"fmt"
	"io/fs"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/robots"
	"github.com/sitewalk/sitewalk/mapping"
)

// Auto is the value of Input.Name that makes Load detect the host.
const Auto = "auto"

// Input is the input of Load. If a file system is nil, it counts as empty. If Getenv is nil, no
// environment variable is set.
type Input struct {
	Root, Publish         fs.FS  // the project root and the publish directory
	RootName, PublishName string // as the user would type them: ".", "public"
	Above                 fs.FS  // the repository root if the project is in a folder below; otherwise nil
	AboveName             string // path of the repository root as the user would type it
	Getenv                func(string) string
	Name                  string       // name of the host, one of Names; "" means Auto
	Base                  mapping.Base // base URL of the site; zero if unknown
	ExactURLs             bool         // the host serves each file only at its own path, such as /a/index.html; / is the home page

	// NextEnding is the ending of the URLs in a static export of Next.js: mapping.Bare or
	// mapping.Slashed. It is mapping.NoEnding for any other site.
	NextEnding mapping.Ending
}

// A Host predicts how a hosting platform answers requests for one site. It is safe for concurrent
// use.
type Host struct {
	platform *platform
	server

	evidence         string // see Evidence
	isKnown          bool   // see IsKnown
	isWeaklyDetected bool   // see HasOnlyWeakEvidence
	hasCustomDomain  bool   // see HasCustomDomain

	redirects ruleList // rules that redirect, rewrite or answer with an error
	headers   ruleList // rules that send or remove X-Robots-Tag
	ignores   ruleList // rules for files in the publish directory that Firebase does not deploy
	scripts   ruleList // Apache: rules whose only effect is on MayRunScript

	// The fields below describe in which ways the hosts differ. Each field is true only for the
	// hosts in its comment.

	hasPrettyURLs        bool // Netlify, unless the site turns Pretty URLs off: /a/ redirects to /a if a.html exists
	ownRedirectsFirst    bool // Apache, Azure, GitLab, Netlify: the host's own redirects, such as /a to /a/, take precedence over rules without force
	appliesSelfRedirects bool // Firebase: a rule also applies if it redirects a URL to itself
	ignoresTrailingSlash bool // Netlify: a redirect from /a to /a/ or back counts as a redirect of a URL to itself
	appliesRulesToIndex  bool // Apache: a rule for /a/index.html also applies to /a/
	sendsLastHeaderOnly  bool // Amplify, Azure, Firebase, Netlify, Vercel: only the last matching rule in headers counts
	encodesPunctuation   bool // Cloudflare Workers: see EncodesPunctuation

	origin mapping.Base // scheme and host of the base URL, or https://host.invalid
	base   mapping.Base // base URL

	robots     *robots.Rules // rules of robots.txt, or nil
	robotsFile string        // path of robots.txt as the user would type it
}

// An Answer predicts what the host sends for a request, and names the rule that causes the answer.
type Answer struct {
	Pos  diag.Pos // position of the rule; zero if no rule applies
	To   string   // target of a redirect
	Text string   // the rule as messages show it: "/a /b 301"; without a rule, the reason for the redirect

	Status int    // HTTP status of the answer: 200, 301, 404; 0 if the rule only hides the URL or file
	File   string // file in the publish directory that is sent with status 200; "" for a rewrite, unless its target replaces the file of the URL
}

// Load reads the configuration files of a site's host. It detects the host if in.Name is "" or
// Auto. It looks for files of the project, such as netlify.toml, in in.Root, in.Above and
// in.Publish. It looks for files that the host reads only from the publish directory, such as
// _redirects, only in in.Publish. The findings describe mistakes in the files, rules that sitewalk
// cannot evaluate, and evidence for several hosts.
func Load(in Input) (*Host, diag.List) {
	l := newLoader(in)
	l.host.origin, _ = mapping.ParseBase(cmp.Or(in.Base.Origin(), "https://host.invalid"))
	if in.Name == "" || in.Name == Auto {
		l.detectHost()
	} else {
		l.host.platform, l.host.isKnown, l.host.evidence = platformByName(in.Name), true, "named"
	}
	h := l.host
	h.server = h.platform.server
	if h.platform.read != nil {
		h.platform.read(l)
	}
	exact := mapping.Style{HTML: mapping.ExactHTML}
	if m := s3Domain.FindStringSubmatch(in.Base.Host()); in.ExactURLs {
		h.style, h.handler = exact, firstOf(request.serveExact, request.serveHome)
	} else if h.platform.name == "s3" && m != nil && m[1] == "" {
		h.style, h.handler = exact, request.serveExact
	}
	for _, list := range []*ruleList{&h.redirects, &h.headers, &h.ignores, &h.scripts} {
		if r := list.firstBeyondLimit; r != nil {
			l.reportTooMany(r.pos, fmt.Sprintf("%d rules, and %d with wildcards,", maxRules, maxWildcards))
		}
	}
	l.readRobots()
	return h, l.diags.Sorted()
}

// Name returns the name of the host, such as "netlify". It returns "none" if the user named "none",
// or if Load found no host.
func (h *Host) Name() string { return h.platform.name }

// IsKnown reports whether the user named the host, or Load detected it. The result is also true if
// the user named the host "none". It is false if Load found no evidence, or only a .htaccess file
// in a top-level folder of the publish directory.
func (h *Host) IsKnown() bool { return h.isKnown }

// HasOnlyWeakEvidence reports whether the strongest evidence for the host is a file .nojekyll,
// and the build does not run in GitHub Actions. Such evidence is weak, because many tools write
// .nojekyll for any host.
func (h *Host) HasOnlyWeakEvidence() bool { return h.isWeaklyDetected }

// HasCustomDomain reports whether the site is on GitHub Pages and has a CNAME file with a valid
// custom domain. If the base URL is known, only its host is a valid domain. GitHub Pages redirects
// its own domain for the site, such as a.github.io, to the custom domain.
func (h *Host) HasCustomDomain() bool { return h.hasCustomDomain }

// Evidence returns the reason why Load chose the host, such as "netlify.toml" or "NETLIFY=true". It
// returns "named" if the user named the host, and a sentence if Load found no evidence for any
// host.
func (h *Host) Evidence() string { return h.evidence }

// EncodesPunctuation reports whether the host redirects URL paths with characters such as + to the
// percent-encoded form; see [mapping.Base.EncodePunctuation].
func (h *Host) EncodesPunctuation() bool { return h.encodesPunctuation }

// Style returns how the host forms the URL of a file: /a or /a.html for a.html, for example.
// Settings such as cleanUrls in vercel.json change the style.
func (h *Host) Style() mapping.Style { return h.style }
