package hosting

import (
	"cmp"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
)

// vercelConfig is what vercel.json says of URLs. Rewrites are not in it: they
// are tried after the files, so no page is hidden by one.
// https://vercel.com/docs/project-configuration
type vercelConfig struct {
	Output    strict.Value[string] `yaml:"outputDirectory"`
	CleanURLs bool                 `yaml:"cleanUrls"`
	Slash     *bool                `yaml:"trailingSlash"`
	Redirects []vercelRedirect     `yaml:"redirects"`
	Headers   []vercelHeaders      `yaml:"headers"`
	Routes    []vercelRoute        `yaml:"routes"`
}

type vercelRedirect struct {
	Source    strict.Value[string] `yaml:"source"`
	To        string               `yaml:"destination"`
	Permanent *bool                `yaml:"permanent"`
	Status    int                  `yaml:"statusCode"`
	vercelConditions
}

type vercelHeaders struct {
	Source  strict.Value[string] `yaml:"source"`
	Headers []keyedHeader        `yaml:"headers"`
	vercelConditions
}

// A vercelRoute is the older form of all of these.
type vercelRoute struct {
	Source   strict.Value[string]            `yaml:"src"`
	Dest     string                          `yaml:"dest"`
	Status   int                             `yaml:"status"`
	Headers  map[string]strict.Value[string] `yaml:"headers"`
	Continue bool                            `yaml:"continue"`
	Handle   strict.Value[string]            `yaml:"handle"`
	vercelConditions
}

type vercelConditions struct {
	Has     []vercelCondition `yaml:"has"`
	Missing []vercelCondition `yaml:"missing"`
}

type vercelCondition struct {
	Type  string    `yaml:"type"`
	Key   string    `yaml:"key"`
	Value yaml.Node `yaml:"value"` // a text, or more than that
}

// maxVercelRoutes is Vercel's own limit of routes, redirects and headers.
// https://vercel.com/docs/project-configuration
const maxVercelRoutes = 2048

// vercel reads vercel.json. Its rules come before the files, in the order of
// @vercel/routing-utils: routes, redirects, headers.
func (l *loader) vercel() {
	if f, ok := l.buildOutput(); ok {
		l.vercelOutput(f)
		return
	}
	l.vercelCode()
	var c vercelConfig
	f := l.read(&c, "vercel.json")
	l.vercelStyle(&c)
	l.site.headers.last = true
	for i := range firstRules(l, f, c.Routes, maxVercelRoutes) {
		if c.Routes[i].Handle.V != "" {
			break // what follows is tried after the files
		}
		if rule, err := l.vercelRoute(f, &c.Routes[i], true); err != nil {
			l.badRule(rule.pos, rule.text, err)
		}
	}
	for i := range firstRules(l, f, c.Redirects, maxVercelRoutes) {
		l.vercelRedirect(f, &c.Redirects[i])
	}
	for i := range firstRules(l, f, c.Headers, maxVercelRoutes) {
		l.vercelHeaders(f, &c.Headers[i])
	}
}

// vercelStyle sets how files are served.
func (l *loader) vercelStyle(c *vercelConfig) {
	s := l.site
	if c.CleanURLs {
		s.style.HTML = mapping.StripHTML
	}
	h := vercelServer{clean: c.CleanURLs}
	if c.Slash != nil {
		h.slash, h.noSlash = *c.Slash, !*c.Slash
	}
	switch {
	case h.slash:
		s.style.Slash = mapping.AddSlashName
	case h.noSlash:
		s.style.Slash = mapping.RemoveSlash
	}
	s.handling = h.serve
}

func (l *loader) vercelRedirect(f file, c *vercelRedirect) {
	code, pos := 308, place(f, c.Source.Pos)
	switch {
	case c.Permanent != nil && c.Status != 0:
		l.badRule(pos, c.Source.V, "it has both permanent and statusCode")
		return
	case c.Permanent != nil && !*c.Permanent:
		code = 307
	case c.Status != 0:
		code = c.Status
	}
	rule := redirect{pos: pos, text: ruleText(c.Source.V, c.To, code, false), to: c.To, status: code, force: true}
	p, err := sourcePattern(c.Source.V)
	if err != nil || l.holds(c.vercelConditions, func(on string) { l.undecidable(rule, on) }) {
		l.addRedirect(rule, p, err)
	}
}

func (l *loader) vercelHeaders(f file, c *vercelHeaders) {
	tag, ok := lastTag(c.Headers)
	if ok && l.holds(c.vercelConditions, func(on string) { l.undecidableHeader(tag, on) }) {
		l.robotsTag(f, c.Headers, c.Source, sourcePattern)
	}
}

func (l *loader) undecidableHeader(h header, on string) {
	if noIndex(h.value) {
		l.diags.Notef(h.pos, "undecidable-rule", "exclude the pages by a rule of sitemap.yaml if no crawler may index them",
			"header %q depends on %s, which is known only at the request; the pages stay in", robotsTag+": "+h.value, on)
	}
}

// vercelRoute takes an entry of "routes", whose src is a regular expression; force
// is for those that are tried before the files. The error is of a src that is not
// followed, where the route would decide over a page.
// https://vercel.com/docs/project-configuration#routes
func (l *loader) vercelRoute(f file, c *vercelRoute, force bool) (rule redirect, err error) {
	rule = redirect{pos: place(f, c.Source.Pos), status: c.Status, to: c.Dest, force: force}
	if to, ok := byName(c.Headers, "Location"); ok && c.Status >= 300 {
		rule.to = to.V
	}
	rule.text = ruleText(c.Source.V, rule.to, rule.status, false)
	tag, hasTag := byName(c.Headers, robotsTag)
	answers := !c.Continue && (rule.status != 0 || rule.to != "")
	if !hasTag && !answers {
		return rule, nil
	}
	p, err := routePattern(c.Source.V)
	if err != nil || !l.holds(c.vercelConditions, func(on string) { l.undecidable(rule, on) }) {
		return rule, err
	}
	if hasTag {
		l.site.headers.add(p, header{pos: tag.Pos, value: tag.V})
	}
	if answers {
		rule.status = cmp.Or(rule.status, 200)
		l.site.redirects.add(p, rule)
	}
	return rule, nil
}

