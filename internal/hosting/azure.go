package hosting

import (
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
)

// maxAzure is how long a staticwebapp.config.json may be.
// https://learn.microsoft.com/azure/static-web-apps/configuration#restrictions
const maxAzure = 20 << 10

// azureConfig is what staticwebapp.config.json says of URLs.
// https://learn.microsoft.com/azure/static-web-apps/configuration
type azureConfig struct {
	Slash    strict.Value[string]            `yaml:"trailingSlash"`
	Routes   []azureRoute                    `yaml:"routes"`
	Headers  map[string]strict.Value[string] `yaml:"globalHeaders"`
	Fallback struct {
		Rewrite strict.Value[string]   `yaml:"rewrite"`
		Exclude []strict.Value[string] `yaml:"exclude"`
	} `yaml:"navigationFallback"`
}

type azureRoute struct {
	Route    strict.Value[string]            `yaml:"route"`
	Methods  []string                        `yaml:"methods"`
	Redirect string                          `yaml:"redirect"`
	Rewrite  string                          `yaml:"rewrite"`
	Status   int                             `yaml:"statusCode"`
	Roles    []string                        `yaml:"allowedRoles"`
	Headers  map[string]strict.Value[string] `yaml:"headers"`
}

// azure reads staticwebapp.config.json, which a build leaves in the publish
// directory. Of its routes only the first that matches counts.
func (l *loader) azure() {
	s := l.site
	s.filesFirst, s.headers.last = true, true
	f, ok := l.fromPublish("staticwebapp.config.json")
	if !ok {
		f, ok = l.fromRoot("staticwebapp.config.json")
	}
	if !ok {
		return
	}
	if len(f.src) > maxAzure {
		l.diags.Warnf(f.pos(0), "oversized", "keep it shorter", "it has %d bytes, and Azure reads no file of more than %d", len(f.src), maxAzure)
		return
	}
	var c azureConfig
	l.decode(f, &c)
	l.azureSlash(c.Slash)
	var patterns []pattern
	for i := range c.Routes {
		p, err := l.azureRoute(f, &c.Routes[i])
		if err != nil {
			l.badRule(place(f, c.Routes[i].Route.Pos), c.Routes[i].Route.V, err)
			c.Routes[i].Methods = []string{"none"}
		}
		patterns = append(patterns, p)
	}
	l.azureHeaders(&c, patterns)
	l.azureFallback(f, &c)
}

// azureSlash sets how files are served.
// https://learn.microsoft.com/azure/static-web-apps/configuration#trailing-slash
func (l *loader) azureSlash(c strict.Value[string]) {
	s := l.site
	switch c.V {
	case "":
		return
	case "always":
		s.style.Slash = mapping.AddSlash
	case "never":
		s.style.Slash = mapping.RemoveSlash
	case "auto":
	default:
		l.diags.Warnf(c.Pos, "bad-host-setting", "write always, never or auto",
			"trailingSlash %q is unknown to Azure Static Web Apps, and not used", c.V)
		return
	}
	s.style.HTML = mapping.StripHTML
	s.handling = s.ownAddress
}

// azureRoute adds what a route answers, and returns its pattern.
func (l *loader) azureRoute(f file, c *azureRoute) (pattern, error) {
	p, err := azurePattern(c.Route.V)
	if err != nil || !c.gets() {
		return p, err
	}
	rule := redirect{pos: place(f, c.Route.Pos), to: c.Redirect, status: c.Status, force: true}
	switch {
	case c.Redirect != "" && c.Rewrite != "":
		return p, errors.New("it has both redirect and rewrite")
	case len(c.Roles) > 0 && !slices.ContainsFunc(c.Roles, func(r string) bool { return strings.EqualFold(r, "anonymous") }):
		rule.status, rule.to = http.StatusUnauthorized, ""
	case c.Redirect != "":
		if rule.status != http.StatusMovedPermanently {
			rule.status = http.StatusFound
		}
	case rule.status >= 400:
	case c.Rewrite != "":
		rule.status = http.StatusOK
	default:
		rule.passes = true // headers alone
	}
	rule.text = ruleText(c.Route.V, rule.to, rule.status, false)
	l.site.redirects.add(p, rule)
	return p, nil
}

// gets reports whether the route is for reading a page.
func (c *azureRoute) gets() bool { return len(c.Methods) == 0 || slices.Contains(c.Methods, "GET") }

// azureHeaders adds the headers. That of the first route that matches overrides
// the global one, and an empty one takes it away; since the last rule holds, the
// routes are added from the end.
func (l *loader) azureHeaders(c *azureConfig, patterns []pattern) {
	add := func(p pattern, tag strict.Value[string]) {
		l.site.headers.add(p, header{pos: tag.Pos, value: tag.V, unset: tag.V == ""})
	}
	global, all := byName(c.Headers, robotsTag)
	if all {
		add(everything(""), global)
	}
	for i := len(c.Routes) - 1; i >= 0; i-- {
		tag, own := byName(c.Routes[i].Headers, robotsTag)
		if !own {
			tag = global
		}
		if c.Routes[i].gets() {
			add(patterns[i], tag)
		}
	}
}

// azureFallback is what is answered where there is no file.
func (l *loader) azureFallback(f file, c *azureConfig) {
	if c.Fallback.Rewrite.V == "" {
		return
	}
	for _, exclude := range c.Fallback.Exclude {
		p, err := azurePattern(exclude.V)
		if err != nil {
			l.badRule(exclude.Pos, exclude.V, err)
			continue
		}
		l.site.redirects.add(p, redirect{pos: exclude.Pos, text: "navigationFallback exclude " + exclude.V, status: http.StatusNotFound})
	}
	l.site.redirects.add(everything(""), redirect{
		pos: place(f, c.Fallback.Rewrite.Pos), text: "navigationFallback " + c.Fallback.Rewrite.V, status: http.StatusOK,
	})
}

var azureEnd = regexp.MustCompile(`^\.(\w+|\{\w+(?:,\w+)*\})$`)

// azurePattern compiles a route: a path, or one that ends in a *, which may be
// followed by one extension or several. A request without a dot is also matched
// as that of its folder's index.html, as the routes engine of
// @azure/static-web-apps-cli has it.
func azurePattern(route string) (pattern, error) {
	if err := checkLength(route); err != nil {
		return pattern{}, err
	}
	route = "/" + strings.TrimPrefix(route, "/")
	before, end, wild := strings.Cut(route, "*")
	switch dir, isIndex := strings.CutSuffix(route, "/index.html"); {
	case !wild && isIndex && !strings.Contains(dir, "."):
		return compile("^"+regexp.QuoteMeta(dir)+"(?:/|/index\\.html)?$", nil)
	case !wild:
		return pattern{literal: decoded(route)}, nil
	case end != "" && !azureEnd.MatchString(end):
		return pattern{}, errors.New("a * may only stand at the end, or before extensions such as *.{png,jpg}")
	}
	names := strings.Split(strings.Trim(end, ".{}"), ",")
	expr, folder := regexp.QuoteMeta(before)+".*", ""
	if end != "" {
		expr, folder = expr+`\.(?:`+strings.Join(names, "|")+")", `(?:/[^.]*)?`
	}
	dir, isFolder := strings.CutSuffix(before, "/")
	if isFolder && !strings.Contains(dir, ".") && (end == "" || slices.Contains(names, "html")) {
		expr += "|" + regexp.QuoteMeta(dir) + folder
	}
	return compile("^(?s:"+expr+")$", nil)
}
