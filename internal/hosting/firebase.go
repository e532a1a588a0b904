package hosting

import (
	"cmp"
	"errors"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/internal/glob"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
)

// A firebaseSite contains the settings of one site in firebase.json.
//
// See https://firebase.google.com/docs/hosting/full-config
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

// A firebaseRule is an item of the setting "redirects", "rewrites" or "headers" in firebase.json.
// It applies to the paths that match a glob, a path with placeholders or a regular expression.
type firebaseRule struct {
	Source  strict.Value[string] `yaml:"source"`
	Glob    strict.Value[string] `yaml:"glob"` // an older name of source
	Regex   strict.Value[string] `yaml:"regex"`
	To      strict.Value[string] `yaml:"destination"`
	Type    int                  `yaml:"type"`
	Headers robotsTag            `yaml:"headers"`
}

// readFirebase reads firebase.json. Redirects in this file take precedence over files of the site.
// Files take precedence over rewrites. If several headers match a URL, the last one applies.
func (l *loader) readFirebase() {
	h := l.host
	h.sendsLastHeaderOnly, h.appliesSelfRedirects = true, true
	f, sites := l.readFirebaseJSON()
	site := new(firebaseSite)
	if i := l.findPublishingSite(f, "public", len(sites), func(i int) string { return sites[i].Public.V }); i >= 0 {
		site = &sites[i]
	}
	for _, glob := range site.Ignore {
		p, err := compileFirebaseIgnore(glob.V)
		if err != nil {
			l.reportBadRule(glob.Pos, glob.V, err)
			continue
		}
		h.ignores.add(p, rule{pos: glob.Pos, text: "ignore " + glob.V})
	}
	server := firebaseServer{site.Clean, site.Slash}
	h.handler, h.style = server.serve, server.style()
	for _, c := range site.Redirects {
		source := c.source()
		r := rule{pos: firstPos(f, source.Pos, c.To.Pos), to: c.To.V, status: cmp.Or(c.Type, 301), force: true}
		r.text = ruleText(source.V, c.To.V, r.status, false)
		p, err := c.compile()
		if c.To.V == "" || r.status < 300 || r.status > 399 {
			err = errors.New("it needs a destination, and a type from 300 to 399")
		}
		l.addRedirectRule(r, p, err)
	}
	for _, c := range site.Rewrites {
		c.To.V = ""
		p, err := c.compile()
		l.addRedirectRule(rule{pos: firstPos(f, c.source().Pos), text: "rewrite " + c.source().V, status: 200}, p, err)
	}
	for _, c := range site.Headers {
		p, err := c.compile()
		l.addHeaderRule(f, c.Headers, c.source(), p, err)
	}
	if root := site.I18n.Root; root.V != "" {
		l.diags.Notef(firstPos(f, root.Pos), "undecidable-rule", "list the addresses that every visitor gets, and exclude the folders of "+root.V,
			"i18n serves files of %q by the visitor's country and language, which is known only at the request; the pages stay listed", root.V)
	}
}

// readFirebaseJSON reads firebase.json. It returns the file and the sites in it.
func (l *loader) readFirebaseJSON() (f file, sites []firebaseSite) {
	var c struct {
		Hosting []firebaseSite `yaml:"hosting"` // one, or a list
	}
	f = l.decodeFirst(&c, "firebase.json")
	return f, c.Hosting
}

func hasFirebaseSite(l *loader) bool {
	_, sites := l.readFirebaseJSON()
	return len(sites) > 0
}

// firebasePublishDir returns the publish directory in firebase.json if the file has exactly one
// site. Otherwise it returns the zero Value.
func (l *loader) firebasePublishDir() (dir strict.Value[string]) {
	if _, sites := l.readFirebaseJSON(); len(sites) == 1 {
		return sites[0].Public
	}
	return dir
}

// source returns the setting that selects the paths of the rule.
func (f *firebaseRule) source() strict.Value[string] { return cmp.Or(f.Source, f.Glob, f.Regex) }

// compile returns the pattern of the rule. It returns an error unless the rule has either a regular
// expression or a source. If the destination contains placeholders such as :slug, the source is a
// path with placeholders. Otherwise, the source is a glob.
func (f *firebaseRule) compile() (pattern, error) {
	switch source := cmp.Or(f.Source, f.Glob).V; {
	case source == "" && f.Regex.V == "":
		return pattern{}, errors.New("it needs a source or a regex")
	case source != "" && f.Regex.V != "":
		return pattern{}, errors.New("it has both a glob and a regex")
	case f.Regex.V != "":
		return compileWithNumberedGroups(f.Regex.V)
	case placeholderInTarget.MatchString(f.To.V):
		return compileNamedPath(source)
	default:
		return compileFirebaseGlob(source)
	}
}

// placeholderInTarget matches the beginning of a placeholder such as :slug in a destination.
var placeholderInTarget = regexp.MustCompile(`(?:^|/):`)

