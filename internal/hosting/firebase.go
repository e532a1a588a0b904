package hosting

import (
	"cmp"
	"errors"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
)

// A firebaseSite is what firebase.json says of one of the sites of a project.
// https://firebase.google.com/docs/hosting/full-config
type firebaseSite struct {
	Public    strict.Value[string]   `yaml:"public"`
	Site      string                 `yaml:"site"`
	Ignore    []strict.Value[string] `yaml:"ignore"`
	Clean     bool                   `yaml:"cleanUrls"`
	Slash     *bool                  `yaml:"trailingSlash"`
	Redirects []firebaseRedirect     `yaml:"redirects"`
	Rewrites  []firebasePattern      `yaml:"rewrites"`
	Headers   []firebaseHeaders      `yaml:"headers"`
	I18n      struct {
		Root strict.Value[string] `yaml:"root"`
	} `yaml:"i18n"`
}

// A firebasePattern says which URLs a rule is for, by a glob or by a regular
// expression.
type firebasePattern struct {
	Source strict.Value[string] `yaml:"source"`
	Glob   strict.Value[string] `yaml:"glob"` // an older name
	Regex  strict.Value[string] `yaml:"regex"`
}

type firebaseRedirect struct {
	firebasePattern
	To     strict.Value[string] `yaml:"destination"`
	Status int                  `yaml:"type"`
}

type firebaseHeaders struct {
	firebasePattern
	Headers []keyedHeader `yaml:"headers"`
}

// firebase reads firebase.json, whose redirects come before the files and whose
// rewrites come after them. Of several headers for one URL the last one holds.
func (l *loader) firebase() {
	s := l.site
	s.headers.last, s.redirects.loops = true, true
	f, sites := l.firebaseFile()
	site := l.firebaseSite(f, sites)
	l.firebaseIgnore(firstRules(l, f, site.Ignore, maxRules))
	h := firebaseServer{site.Clean, site.Slash}
	s.handling, s.style = h.serve, h.style()
	for i := range firstRules(l, f, site.Redirects, maxRules) {
		l.firebaseRedirect(f, &site.Redirects[i])
	}
	for i := range firstRules(l, f, site.Rewrites, maxRules) {
		c := &site.Rewrites[i]
		p, err := c.compile("")
		l.addRedirect(redirect{pos: c.pos(f), text: "rewrite " + c.text(), status: 200}, p, err)
	}
	for i := range firstRules(l, f, site.Headers, maxRules) {
		c := &site.Headers[i]
		source := strict.Value[string]{V: c.text(), Pos: c.pos(f)}
		l.robotsTag(f, c.Headers, source, func(string) (pattern, error) { return c.compile("") })
	}
	if root := site.I18n.Root; root.V != "" {
		l.diags.Notef(place(f, root.Pos), "undecidable-rule", "list the addresses that every visitor gets, and exclude the folders of "+root.V,
			"i18n serves files of %q by the visitor's country and language, which is known only at the request; the pages stay in", root.V)
	}
}

// firebaseIgnore takes the globs of files that are not deployed. A file that a glob
// of the usual ones leaves out is no page.
func (l *loader) firebaseIgnore(globs []strict.Value[string]) {
	for _, glob := range globs {
		p, err := filePattern(glob.V)
		if err != nil {
			l.badRule(glob.Pos, glob.V, err)
			continue
		}
		l.site.ignores.add(p, Verdict{Pos: glob.Pos, Text: "ignore " + glob.V})
	}
}

// firebaseFile reads the sites of firebase.json.
func (l *loader) firebaseFile() (f file, sites []firebaseSite) {
	var c struct {
		Hosting []firebaseSite `yaml:"hosting"` // one, or a list
	}
	f = l.read(&c, "firebase.json")
	return f, c.Hosting
}

// firebaseSite returns the site that publishes the folder, of several the one that
// the base URL names.
func (l *loader) firebaseSite(f file, all []firebaseSite) *firebaseSite {
	var dirs []strict.Value[string]
	name, _, _ := strings.Cut(l.Base.Host(), ".")
	for i := range all {
		if l.publishes(all[i].Public.V) && all[i].Site == name && name != "" {
			return &all[i]
		}
		dirs = append(dirs, all[i].Public)
	}
	if i, ok := l.publisher(f, "public", dirs); ok {
		return &all[i]
	}
	return new(firebaseSite)
}

