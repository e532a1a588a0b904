package hosting

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
)

// vercelConfig contains the settings in vercel.json that change URLs or name folders. It does not
// contain rewrites, because files take precedence over rewrites.
//
// See https://vercel.com/docs/project-configuration
type vercelConfig struct {
	Output    strict.Value[string] `yaml:"outputDirectory"`
	CleanURLs bool                 `yaml:"cleanUrls"`
	Slash     *bool                `yaml:"trailingSlash"`
	Redirects []vercelRule         `yaml:"redirects"`
	Headers   []vercelRule         `yaml:"headers"`
	Routes    []vercelRule         `yaml:"routes"`
}

// A vercelRule is an item of "redirects", "headers" or "routes" in vercel.json, or of "routes" in
// config.json of the Build Output API. Routes are the older form of redirects and headers.
type vercelRule struct {
	Source    strict.Value[string] `yaml:"source"`
	To        string               `yaml:"destination"`
	Permanent *bool                `yaml:"permanent"`
	Code      int                  `yaml:"statusCode"`
	Headers   vercelHeaders        `yaml:"headers"`
	Has       []vercelCondition    `yaml:"has"`
	Missing   []vercelCondition    `yaml:"missing"`

	// The fields below occur only in items of "routes".
	Src      strict.Value[string] `yaml:"src"`
	Dest     string               `yaml:"dest"`
	Status   int                  `yaml:"status"`
	Continue bool                 `yaml:"continue"`
	Handle   strict.Value[string] `yaml:"handle"`
}

// A vercelCondition is an item of "has" or "missing", which are conditions on the request.
type vercelCondition struct {
	Type  string    `yaml:"type"`  // "header", "cookie", "host" or "query"
	Key   string    `yaml:"key"`   // name of the header, cookie or query parameter
	Value yaml.Node `yaml:"value"` // a regular expression, or a map
}

// vercelHeaders contains two headers of a rule: X-Robots-Tag, and Location, which is the target of
// a route that redirects.
type vercelHeaders struct {
	robotsTag
	location string
}

// DecodeNode implements strict.Custom. It decodes n, the headers of a rule, and keeps only
// X-Robots-Tag and Location.
func (v *vercelHeaders) DecodeNode(d *strict.Decoder, n *yaml.Node) bool {
	if n.Kind == yaml.MappingNode {
		d.ForEachEntry(n, func(name string, value *yaml.Node) {
			if strings.EqualFold(name, "Location") {
				d.Decode(value, &v.location)
			}
		})
	}
	return v.robotsTag.DecodeNode(d, n)
}

// readVercel reads vercel.json. If the publish directory was written by a build for the Build
// Output API, it reads the config.json of the build instead. In vercel.json, routes come first,
// then redirects, then headers, as in @vercel/routing-utils. All of them take precedence over
// files. readVercel ignores routes after a "handle", because files take precedence over them.
func (l *loader) readVercel() {
	l.host.sendsLastHeaderOnly = true
	if l.publishesBuildOutput() {
		if f, ok := l.openFile(l.Root, l.RootName, outputDir+"/config.json", maxFile); ok {
			l.readBuildOutput(f)
			return
		}
	}
	l.reportMiddleware()
	var c vercelConfig
	f := l.decodeFirst(&c, "vercel.json")
	l.setVercelStyle(&c)
	for _, r := range c.Routes {
		if r.Handle.V != "" {
			break // files take precedence over the routes after a handle
		}
		if rule, err := l.addVercelRoute(f, &r, true); err != nil {
			l.reportBadRule(rule.pos, rule.text, err)
		}
	}
	for _, r := range c.Redirects {
		l.addVercelRedirect(f, &r)
	}
	for _, r := range c.Headers {
		tag := r.Headers
		if condition, never := l.evalConditions(&r); condition != "" && !never {
			l.reportUndecidableHeader(tag.Pos, tag.V, condition)
		} else if !never {
			p, err := compileVercelSource(r.Source.V)
			l.addHeaderRule(f, tag.robotsTag, r.Source, p, err)
		}
	}
}

