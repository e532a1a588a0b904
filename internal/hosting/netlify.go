package hosting

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/strict"
)

// netlifyConfig contains the settings in netlify.toml that change URLs or name folders.
//
// See https://docs.netlify.com/build/configure-builds/file-based-configuration/
type netlifyConfig struct {
	Build struct {
		Base          strict.Value[string] `yaml:"base"`
		Publish       strict.Value[string] `yaml:"publish"`
		EdgeFunctions strict.Value[string] `yaml:"edge_functions"`
		Processing    struct {
			Skip strict.Value[bool] `yaml:"skip_processing"`
			HTML struct {
				Pretty strict.Value[bool] `yaml:"pretty_urls"`
			} `yaml:"html"`
		} `yaml:"processing"`
	} `yaml:"build"`
	Redirects []netlifyRedirect `yaml:"redirects"`
	Headers   []struct {
		For    strict.Value[string] `yaml:"for"`
		Values robotsTag            `yaml:"values"`
	} `yaml:"headers"`
	EdgeFunctions []struct {
		Path     strict.Value[string] `yaml:"path"`
		Function strict.Value[string] `yaml:"function"`
	} `yaml:"edge_functions"`
}

// A netlifyRedirect is an item of the setting "redirects" in netlify.toml.
type netlifyRedirect struct {
	From       strict.Value[string] `yaml:"from"`
	Origin     strict.Value[string] `yaml:"origin"`
	To         strict.Value[string] `yaml:"to"`
	Target     strict.Value[string] `yaml:"destination"`
	Status     int                  `yaml:"status"`
	Force      bool                 `yaml:"force"`
	Query      map[string]string    `yaml:"query"`
	Params     map[string]string    `yaml:"params"`
	Parameters map[string]string    `yaml:"parameters"`
	Conditions map[string][]string  `yaml:"conditions"`
	Signed     string               `yaml:"signed"`
}

// readNetlify reads netlify.toml, _redirects and _headers. Rules in _redirects take precedence over
// rules in netlify.toml, as in @netlify/redirect-parser. Headers in netlify.toml override headers
// in _headers, as in @netlify/headers-parser. Edge functions in netlify.toml or in their folder are
// findings.
func (l *loader) readNetlify() {
	h := l.host
	h.ignoresTrailingSlash, h.hasPrettyURLs, h.sendsLastHeaderOnly, h.ownRedirectsFirst = true, true, true, true
	l.readRedirectsFile("_redirects", netlifyRedirects)
	l.readHeadersFile(netlifyHeaders)
	f, c := l.readNetlifyTOML()
	p := c.Build.Processing
	if p.Skip.V || p.HTML.Pretty.IsSet() && !p.HTML.Pretty.V {
		h.handler, h.hasPrettyURLs = anyFile, false
	}
	for _, r := range c.Redirects {
		line := r.toLineRule(f)
		if err := l.addNetlifyRule(&line); err != nil {
			l.reportBadRule(line.pos, line.text, err)
		}
	}
	for _, header := range c.Headers {
		source := strings.TrimSpace(header.For.V)
		err := checkPathPattern(source)
		p, other := compileNetlifyPath(&netlifyHeader, source)
		l.addHeaderRule(f, header.Values, header.For, p, cmp.Or(err, other))
	}
	for _, e := range c.EdgeFunctions {
		l.reportServerCode(firstPos(f, e.Function.Pos, e.Path.Pos), "edge function "+e.Function.V, cmp.Or(e.Path.V, "the paths of its pattern"))
	}
	if len(c.EdgeFunctions) == 0 { // https://docs.netlify.com/build/edge-functions/declarations/
		l.reportServerCodeFolder(cmp.Or(c.Build.EdgeFunctions.V, "netlify/edge-functions"), "an edge function of this folder")
	}
}

