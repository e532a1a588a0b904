package hosting

import (
	"cmp"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
)

// maxAzure is the maximum size in bytes of a staticwebapp.config.json. Azure does not read a larger
// file.
//
// See https://learn.microsoft.com/azure/static-web-apps/configuration#restrictions
const maxAzure = 20 << 10

// azureConfig contains the settings in staticwebapp.config.json that change URLs or X-Robots-Tag
// headers.
//
// See https://learn.microsoft.com/azure/static-web-apps/configuration
type azureConfig struct {
	Slash    strict.Value[string] `yaml:"trailingSlash"`
	Routes   []azureRoute         `yaml:"routes"`
	Headers  robotsTag            `yaml:"globalHeaders"`
	Fallback struct {
		Rewrite strict.Value[string]   `yaml:"rewrite"`
		Exclude []strict.Value[string] `yaml:"exclude"`
	} `yaml:"navigationFallback"`
}

// An azureRoute is an item of the setting "routes" in staticwebapp.config.json.
type azureRoute struct {
	Route    strict.Value[string] `yaml:"route"`
	Methods  []string             `yaml:"methods"`
	Redirect string               `yaml:"redirect"`
	Rewrite  string               `yaml:"rewrite"`
	Status   int                  `yaml:"statusCode"`
	Roles    []string             `yaml:"allowedRoles"`
	Headers  robotsTag            `yaml:"headers"`
}

// readAzure reads staticwebapp.config.json. The file in the publish directory takes precedence over
// files in other folders. Azure applies only the first route that matches a URL. If no route
// answers, Azure applies the setting navigationFallback.
func (l *loader) readAzure() {
	host := l.host
	host.ownRedirectsFirst, host.sendsLastHeaderOnly = true, true
	f, ok := l.openInPublish("staticwebapp.config.json")
	if !ok {
		f, ok = l.openFirst("staticwebapp.config.json")
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
	l.setAzureStyle(c.Slash)
	var headers []rule // Azure sends the header of the first matching rule
	for _, route := range slices.DeleteFunc(c.Routes, func(a azureRoute) bool { return !a.appliesToGET() }) {
		p, err := compileAzureRoute(route.Route.V)
		r, other := route.toRule(f)
		if err = cmp.Or(err, other); err != nil {
			l.reportBadRule(r.pos, route.Route.V, err)
			continue
		}
		host.redirects.add(p, r)
		tag := cmp.Or(route.Headers, c.Headers)
		headers = append(headers, rule{pattern: p, pos: tag.Pos, tag: tag.V, removesEarlier: tag.V == ""})
	}
	headers = append(headers, rule{pattern: folderPattern(""), pos: c.Headers.Pos, tag: c.Headers.V, removesEarlier: c.Headers.V == ""})
	for _, h := range slices.Backward(headers) {
		host.headers.add(h.pattern, h)
	}
	l.addAzureFallback(f, &c)
}

// setAzureStyle sets the URL style and the file handler of l.host for the setting trailingSlash:
// "always", "never" or "auto". It does nothing if trailingSlash is not set. If it has another
// value, setAzureStyle only adds a finding.
//
// See https://learn.microsoft.com/azure/static-web-apps/configuration#trailing-slash
func (l *loader) setAzureStyle(trailingSlash strict.Value[string]) {
	h := l.host
	switch trailingSlash.V {
	case "":
		return
	case "always":
		h.style.Slash = mapping.AddSlash
	case "never":
		h.style.Slash = mapping.RemoveSlash
	case "auto":
	default:
		l.diags.Warnf(trailingSlash.Pos, "bad-host-setting", "write always, never or auto",
			"trailingSlash %q is unknown to Azure Static Web Apps, and not used", trailingSlash.V)
		return
	}
	h.style.HTML = mapping.StripHTML
	h.handler = h.serveAzure
}

// toRule converts the route into a rule without a pattern. f is the file of the route. If the route
// does not answer, for example because it only sets headers, the field endsGroup of the rule is
// true. toRule returns an error if the route has both a redirect and a rewrite.
func (a *azureRoute) toRule(f file) (rule, error) {
	r := rule{pos: firstPos(f, a.Route.Pos), to: a.Redirect, force: true}
	needsRole := len(a.Roles) > 0 && !slices.ContainsFunc(a.Roles, func(role string) bool { return strings.EqualFold(role, "anonymous") })
	switch {
	case a.Redirect != "" && a.Rewrite != "":
		return r, errors.New("it has both redirect and rewrite")
	case needsRole:
		r.status, r.to = http.StatusUnauthorized, ""
	case a.Redirect != "" && a.Status == http.StatusMovedPermanently:
		r.status = http.StatusMovedPermanently
	case a.Redirect != "":
		r.status = http.StatusFound
	case a.Status >= 400:
		r.status = a.Status
	case a.Rewrite != "":
		r.status, r.to = http.StatusOK, a.Rewrite
	default:
		r.endsGroup = true
	}
	r.text = ruleText(a.Route.V, r.to, r.status, false)
	return r, nil
}

// appliesToGET reports whether the route applies to GET requests.
func (a *azureRoute) appliesToGET() bool {
	return len(a.Methods) == 0 || slices.Contains(a.Methods, "GET")
}

// addAzureFallback adds the rules of the setting navigationFallback. They apply only to URLs
// without a file.
func (l *loader) addAzureFallback(f file, c *azureConfig) {
	if c.Fallback.Rewrite.V == "" {
		return
	}
	for _, exclude := range c.Fallback.Exclude {
		p, err := compileAzureRoute(exclude.V)
		l.addRedirectRule(rule{pos: exclude.Pos, text: "navigationFallback exclude " + exclude.V, group: 1, status: http.StatusNotFound}, p, err)
	}
	l.host.redirects.add(folderPattern(""), rule{
		pos: firstPos(f, c.Fallback.Rewrite.Pos), text: "navigationFallback " + c.Fallback.Rewrite.V, group: 1, status: http.StatusOK,
	})
}

// azureEnd matches the extensions after the "*" of a route: ".png" or ".{png,jpg}".
var azureEnd = regexp.MustCompile(`^\.(\w+|\{\w+(?:,\w+)*\})$`)

// compileAzureRoute returns the pattern of a route, such as "/a", "/img/*" or "/img/*.{png,jpg}".
// "/a/index.html" also matches "/a" and "/a/", and "/a/*" also matches "/a", unless the path of the
// folder contains a dot. @azure/static-web-apps-cli does the same. compileAzureRoute returns an
// error if the route is empty, too long, or has text other than extensions after "*".
func compileAzureRoute(route string) (pattern, error) {
	if err := checkPatternLength(route); err != nil {
		return pattern{}, err
	}
	route = "/" + strings.TrimPrefix(route, "/")
	before, end, wild := strings.Cut(route, "*")
	switch dir, isIndex := strings.CutSuffix(route, "/index.html"); {
	case !wild && isIndex && !strings.Contains(dir, "."):
		return compileRegexp("^"+regexp.QuoteMeta(dir)+"(?:/|/index\\.html)?$", nil)
	case !wild:
		return pattern{literal: decodePath(route)}, nil
	case end != "" && !azureEnd.MatchString(end):
		return pattern{}, errors.New("a * is allowed only at the end, or before extensions such as *.{png,jpg}")
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
	return compileRegexp("^(?s:"+expr+")$", nil)
}
