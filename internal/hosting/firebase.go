package hosting

import (
	"cmp"
	"errors"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
)

// A firebaseSite is one of the sites of firebase.json.
// https://firebase.google.com/docs/hosting/full-config
type firebaseSite struct {
	Public    strict.Value[string]   `yaml:"public"`
	Ignore    []strict.Value[string] `yaml:"ignore"`
	Clean     bool                   `yaml:"cleanUrls"`
	Slash     *bool                  `yaml:"trailingSlash"`
	Redirects []firebaseRule         `yaml:"redirects"`
	Rewrites  []firebaseRule         `yaml:"rewrites"`
	Headers   []firebaseRule         `yaml:"headers"`
	I18n      struct {
		Root strict.Value[string] `yaml:"root"`
	} `yaml:"i18n"`
}

// A firebaseRule is a redirect, a rewrite or a header, by a glob or by a regular expression.
type firebaseRule struct {
	Source  strict.Value[string] `yaml:"source"`
	Glob    strict.Value[string] `yaml:"glob"` // an older name
	Regex   strict.Value[string] `yaml:"regex"`
	To      strict.Value[string] `yaml:"destination"`
	Type    int                  `yaml:"type"`
	Headers robotsTag            `yaml:"headers"`
}

// readFirebase reads firebase.json. Its redirects come before the files and its
// rewrites after them. Of several headers for one URL the last one holds.
func (l *loader) readFirebase() {
	s := l.site
	s.lastHeader, s.followsLoops = true, true
	f, sites := l.firebaseFile()
	site := new(firebaseSite)
	if i := l.chooseSite(f, "public", len(sites), func(i int) string { return sites[i].Public.V }); i >= 0 {
		site = &sites[i]
	}
	for _, glob := range site.Ignore {
		p, err := filePattern(glob.V)
		if err != nil {
			l.reportBadRule(glob.Pos, glob.V, err)
			continue
		}
		s.ignores.add(p, rule{pos: glob.Pos, text: "ignore " + glob.V})
	}
	v := firebaseServer{site.Clean, site.Slash}
	s.handling, s.style = v.serve, v.style()
	for _, c := range site.Redirects {
		source := c.source()
		r := rule{pos: firstPlace(f, source.Pos, c.To.Pos), to: c.To.V, status: cmp.Or(c.Type, 301), force: true}
		r.text = ruleText(source.V, c.To.V, r.status, false)
		p, err := c.compile()
		if c.To.V == "" || r.status < 300 || r.status > 399 {
			err = errors.New("it needs a destination, and a type of 301 or 302")
		}
		l.addRedirect(r, p, err)
	}
	for _, c := range site.Rewrites {
		c.To.V = ""
		p, err := c.compile()
		l.addRedirect(rule{pos: firstPlace(f, c.source().Pos), text: "rewrite " + c.source().V, status: 200}, p, err)
	}
	for _, c := range site.Headers {
		p, err := c.compile()
		l.addHeader(f, c.Headers, c.source(), p, err)
	}
	if root := site.I18n.Root; root.V != "" {
		l.diags.Notef(firstPlace(f, root.Pos), "undecidable-rule", "list the addresses that every visitor gets, and exclude the folders of "+root.V,
			"i18n serves files of %q by the visitor's country and language, which is known only at the request; the pages stay in", root.V)
	}
}

// firebaseFile reads the sites of firebase.json.
func (l *loader) firebaseFile() (f file, sites []firebaseSite) {
	var c struct {
		Hosting []firebaseSite `yaml:"hosting"` // one, or a list
	}
	f = l.readFirst(&c, "firebase.json")
	return f, c.Hosting
}

func hasFirebaseSite(l *loader) bool {
	_, sites := l.firebaseFile()
	return len(sites) > 0
}

// firebasePublish returns the folder of a project with one site.
func (l *loader) firebasePublish() (dir strict.Value[string]) {
	if _, sites := l.firebaseFile(); len(sites) == 1 {
		return sites[0].Public
	}
	return dir
}

func (c *firebaseRule) source() strict.Value[string] { return cmp.Or(c.Source, c.Glob, c.Regex) }