// setVercelStyle sets the URL style and the file handler of l.host for the settings cleanUrls and
// trailingSlash. For a static export of Next.js, Vercel removes .html from URLs. If trailingSlash
// is not set, Vercel redirects the URLs of the export to the ending that Next.js uses.
// See packages/next/src/index.ts of github.com/vercel/vercel.
func (l *loader) setVercelStyle(c *vercelConfig) {
	h := l.host
	isExport := l.NextEnding != mapping.NoEnding
	v := vercelServer{clean: c.CleanURLs, export: isExport && !c.CleanURLs}
	if isExport || c.CleanURLs {
		h.style.HTML = mapping.StripHTML
	}
	switch {
	case c.Slash != nil:
		v.slash, v.noSlash = *c.Slash, !*c.Slash
	case isExport:
		v.slash, v.noSlash = l.NextEnding == mapping.Slashed, l.NextEnding == mapping.Bare
	}
	switch {
	case v.slash:
		h.style.Slash = mapping.AddSlashUnlessExt
	case v.noSlash:
		h.style.Slash = mapping.RemoveSlash
	}
	h.handler = v.serve
}

// addVercelRedirect adds a rule for c, an item of "redirects" in the file f. If the redirect is
// invalid or depends on the request, addVercelRedirect adds a finding instead. It ignores a
// redirect with a condition that is always false.
func (l *loader) addVercelRedirect(f file, c *vercelRule) {
	code, pos := cmp.Or(c.Code, 308), firstPos(f, c.Source.Pos)
	switch {
	case c.Permanent != nil && c.Code != 0:
		l.reportBadRule(pos, c.Source.V, "it has both permanent and statusCode")
		return
	case c.Permanent != nil && !*c.Permanent:
		code = 307
	}
	r := rule{pos: pos, text: ruleText(c.Source.V, c.To, code, false), to: c.To, status: code, force: true}
	p, err := compileVercelSource(c.Source.V)
	condition, never := l.evalConditions(c)
	switch {
	case never && err == nil:
	case condition != "" && err == nil:
		l.reportUndecidableRule(r, condition)
	default:
		l.addRedirectRule(r, p, err)
	}
}

// addVercelRoute adds a rule for c, an item of "routes" in the file f. force means that the route
// takes precedence over files. addVercelRoute ignores routes that neither answer nor send
// X-Robots-Tag, and routes with a condition that is always false. It adds a finding if the route
// depends on the request. It returns an error if the pattern of the route is invalid. Even then, r
// has the position and text of the route.
//
// See https://vercel.com/docs/project-configuration#routes
func (l *loader) addVercelRoute(f file, c *vercelRule, force bool) (r rule, err error) {
	r = rule{pos: firstPos(f, c.Src.Pos), status: cmp.Or(c.Status, 200), to: c.Dest, force: force}
	if c.Status >= 300 {
		r.to = cmp.Or(c.Headers.location, r.to)
	}
	r.text = ruleText(c.Src.V, r.to, c.Status, false)
	answers := !c.Continue && (c.Status != 0 || r.to != "")
	if !c.Headers.IsSet() && !answers {
		return r, nil
	}
	if c.Src.V == "" || len(c.Src.V) > maxPattern {
		return r, fmt.Errorf("src must be a pattern of at most %d characters", maxPattern)
	}
	p, err := compileAnchored(strings.TrimSuffix(strings.TrimPrefix(c.Src.V, "^"), "$"), nil)
	if err != nil {
		return r, err
	}
	p.names = p.re.SubexpNames()
	switch condition, never := l.evalConditions(c); {
	case never:
		return r, nil
	case condition != "":
		l.reportUndecidableHeader(c.Headers.Pos, c.Headers.V, condition)
		if answers {
			l.reportUndecidableRule(r, condition)
		}
		return r, nil
	}
	l.addHeaderRule(f, c.Headers.robotsTag, c.Src, p, nil)
	if answers {
		l.host.redirects.add(p, r)
	}
	return r, nil
}

// evalConditions evaluates the conditions of the rule c for URLs of pages, which have no query.
// undecided lists the conditions that depend on the request: "cookie session, no header X-A". never
// is true if a condition is always false.
func (l *loader) evalConditions(c *vercelRule) (undecided string, never bool) {
	var dependent []string
	for i, cond := range slices.Concat(c.Has, c.Missing) {
		want, text := true, strings.TrimSpace(cond.Type+" "+cond.Key)
		if i >= len(c.Has) {
			want, text = false, "no "+text
		}
		switch holds, sure := l.evalCondition(cond); {
		case !sure:
			dependent = append(dependent, text)
		case holds != want:
			return "", true
		}
	}
	return strings.Join(dependent, ", "), false
}

// evalCondition reports whether the condition c holds for URLs of the site. decided is false if
// that depends on the request, or if the base URL is unknown or c is invalid.
func (l *loader) evalCondition(c vercelCondition) (holds, decided bool) {
	switch {
	case c.Type == "query", c.Type == "header" && strings.EqualFold(c.Key, "x-nextjs-data"): // only scripts of Next.js send this header
		return false, true
	case c.Type != "host" || l.Base.Host() == "" || c.Value.Value == "":
		return false, false
	}
	re, err := regexp.Compile("^(?:" + c.Value.Value + ")$")
	return err == nil && re.MatchString(l.Base.Host()), err == nil
}