// compileWithNumberedGroups compiles a regular expression. Unlike compileRegexp, it gives each
// group without a name its number as a name. The target of a rule can thus refer to the first group
// as :1, and to the whole match as :0.
func compileWithNumberedGroups(expr string) (pattern, error) {
	p, err := compileRegexp(expr, nil)
	if err != nil {
		return p, err
	}
	for i, name := range p.re.SubexpNames() {
		p.names = append(p.names, cmp.Or(name, strconv.Itoa(i)))
	}
	p.dropsEmptyValues = true
	return p, nil
}

// loneStar matches ":name*", "(group)*" and "*" in a path. Only the match "*" is a wildcard. In the
// other matches, "*" is a modifier of the name or group.
var loneStar = regexp.MustCompile(`:\w+[*+?]?|\([^()]*\)[*+?]?|\*`)

// compileNamedPath compiles a path with placeholders, such as "/blog/:slug", in the syntax of
// path-to-regexp 1. It is like compileVercelSource, but "*" matches any text, and braces have no
// special meaning. The pattern ignores case and a trailing slash.
func compileNamedPath(source string) (pattern, error) {
	source = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(path.Join("/", source))
	source = loneStar.ReplaceAllStringFunc(source, func(token string) string {
		if token == "*" {
			return "(.*)"
		}
		return token
	})
	p, err := compileVercelSource(source)
	if err != nil {
		return p, err
	}
	expr := "^" + regexp.QuoteMeta(p.literal)
	if p.re != nil {
		expr = strings.TrimSuffix(p.re.String(), "$")
	}
	p, err = compileRegexp("(?i)"+expr+"/?$", p.names)
	p.dropsEmptyValues = true
	return p, err
}

