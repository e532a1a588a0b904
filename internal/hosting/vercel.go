package hosting

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
)

// vercelConfig is what vercel.json says of URLs. Rewrites are not in it: they
// are tried after the files, so no page is hidden by one.
// https://vercel.com/docs/project-configuration
type vercelConfig struct {
	CleanURLs bool             `yaml:"cleanUrls"`
	Slash     *bool            `yaml:"trailingSlash"`
	Redirects []vercelRedirect `yaml:"redirects"`
	Headers   []vercelHeaders  `yaml:"headers"`
	Routes    []vercelRoute    `yaml:"routes"`
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
	Headers []struct {
		Key   string               `yaml:"key"`
		Value strict.Value[string] `yaml:"value"`
	} `yaml:"headers"`
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
	Type string `yaml:"type"`
	Key  string `yaml:"key"`
}

// vercel reads vercel.json. Its rules come before the files, in the order of
// @vercel/routing-utils: routes, redirects, headers.
func (l *loader) vercel() {
	l.vercelCode()
	f, ok := l.fromRoot("vercel.json")
	if !ok {
		return
	}
	var c vercelConfig
	n, ds := strict.JSON(f.name, f.src)
	l.diags = append(l.diags, ds...)
	l.diags = append(l.diags, strict.Options{Lenient: true}.Decode(f.name, n, &c)...)
	hosts := new(vercelHosts)
	strict.Options{Lenient: true}.Decode(f.name, n, hosts) // a value may be an object, which is no mistake
	l.vercelStyle(&c)
	l.site.headers.last = true
	for i := range c.Routes {
		if c.Routes[i].Handle.V != "" {
			break // what follows is tried after the files
		}
		l.vercelRoute(f, &c.Routes[i], hosts.at(hosts.Routes, i))
	}
	for i := range c.Redirects {
		l.vercelRedirect(f, &c.Redirects[i], hosts.at(hosts.Redirects, i))
	}
	for i := range c.Headers {
		l.vercelHeaders(f, &c.Headers[i], hosts.at(hosts.Headers, i))
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
	s.handling, s.respell = h.serve, h.respell
}

func (l *loader) vercelRedirect(f file, c *vercelRedirect, values vercelValues) {
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
	if err != nil {
		l.badRule(rule.pos, rule.text, err)
		return
	}
	switch on, never := l.conditions(c.vercelConditions, values); {
	case never:
	case on != "":
		l.undecidable(rule, on)
	default:
		l.site.redirects.add(p, rule)
	}
}

func (l *loader) vercelHeaders(f file, c *vercelHeaders, values vercelValues) {
	var rules []header
	for _, h := range c.Headers {
		if strings.EqualFold(h.Key, robotsTag) {
			rules = []header{{pos: h.Value.Pos, value: h.Value.V}} // one object: a later key replaces an earlier
		}
	}
	if len(rules) == 0 {
		return
	}
	p, err := sourcePattern(c.Source.V)
	if err != nil {
		l.badRule(place(f, c.Source.Pos), c.Source.V, err)
		return
	}
	switch on, never := l.conditions(c.vercelConditions, values); {
	case never:
	case on != "":
		l.undecidableHeader(rules[0], on)
	default:
		l.site.headers.addBlock(p, rules)
	}
}

func (l *loader) undecidableHeader(h header, on string) {
	if noIndex(h.value) {
		l.diags.Notef(h.pos, "undecidable-rule", "exclude the pages by a rule of sitemap.yaml if no crawler may index them",
			"header %q depends on %s, which no file can tell; the pages stay in", robotsTag+": "+h.value, on)
	}
}

// vercelRoute takes an entry of "routes", whose src is a regular expression.
// https://vercel.com/docs/project-configuration#routes
func (l *loader) vercelRoute(f file, c *vercelRoute, values vercelValues) {
	rule := redirect{pos: place(f, c.Source.Pos), status: c.Status, to: c.Dest, force: true}
	var robots []header
	for name, v := range c.Headers {
		switch {
		case strings.EqualFold(name, "Location") && c.Status >= 300:
			rule.to = v.V
		case strings.EqualFold(name, robotsTag):
			robots = []header{{pos: v.Pos, value: v.V}}
		}
	}
	rule.text = ruleText(c.Source.V, rule.to, rule.status, false)
	p, err := routePattern(c.Source.V)
	if err != nil {
		l.badRule(rule.pos, rule.text, err)
		return
	}
	on, never := l.conditions(c.vercelConditions, values)
	switch {
	case never:
		return
	case on != "":
		l.undecidable(rule, on)
		return
	}
	l.site.headers.addBlock(p, robots)
	if c.Continue || rule.status == 0 && rule.to == "" {
		return
	}
	if rule.status == 0 {
		rule.status = 200
	}
	l.site.redirects.add(p, rule)
}

// routePattern compiles a src, which is anchored at both ends.
func routePattern(src string) (pattern, error) {
	if src == "" || len(src) > maxPattern {
		return pattern{}, fmt.Errorf("src must be a pattern of at most %d characters", maxPattern)
	}
	re, err := regexp.Compile("^(?:" + strings.TrimSuffix(strings.TrimPrefix(src, "^"), "$") + ")$")
	if err != nil {
		return pattern{}, fmt.Errorf("it cannot be matched in linear time: %w", err)
	}
	if n := re.NumSubexp(); n > maxWild {
		return pattern{}, fmt.Errorf("it has %d groups; more than %d are not followed", n, maxWild)
	}
	return pattern{re: re, names: re.SubexpNames()[1:]}, nil
}

// vercelHosts holds what the conditions of type host want, where they want a
// text.
type vercelHosts struct {
	Redirects []vercelValues `yaml:"redirects"`
	Headers   []vercelValues `yaml:"headers"`
	Routes    []vercelValues `yaml:"routes"`
}

type vercelValues struct {
	Has     []vercelValue `yaml:"has"`
	Missing []vercelValue `yaml:"missing"`
}

type vercelValue struct {
	Value string `yaml:"value"`
}

func (*vercelHosts) at(values []vercelValues, i int) vercelValues {
	if i < len(values) {
		return values[i]
	}
	return vercelValues{}
}

// conditions says what a rule depends on that no file can tell, and whether it
// can never apply to a page's own URL, which has no query.
func (l *loader) conditions(c vercelConditions, values vercelValues) (on string, never bool) {
	var open []string
	for i, cond := range c.Has {
		switch holds, known := l.condition(cond, values.Has, i); {
		case !known:
			open = append(open, strings.TrimSpace(cond.Type+" "+cond.Key))
		case !holds:
			return "", true
		}
	}
	for i, cond := range c.Missing {
		switch holds, known := l.condition(cond, values.Missing, i); {
		case !known:
			open = append(open, "no "+strings.TrimSpace(cond.Type+" "+cond.Key))
		case holds:
			return "", true
		}
	}
	return strings.Join(open, ", "), false
}

// condition reports whether a condition holds for the site's own URLs.
func (l *loader) condition(c vercelCondition, values []vercelValue, i int) (holds, known bool) {
	switch {
	case c.Type == "query":
		return false, true
	case c.Type != "host" || l.Base.Host() == "" || i >= len(values) || values[i].Value == "":
		return false, false
	}
	re, err := regexp.Compile("^(?:" + values[i].Value + ")$")
	return err == nil && re.MatchString(l.Base.Host()), err == nil
}

// github reads CNAME, which names the custom domain of a site that is
// published from a branch.
// https://docs.github.com/pages/configuring-a-custom-domain-for-your-github-pages-site
func (l *loader) github() {
	f, ok := l.fromPublish("CNAME")
	if !ok {
		return
	}
	domain := strings.TrimSpace(string(f.src))
	base, err := mapping.ParseBase("https://" + domain)
	pos := diag.Pos{File: f.name, Line: 1}
	switch {
	case err != nil || strings.ContainsAny(domain, "/\n"):
		l.diags.Warnf(pos, "bad-cname", "write one domain and nothing else, such as www.example.com", "%q is no domain", shortened(domain))
	case l.Base.Host() != "" && base.Host() != l.Base.Host():
		l.diags.Warnf(pos, "cname-mismatch", "let base_url and CNAME name the same domain",
			"the site is published at %s, but the base URL is %s", base.Host(), l.Base)
	}
}