// sourceToken matches a parameter in a source of vercel.json: ":name", "(pattern)" or both. The
// match includes a slash or dot before the parameter, and a modifier after it. sourceToken also
// matches an escaped character, and a single character with a special meaning.
var sourceToken = regexp.MustCompile(`([/.]?)(?::(\w+)(\((?:\\.|\[[^\]]*\]|\(\?(?:\\.|[^()\\])*\)|[^()\\])+\))?|(\((?:\\.|\[[^\]]*\]|\(\?(?:\\.|[^()\\])*\)|[^()\\])+\)))([*+?]?)|\\(?s:.)|\}[*+?]?|[\\{}:()*+?]`)

// compileVercelSource compiles a "source" of vercel.json in the syntax of path-to-regexp 6.1. Its
// elements are names such as :slug, patterns such as (\\d+) and :id(\\d+), groups such as
// {/:lang}?, and the modifiers ?, + and *. A lookaround is an error, except a negative lookahead
// after literal text.
func compileVercelSource(source string) (pattern, error) {
	if err := checkPathPattern(source); err != nil {
		return pattern{}, err
	}
	var expr strings.Builder
	names := []string{""}
	from, groups := 0, 0
	text := func(s string) { expr.WriteString(regexp.QuoteMeta(decodePath(s))) }
	tokens := sourceToken.FindAllStringSubmatchIndex(source, -1)
	if tokens == nil {
		return pattern{literal: decodePath(source)}, nil
	}
	for _, at := range tokens {
		text(source[from:at[0]])
		from = at[1]
		part := func(group int) string {
			if at[2*group] < 0 {
				return ""
			}
			return source[at[2*group]:at[2*group+1]]
		}
		switch token := part(0); {
		case part(2)+part(4) != "":
			names = append(names, cmp.Or(part(2), "-")) // no target can name a pattern, only number it
			value := "[^/]+?"
			if group := cmp.Or(part(3), part(4)); group != "" {
				value = group[1 : len(group)-1]
			}
			expr.WriteString(paramExpr(part(1), value, part(5)))
		case token[0] == '\\' && len(token) > 1:
			text(token[1:])
		case token == "{":
			groups++
			expr.WriteString("(?:")
		case token[0] == '}' && groups > 0:
			groups--
			expr.WriteString(")" + token[1:])
		default:
			return pattern{}, fmt.Errorf("%q has no meaning there, or its pattern is empty, is not closed or has capturing groups; write (?:…)", token)
		}
	}
	if groups > 0 {
		return pattern{}, errors.New("a { is not closed")
	}
	text(source[from:])
	return compileAnchored(expr.String(), names)
}

// paramExpr returns the regular expression of a parameter, as path-to-regexp does. before is the
// slash or dot before the parameter, value is the expression for its value, and modifier is "",
// "?", "+" or "*". For "/", "[a-z]+" and "?", the result is "(?:/([a-z]+))?".
func paramExpr(before, value, modifier string) string {
	before = regexp.QuoteMeta(before)
	switch {
	case modifier == "":
		return before + "(" + value + ")"
	case before == "":
		return "(" + value + ")" + modifier
	case modifier == "?":
		return "(?:" + before + "(" + value + "))?"
	}
	expr := fmt.Sprintf("(?:%s((?:%s)(?:%s(?:%s))*))", before, value, before, value)
	if modifier == "*" {
		expr += "?"
	}
	return expr
}

// lookahead matches a regular expression with a negative lookahead, such as "/a/(?!b).*". Only
// literal text and opening parentheses may precede the lookahead.
var lookahead = regexp.MustCompile(`^((?:[^\\()\[\]{}?*+|^$.]|\\\W|\((?:\?:|\?<\w+>)?)*)\(\?!((?:\\.|[^()\\]|\((?:\\.|[^()\\])*\))*)\)([^|]*)$`)

// compileAnchored is like compileRegexp for an expression that must match the whole path. The
// expression may have a negative lookahead after literal text.
func compileAnchored(expr string, names []string) (pattern, error) {
	unless := ""
	if m := lookahead.FindStringSubmatch(expr); m != nil {
		expr = m[1] + m[3]
		unless = regexp.MustCompile(`\((\?:|\?<\w+>)?`).ReplaceAllString(m[1], "") + "(?:" + m[2] + ")"
	}
	p, err := compileRegexp("^(?:"+expr+")$", names)
	if err == nil && unless != "" {
		p.unless, err = regexp.Compile("^(?:" + unless + ")")
	}
	return p, err
}