// compileFirebaseGlob compiles the glob of a rule in firebase.json, in the syntax of minimatch 6.
// The pattern ignores a trailing slash, unless the glob ends in a slash. If text begins with "!",
// the pattern matches all paths that the rest of text does not match.
func compileFirebaseGlob(text string) (pattern, error) {
	text, not := strings.CutPrefix(text, "!")
	clean, err := cleanGlob(text)
	if err != nil {
		return pattern{}, err
	}
	if !not && !strings.ContainsAny(clean, `*?[{(\`) {
		return pattern{literal: clean, optionalSlash: !strings.HasSuffix(clean, "/")}, nil
	}
	p, err := compileGlob(clean)
	if not {
		p.re, p.unless = anyPath, p.re
	}
	return p, err
}

// compileFirebaseIgnore compiles a glob of the setting "ignore" in firebase.json. The pattern
// matches paths of files. As in firebase-tools, "a/**" also matches "a". A glob that begins with a
// slash matches no file there, so compileFirebaseIgnore returns an error for it.
func compileFirebaseIgnore(text string) (pattern, error) {
	if strings.HasPrefix(text, "/") {
		return pattern{}, errors.New("with a leading slash it matches no file, so Firebase deploys all files")
	}
	clean, err := cleanGlob(text)
	if err != nil {
		return pattern{}, err
	}
	return compileGlob(belowEnding.ReplaceAllString(strings.TrimSuffix(clean, "/"), "{,/**}"))
}

// belowEnding matches the end of a glob that matches all files below a folder.
var belowEnding = regexp.MustCompile(`(/\*\*)+$`)

// cleanGlob adds a leading slash to a glob, and resolves "." and ".." like path.Clean. It keeps a
// trailing slash: "./a/b/" becomes "/a/b/". It returns an error if text is empty, is too long or
// has too many wildcards.
func cleanGlob(text string) (string, error) {
	clean := path.Join("/", text)
	if strings.HasSuffix(text, "/") && clean != "/" {
		clean += "/"
	}
	return clean, checkPatternLength(text)
}

// braceRange matches the beginning of a range in braces, such as "{1.." in {1..3}.
var braceRange = regexp.MustCompile(`\{[^{},]*\.\.`)

// compileGlob compiles a glob such as "/img/**/*.@(jpg|png)" as a regular expression. The glob must
// begin with a slash, like a result of cleanGlob. It returns an error for ranges or too many
// choices in braces, for "!(…)", and for braces and parentheses that are not closed.
func compileGlob(text string) (pattern, error) {
	if braceRange.MatchString(text) {
		return pattern{}, errors.New("a range in braces is not followed; write its members with commas")
	}
	exprs := glob.ExpandBraces(text)
	if exprs == nil || len(strings.Join(exprs, "")) > maxPattern { // the regular expression needs 80 times the memory
		return pattern{}, errors.New("its braces are not closed, or have too many choices")
	}
	for i, choice := range exprs {
		expr, err := globExpr(choice)
		if err != nil {
			return pattern{}, err
		}
		exprs[i] = expr
	}
	return compileRegexp("^(?s:"+strings.Join(exprs, "|")+")$", nil)
}

// globToken matches an element of a glob: an escaped character, a class, the beginning of a group,
// stars with the slash before them, or any other character.
var globToken = regexp.MustCompile(`\\.|\[(?:\[:\w+:\]|\\.|[^\]\\])+\]|[@?+!]\(|/?\*+\(?|(?s:.)`)

// globExpr returns a regular expression for a glob without braces. The expression also matches a
// trailing slash, unless the glob ends in a slash. globExpr returns an error if the glob contains
// "!(" or a group that is not closed.
func globExpr(choice string) (string, error) {
	var expr strings.Builder
	var groups []string // the operator to write after each open group: "" for @(a|b), "?" for ?(a|b)
	for _, at := range globToken.FindAllStringIndex(choice, -1) {
		token, rest := choice[at[0]:at[1]], choice[at[1]:]
		endsSegment := rest == "" || strings.ContainsAny(rest[:1], "/|)")
		switch isGroup := len(groups) > 0; {
		case token == "!(":
			return "", errors.New("!(…) is not followed")
		case token == "/**" && strings.HasPrefix(rest, "/"):
			expr.WriteString("(?:/.*)?")
		case token == "/**" && endsSegment:
			expr.WriteString("/.*")
		case token == "/*" && endsSegment:
			expr.WriteString("/[^/]+")
		case token[0] == '\\' && len(token) > 1:
			expr.WriteString(regexp.QuoteMeta(token[1:]))
		case token[0] == '[' && len(token) > 1:
			expr.WriteString(strings.Replace(token, "[!", "[^/", 1))
		case token == "(": // not the beginning of a group
			expr.WriteString(`\(`)
		case strings.HasSuffix(token, "("):
			before := strings.TrimSuffix(strings.TrimRight(token, "@?+("), "*")
			expr.WriteString(strings.ReplaceAll(before, "*", "[^/]*") + "(?:")
			groups = append(groups, strings.Trim(token[len(before):], "@("))
		case strings.HasSuffix(token, "*"):
			expr.WriteString(strings.TrimRight(token, "*") + "[^/]*")
		case token == "?":
			expr.WriteString("[^/]")
		case isGroup && token == "|":
			expr.WriteString("|")
		case isGroup && token == ")":
			expr.WriteString(")" + groups[len(groups)-1])
			groups = groups[:len(groups)-1]
		default:
			expr.WriteString(regexp.QuoteMeta(token))
		}
	}
	if len(groups) > 0 {
		return "", errors.New("its parenthesis is not closed")
	}
	if !strings.HasSuffix(choice, "/") {
		expr.WriteString("/?")
	}
	return expr.String(), nil
}

// A firebaseServer serves files like Firebase Hosting. Its fields are the settings cleanUrls and
// trailingSlash.
// See src/middleware/files.js of superstatic.
type firebaseServer struct {
	clean bool
	slash *bool
}

// style returns the URL style of the site. With cleanUrls and without trailingSlash, Firebase
// serves a/index.html at both /a and /a/. In this case, the style is the one without a trailing
// slash.
func (f firebaseServer) style() (s mapping.Style) {
	if f.clean {
		s = mapping.Style{HTML: mapping.StripHTML, Slash: mapping.RemoveSlash}
	}
	switch {
	case f.slash == nil:
	case !*f.slash:
		s.Slash = mapping.RemoveSlash
	case f.clean:
		s.Slash = mapping.AddSlash
	}
	return s
}

// serve is a fileHandler.
func (f firebaseServer) serve(r request) (file, redirect string) {
	if file, _ = r.serveExact(); file != "" && !f.clean {
		return file, ""
	}
	file, _ = exactOrIndex(r)
	if file == "" && f.clean {
		file, _ = r.serveHTML()
	}
	redirect = f.style().URLPath(file)
	switch {
	case file == "", redirect == r.urlPath:
		return file, ""
	case f.clean && f.slash == nil && r.dir && r.hasIndex():
		return file, ""
	case f.clean && f.slash == nil && r.dir:
		return "", ""
	}
	return "", redirect
}

// findPublishingSite returns the index of the site in f whose folder is the publish directory. f
// has numSites sites, and siteDir(i) returns the folder of site i. If f has only one site, the
// result is always 0. The result is -1 if no site matches. If several sites exist and none matches,
// findPublishingSite also adds a finding. key is the name of the setting that contains the folder.
func (l *loader) findPublishingSite(f file, key string, numSites int, siteDir func(int) string) int {
	if numSites == 1 {
		return 0
	}
	for i := range numSites {
		if path.Join(filepath.ToSlash(l.RootName), cleanRelPath(siteDir(i))) == path.Clean(filepath.ToSlash(l.PublishName)) {
			return i
		}
	}
	if numSites > 0 {
		l.diags.Notef(f.pos(0), "undecidable-rule", "let "+strconv.Quote(key)+" of one of them name the folder",
			"none of its %d sites publishes %s; their rules are not used", numSites, l.PublishName)
	}
	return -1
}