// toLineRule converts a redirect in the file f into the same form as a line of _redirects.
func (n *netlifyRedirect) toLineRule(f file) lineRule {
	from, to := cmp.Or(n.From, n.Origin), cmp.Or(n.To, n.Target)
	conditions := slices.Sorted(maps.Keys(n.Conditions))
	if n.Signed != "" {
		conditions = append(conditions, "a signature")
	}
	return lineRule{
		rule: rule{
			pos: firstPos(f, from.Pos, to.Pos), text: ruleText(from.V, to.V, n.Status, n.Force),
			to: to.V, status: cmp.Or(n.Status, 301), force: n.Force,
		},
		from:       from.V,
		hasQuery:   len(n.Query)+len(n.Params)+len(n.Parameters) > 0,
		conditions: conditions,
	}
}

const netlifyName = "netlify.toml"

// readNetlifyTOML reads and decodes netlify.toml. If there is no such file, f is empty, and c has
// no settings.
func (l *loader) readNetlifyTOML() (f file, c *netlifyConfig) {
	c = new(netlifyConfig)
	return l.decodeFirst(c, netlifyName), c
}

// baseDir returns the folder in which Netlify runs the build, relative to the folder of
// netlify.toml. "" is the folder of netlify.toml itself.
func (n *netlifyConfig) baseDir() string { return cleanRelPath(n.Build.Base.V) }

// netlifyPublishDir returns the publish directory in netlify.toml, joined to the base directory. A
// directory that begins with a slash, such as "/dist", is not joined, because Netlify reads it
// relative to the folder of netlify.toml. If the file does not set the directory,
// netlifyPublishDir returns the zero Value.
func (l *loader) netlifyPublishDir() strict.Value[string] {
	_, c := l.readNetlifyTOML()
	dir := c.Build.Publish
	if dir.V != "" && !strings.HasPrefix(dir.V, "/") {
		dir.V = path.Join(c.baseDir(), dir.V)
	}
	return dir
}

// netlifyRedirects is the format of _redirects on Netlify.
//
// See https://docs.netlify.com/manage/routing/redirects/overview/
var netlifyRedirects = redirectsFileFormat{status: 301, comments: true, add: (*loader).addNetlifyRule, maxRules: maxRules}

// addNetlifyRule adds a redirect on Netlify to l.host. It returns an error if Netlify rejects
// the redirect. If the redirect has conditions, addNetlifyRule calls reportUndecidableRule
// instead. It ignores a redirect for URLs with a query or on another host.
func (l *loader) addNetlifyRule(r *lineRule) error {
	if r.from == "" {
		return errors.New("it has no \"from\"")
	}
	scheme, host, path, err := splitRuleAddress(r.from)
	if err != nil {
		return err
	}
	switch {
	case strings.HasPrefix(path, "/.netlify"):
		return errors.New("the path must not begin with /.netlify")
	case r.to == "" && !(strings.HasSuffix(path, "/*") && r.status >= 200 && r.status < 300):
		return errors.New("it has no target")
	case r.status < 100 || r.status > 599:
		return fmt.Errorf("%d is not an HTTP status", r.status)
	}
	p, err := compileNetlifyPath(&netlifyPath, path)
	switch {
	case err != nil:
		return err
	case r.hasQuery || !l.isForSite(scheme, host):
	case len(r.conditions) > 0:
		l.reportUndecidableRule(r.rule, strings.Join(r.conditions, ", "))
	default:
		l.host.redirects.add(p, r.rule)
	}
	return nil
}

// compileNetlifyPath compiles a path of a rule on Netlify. n is the syntax of the path. Repeated
// slashes count as one, and a trailing slash is ignored.
func compileNetlifyPath(n *notation, path string) (pattern, error) {
	return n.compile(slashes.ReplaceAllString("/"+strings.Trim(path, "/"), "/"))
}

// netlifyHeaders is the format of _headers on Netlify.
//
// See https://docs.netlify.com/manage/routing/headers/
var netlifyHeaders = headersFileFormat{compile: (*loader).compileNetlifyHeaderPath, maxPaths: maxRules}

// compileNetlifyHeaderPath compiles line, a path in _headers on Netlify. Such a path is valid for
// every host, so applies is false only if there is an error.
func (l *loader) compileNetlifyHeaderPath(line string) (p pattern, applies bool, err error) {
	p, err = compileNetlifyPath(&netlifyHeader, line)
	return p, err == nil, err
}