// reportMiddleware adds a finding if the project has middleware, which is code that Vercel runs
// before it serves files.
//
// See https://vercel.com/docs/routing-middleware
func (l *loader) reportMiddleware() {
	for _, name := range []string{"middleware.ts", "middleware.js", "middleware.mjs", "src/middleware.ts", "src/middleware.js"} {
		if isFile(l.Root, name) {
			l.reportServerCode(diag.Pos{File: path.Join(l.RootName, name)}, name, "every address that its matcher names")
			return
		}
	}
}

// vercelPublishDir returns the setting outputDirectory of vercel.json. If it is not set, and a
// build for the Build Output API exists, the result is the static folder of that build. If there is
// no build either, the result is the zero Value.
func (l *loader) vercelPublishDir() strict.Value[string] {
	var c vercelConfig
	l.decodeFirst(&c, "vercel.json")
	if name := outputDir + "/config.json"; c.Output.V == "" && isFile(l.Root, name) {
		return strict.Value[string]{V: outputDir + "/static", Pos: diag.Pos{File: path.Join(l.RootName, name)}}
	}
	return c.Output
}

// outputDir is the folder that a build for Vercel's Build Output API writes.
const outputDir = ".vercel/output"

// publishesBuildOutput reports whether the publish directory is the static folder of a build for
// the Build Output API.
func (l *loader) publishesBuildOutput() bool {
	return path.Join(filepath.ToSlash(l.RootName), outputDir, "static") == path.Clean(filepath.ToSlash(l.PublishName))
}

// readBuildOutput reads f, the config.json of the Build Output API. A route such as {"handle":
// "filesystem"} begins a new phase. Routes before the first such route take precedence over files.
// Routes after "handle: hit" only add headers. Routes after "handle: error" are ignored. Files take
// precedence over all other routes.
//
// See https://vercel.com/docs/build-output-api/configuration
func (l *loader) readBuildOutput(f file) {
	var c struct {
		Routes    []vercelRule `yaml:"routes"`
		Overrides map[string]struct {
			Path string `yaml:"path"`
		} `yaml:"overrides"`
	}
	l.decode(f, &c)
	h := l.host
	var skips []diag.Pos // positions of routes that cannot be compiled
	phase := ""
	for i := range c.Routes {
		r := &c.Routes[i]
		if r.Handle.V != "" {
			phase = r.Handle.V
			continue
		}
		if phase == "error" {
			continue
		}
		r.Continue = r.Continue || phase == "hit"
		if rule, err := l.addVercelRoute(f, r, phase == ""); err != nil {
			skips = append(skips, rule.pos)
		}
	}
	if len(skips) > 0 {
		l.diags.Notef(skips[0], "undecidable-rule", "exclude the pages by a rule of sitemap.yaml if no crawler can reach them",
			"%d of its routes cannot be matched in linear time and are not followed; the pages stay listed", len(skips))
	}
	files := outputFiles{at: map[string]string{}, elsewhere: map[string]bool{}}
	for file, o := range c.Overrides {
		if o.Path == "" || o.Path == file {
			continue
		}
		files.at[strings.TrimPrefix(o.Path, "/")], files.elsewhere[file] = file, true
		if strings.HasSuffix(file, ".html") && !endsInIndex(strings.TrimSuffix(file, ".html")) {
			h.style.HTML = mapping.StripHTML
		}
	}
	h.handler = files.serve
}

// outputFiles contains the setting "overrides" of the Build Output API: the files that Vercel
// serves at other paths than their own, such as about.html at /about.
type outputFiles struct {
	at        map[string]string // file by the path at which it is served
	elsewhere map[string]bool   // files that are served at another path than their own
}

// serve is a fileHandler.
func (o outputFiles) serve(r request) (file, redirect string) {
	names := []string{r.path, path.Join(r.path, "index"), path.Join(r.path, "index.html")}
	if r.dir {
		names = append(names[1:], r.path)
	}
	for _, name := range names {
		if file := o.at[name]; file != "" && r.exists(file) {
			return file, ""
		}
		if exact := name == r.path; !o.elsewhere[name] && name != "" && (!exact || !r.dir) && (exact || strings.HasSuffix(name, ".html")) && r.exists(name) {
			return name, ""
		}
	}
	return "", ""
}