// compile returns the pattern of the rule. If the target has names, the source is no glob, but a
// path with names.
func (c *firebaseRule) compile() (pattern, error) {
	switch glob := cmp.Or(c.Source, c.Glob).V; {
	case glob == "" && c.Regex.V == "":
		return pattern{}, errors.New("it needs a source or a regex")
	case glob != "" && c.Regex.V != "":
		return pattern{}, errors.New("it has both a glob and a regex")
	case c.Regex.V != "":
		return compileNumbered(c.Regex.V)
	case hasNames.MatchString(c.To.V):
		return compileNamed(glob)
	default:
		return globPattern(glob)
	}
}

var hasNames = regexp.MustCompile(`(?:^|/):`)

// compileNumbered is compileWithin, whose groups without a name are named by their
// numbers; :0 is the whole match.
func compileNumbered(expr string) (pattern, error) {
	p, err := compileWithin(expr)
	if err != nil {
		return p, err
	}
	for i, name := range p.re.SubexpNames()[1:] {
		p.names = append(p.names, cmp.Or(name, strconv.Itoa(i)))
	}
	p.dropsEmpty = true
	return p, nil
}

// loneStar finds a * that matches the rest of a path, and what it must not be confused with: a
// name or a group and how often it may be there.
var loneStar = regexp.MustCompile(`:\w+[*+?]?|\([^()]*\)[*+?]?|\*`)

// compileNamed compiles a path in the notation of path-to-regexp 1: as compileSource, with a *
// that matches the rest, without regard to case and to a slash at the end.
func compileNamed(source string) (pattern, error) {
	source = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(path.Join("/", source))
	source = loneStar.ReplaceAllStringFunc(source, func(token string) string {
		if token == "*" {
			return "(.*)"
		}
		return token
	})
	p, err := compileSource(source)
	if err != nil {
		return p, err
	}
	expr := "^" + regexp.QuoteMeta(p.literal)
	if p.re != nil {
		expr = strings.TrimSuffix(p.re.String(), "$")
	}
	p, err = compile("(?i)"+expr+"/?$", p.names)
	p.dropsEmpty = true
	return p, err
}

// A firebaseServer is Firebase Hosting with its two settings, superstatic
// src/middleware/files.js.
type firebaseServer struct {
	clean bool
	slash *bool
}

// style returns the style of the URLs. If a folder's page is served with a slash and
// without one, it is listed without, as all others are.
func (v firebaseServer) style() (s mapping.Style) {
	if v.clean {
		s = mapping.Style{HTML: mapping.StripHTML, Slash: mapping.RemoveSlash}
	}
	switch {
	case v.slash == nil:
	case !*v.slash:
		s.Slash = mapping.RemoveSlash
	case v.clean:
		s.Slash = mapping.AddSlash
	}
	return s
}

func (v firebaseServer) serve(r request) (file, to string) {
	if file, _ = r.serveExact(); file != "" && !v.clean {
		return file, ""
	}
	file, _ = exactOrIndex(r)
	if file == "" && v.clean {
		file, _ = r.serveHTML()
	}
	to = v.style().URLPath(file)
	switch {
	case file == "", to == r.urlPath:
		return file, ""
	case v.clean && v.slash == nil && r.dir && r.hasIndex():
		return file, ""
	case v.clean && v.slash == nil && r.dir:
		return "", ""
	}
	return "", to
}

// chooseSite returns which of n sites publishes the folder, or -1. A single site is chosen for
// any folder.
func (l *loader) chooseSite(f file, key string, n int, dir func(int) string) int {
	if n == 1 {
		return 0
	}
	for i := range n {
		if path.Join(filepath.ToSlash(l.RootName), relPath(dir(i))) == path.Clean(filepath.ToSlash(l.PublishName)) {
			return i
		}
	}
	if n > 0 {
		l.diags.Notef(f.pos(0), "undecidable-rule", "let "+strconv.Quote(key)+" of one of them name the folder",
			"none of its %d sites publishes %s; the rules of none are taken", n, l.PublishName)
	}
	return -1
}