// routePattern compiles a src, which is anchored at both ends.
func routePattern(src string) (pattern, error) {
	if src == "" || len(src) > maxPattern {
		return pattern{}, fmt.Errorf("src must be a pattern of at most %d characters", maxPattern)
	}
	p, err := wholePattern(strings.TrimSuffix(strings.TrimPrefix(src, "^"), "$"), nil)
	if err == nil {
		p.names = p.expr.names
	}
	return p, err
}

// wholePattern is compile for the whole of a path, by an expression that may begin with
// a negative lookahead.
func wholePattern(expr string, names []string) (pattern, error) {
	expr, unless := withoutLookahead(expr)
	p, err := compile("^(?:"+expr+")$", names)
	if err == nil && unless != "" {
		p.unless, err = regexp.Compile("^(?:" + unless + ")")
	}
	return p, err
}

// firstLookahead finds a negative lookahead that nothing but literal text and
// opening parentheses stand before.
var firstLookahead = regexp.MustCompile(`^((?:[^\\()\[\]{}?*+|^$.]|\\\W|\((?:\?:|\?<\w+>)?)*)\(\?!`)

// withoutLookahead takes such a lookahead out of an expression and returns what
// must not begin a path then. Where the groups around it have alternatives or may
// repeat, it stays.
func withoutLookahead(expr string) (rest, unless string) {
	m := firstLookahead.FindStringSubmatch(expr)
	if m == nil {
		return expr, ""
	}
	ahead := expr[len(m[1]):]
	end := groupEnd(ahead)
	if end < 0 || branches(ahead[end+1:]) {
		return expr, ""
	}
	before := regexp.MustCompile(`\((\?:|\?<\w+>)?`).ReplaceAllString(m[1], "")
	return m[1] + ahead[end+1:], before + "(?:" + ahead[len("(?!"):end] + ")"
}

// nesting yields where each byte of an expression stands that is neither escaped
// nor in a class, and in how many groups, the one that it opens counted and the one
// that it closes not.
func nesting(s string) iter.Seq2[int, int] {
	return func(yield func(at, depth int) bool) {
		depth := 0
		for i := 0; i < len(s); i++ {
			switch s[i] {
			case '\\':
				i++
				continue
			case '[':
				i += max(strings.IndexByte(s[i:], ']'), 0)
				continue
			case '(':
				depth++
			case ')':
				depth--
			}
			if !yield(i, depth) {
				return
			}
		}
	}
}

// groupEnd returns where the parenthesis that s begins with is closed, or -1.
func groupEnd(s string) int {
	for i, depth := range nesting(s) {
		if depth == 0 {
			return i
		}
	}
	return -1
}

// branches reports whether an expression has a | outside of groups that are opened
// in it, or ends a group that was opened before it and may repeat or be left out.
func branches(s string) bool {
	for i, depth := range nesting(s) {
		if s[i] == '|' && depth <= 0 || s[i] == ')' && depth < 0 && strings.ContainsAny(s[i+1:min(i+2, len(s))], "*+?{") {
			return true
		}
	}
	return false
}

// holds reports whether a rule holds for all who ask for a page's own URL, which has no
// query. What a rule depends on that no file can tell is passed on.
func (l *loader) holds(c vercelConditions, depends func(on string)) bool {
	var asks []string // what decides
	for i, cond := range slices.Concat(c.Has, c.Missing) {
		want, text := true, strings.TrimSpace(cond.Type+" "+cond.Key)
		if i >= len(c.Has) {
			want, text = false, "no "+text
		}
		switch holds, sure := l.condition(cond); {
		case !sure:
			asks = append(asks, text)
		case holds != want:
			return false
		}
	}
	if len(asks) > 0 {
		depends(strings.Join(asks, ", "))
	}
	return len(asks) == 0
}

// condition reports whether a condition holds for the site's own URLs.
func (l *loader) condition(c vercelCondition) (holds, sure bool) {
	switch {
	case c.Type == "query", c.Type == "header" && strings.EqualFold(c.Key, "x-nextjs-data"): // which Next's own scripts send alone
		return false, true
	case c.Type != "host" || l.Base.Host() == "" || c.Value.Value == "":
		return false, false
	}
	re, err := regexp.Compile("^(?:" + c.Value.Value + ")$")
	return err == nil && re.MatchString(l.Base.Host()), err == nil
}

// github reads CNAME, which names the custom domain of a site that is
// published from a branch.
// https://docs.github.com/pages/configuring-a-custom-domain-for-your-github-pages-site
func (l *loader) github() {
	f, ok := l.open(l.Publish, l.PublishName, domainFile, maxDomain)
	if !ok {
		return
	}
	domain := strings.TrimSpace(string(f.src))
	base, err := mapping.ParseBase("https://" + domain)
	pos := diag.Pos{File: f.name, Line: 1}
	switch {
	case err != nil || strings.ContainsAny(domain, "/\n"):
		l.diags.Warnf(pos, "bad-cname", "write one domain and nothing else, such as www.example.com", "%q is not a domain", clip(domain))
	case l.Base.Host() != "" && base.Host() != l.Base.Host():
		l.diags.Warnf(pos, "cname-mismatch", "let base_url and CNAME name the same domain",
			"the site is published at %s, but the base URL is %s", base.Host(), l.Base)
	}
}