func (l *loader) firebaseRedirect(f file, c *firebaseRedirect) {
	rule := redirect{pos: place(f, c.glob().Pos, c.Regex.Pos, c.To.Pos), to: c.To.V, status: cmp.Or(c.Status, 301), force: true}
	rule.text = ruleText(c.text(), c.To.V, rule.status, false)
	p, err := c.compile(c.To.V)
	if c.To.V == "" || rule.status < 300 || rule.status > 399 {
		err = errors.New("it needs a destination, and a type of 301 or 302")
	}
	l.addRedirect(rule, p, err)
}

func (c *firebasePattern) glob() strict.Value[string] { return cmp.Or(c.Source, c.Glob) }

func (c *firebasePattern) pos(f file) diag.Pos { return place(f, c.glob().Pos, c.Regex.Pos) }

func (c *firebasePattern) text() string { return cmp.Or(c.glob().V, c.Regex.V) }

// compile returns the pattern of a rule that leads to a target. A glob whose target has
// names is no glob, but a path with names.
func (c *firebasePattern) compile(to string) (pattern, error) {
	switch glob := c.glob().V; {
	case glob == "" && c.Regex.V == "":
		return pattern{}, errors.New("it needs a source or a regex")
	case glob != "" && c.Regex.V != "":
		return pattern{}, errors.New("it has both a glob and a regex")
	case c.Regex.V != "":
		return numberedPattern(c.Regex.V)
	case hasNames.MatchString(to):
		return pathToRegexp(glob)
	default:
		return globPattern(glob)
	}
}

var hasNames = regexp.MustCompile(`(?:^|/):`)

// numberedPattern is searchPattern, whose groups without a name are named by their
// numbers; :0 is all that it matches.
func numberedPattern(expr string) (pattern, error) {
	p, err := searchPattern(expr)
	if err != nil {
		return p, err
	}
	for i, name := range p.expr.names {
		p.names = append(p.names, cmp.Or(name, strconv.Itoa(i)))
	}
	p.drops = true
	return p, nil
}

// pathToRegexp compiles a path in the notation of path-to-regexp 1: as
// sourcePattern, with a * that takes the rest, without regard to case and to a
// slash at the end.
func pathToRegexp(source string) (pattern, error) {
	source = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(path.Join("/", source))
	p, err := sourcePattern(starOrKey.ReplaceAllStringFunc(source, func(token string) string {
		if token == "*" {
			return "(.*)"
		}
		return token
	}))
	if err != nil {
		return p, err
	}
	expr := "^" + regexp.QuoteMeta(p.literal)
	if p.expr != nil {
		expr = strings.TrimSuffix(p.expr.text, "$")
	}
	p, err = compile("(?i)"+expr+"/?$", p.names)
	p.drops = true
	return p, err
}

// starOrKey is a * that repeats nothing, or a name or a group and how often it may be
// there.
var starOrKey = regexp.MustCompile(`:\w+[*+?]?|\([^()]*\)[*+?]?|\*`)

// A firebaseServer is Firebase Hosting with its two settings, superstatic
// src/middleware/files.js.
type firebaseServer struct {
	clean bool
	slash *bool
}

// style is that of the URLs: where a folder's page is served with a slash and
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

// serve returns the file at a path, or where the path is redirected to before that is
// served.
func (v firebaseServer) serve(r request) (file, to string) {
	if file, _ = r.exact(); file != "" {
		if name, isHTML := strings.CutSuffix(r.path, ".html"); v.clean && isHTML {
			return "", v.withSlash(strings.TrimSuffix("/"+name, "/index"))
		}
		return file, ""
	}
	if file, _ = r.index(); file != "" {
		if wrong := v.slash == nil && !r.dir && !v.clean || v.slash != nil && *v.slash != r.dir; wrong && r.path != "" {
			return "", "/" + r.path + map[bool]string{false: "/"}[r.dir]
		}
		return file, ""
	}
	file, _ = r.html()
	if file == "" || !v.clean || r.dir && v.slash == nil {
		return "", ""
	}
	dir, isIndex := strings.CutSuffix("/"+r.path, "/index")
	switch {
	case v.slash != nil && *v.slash && !r.dir:
		return "", dir + "/"
	case v.slash != nil && *v.slash != r.dir:
		return "", "/" + r.path
	case isIndex:
		return "", cmp.Or(dir, "/")
	}
	return file, ""
}

// withSlash returns a path as a clean URL ends.
func (v firebaseServer) withSlash(urlPath string) string {
	if v.slash != nil && *v.slash {
		return urlPath + "/"
	}
	return cmp.Or(urlPath, "/")
}
