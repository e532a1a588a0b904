package hosting

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/internal/strict"
)

// netlifyConfig is what netlify.toml says of URLs.
// https://docs.netlify.com/build/configure-builds/file-based-configuration/
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
	Headers   []netlifyHeaders  `yaml:"headers"`

	EdgeFunctions []netlifyEdgeFunction `yaml:"edge_functions"`
}

type netlifyEdgeFunction struct {
	Path     strict.Value[string] `yaml:"path"`
	Function strict.Value[string] `yaml:"function"`
}

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

type netlifyHeaders struct {
	For    strict.Value[string]              `yaml:"for"`
	Values map[string]strict.Value[[]string] `yaml:"values"`
}

// netlify reads netlify.toml, _redirects and _headers. Rules of _redirects come
// before those of netlify.toml, headers of netlify.toml override those of
// _headers, as @netlify/redirect-parser and @netlify/headers-parser have it.
func (l *loader) netlify() {
	s := l.site
	s.redirects.slash, s.pretty = true, true
	s.headers.slash, s.headers.fold, s.headers.last = true, true, true
	if f, ok := l.fromPublish("_redirects"); ok {
		l.netlifyRedirects(f)
	}
	if f, ok := l.fromPublish("_headers"); ok {
		s.headers.addBlocks(l.netlifyBlocks(f))
	}
	f, c := l.netlifyFile()
	p := c.Build.Processing
	if p.Skip.V || p.HTML.Pretty.IsSet() && !p.HTML.Pretty.V {
		s.handling, s.pretty = anyFile, false
	}
	for i := range firstRules(l, f, c.Redirects, maxRules) {
		l.netlifyRule(f, &c.Redirects[i])
	}
	for i := range firstRules(l, f, c.Headers, maxRules) {
		l.netlifyValues(f, &c.Headers[i])
	}
	l.netlifyCode(f, c)
}

const netlifyName = "netlify.toml"

// netlifyFile reads netlify.toml.
func (l *loader) netlifyFile() (f file, c *netlifyConfig) {
	c = new(netlifyConfig)
	return l.read(c, netlifyName), c
}

func (c *netlifyConfig) base() string { return local(c.Build.Base.V) }

// A netlifyRule is one line of _redirects or one table of netlify.toml.
type netlifyRule struct {
	redirect   // with status 0 for the default
	from       string
	query      bool     // the rule wants a query, which no page's URL has
	conditions []string // what else it depends on
}

// netlifyRedirects reads lines "from [query] [to] [status[!]] [conditions]".
// https://docs.netlify.com/manage/routing/redirects/overview/
func (l *loader) netlifyRedirects(f file) {
	for pos, line := range l.rules(f) {
		rule, err := parseNetlify(line)
		rule.pos, rule.text = pos, line
		if err == nil {
			err = l.addNetlify(rule)
		}
		if err != nil {
			l.badRule(pos, line, err)
		}
	}
}

func parseNetlify(line string) (r netlifyRule, err error) {
	words := ruleWords(line)
	if len(words) < 2 {
		return r, errors.New("it has no target; write the path, then a path or a URL")
	}
	r.from, words = words[0], words[1:]
	if _, _, ok := status(words[0]); !ok {
		i := slices.IndexFunc(words, isTarget)
		if i < 0 {
			return r, errors.New("the target must be a path, or a URL with http or https")
		}
		r.query, r.to, words = i > 0, words[i], words[i+1:]
	}
	if len(words) > 0 {
		var ok bool
		if r.status, r.force, ok = status(words[0]); !ok {
			return r, fmt.Errorf("%q is not a status", words[0])
		}
		words = words[1:]
	}
	for _, w := range words {
		name, _, _ := strings.Cut(w, "=")
		r.conditions = append(r.conditions, name)
	}
	return r, nil
}

// ruleWords splits a rule before the comment behind it.
func ruleWords(line string) []string {
	words := strings.Fields(line)
	if i := slices.IndexFunc(words, func(w string) bool { return w[0] == '#' }); i >= 0 {
		return words[:i]
	}
	return words
}

func isTarget(w string) bool {
	return w[0] == '/' || strings.HasPrefix(w, "http:") || strings.HasPrefix(w, "https:")
}

// status reads "301" and "301!", and as the host does with any text after the
// digits.
func status(w string) (code int, force, ok bool) {
	code, err := strconv.Atoi(leading(w, digits))
	return code, strings.HasSuffix(w, "!"), err == nil
}

// netlifyRule takes a rule of netlify.toml.
func (l *loader) netlifyRule(f file, c *netlifyRedirect) {
	c.From, c.To = cmp.Or(c.From, c.Origin), cmp.Or(c.To, c.Target)
	r := netlifyRule{
		redirect: redirect{
			pos: place(f, c.From.Pos, c.To.Pos), text: ruleText(c.From.V, c.To.V, c.Status, c.Force),
			to: c.To.V, status: c.Status, force: c.Force,
		},
		from:       c.From.V,
		query:      len(c.Query)+len(c.Params)+len(c.Parameters) > 0,
		conditions: slices.Sorted(maps.Keys(c.Conditions)),
	}
	if c.Signed != "" {
		r.conditions = append(r.conditions, "a signature")
	}
	if err := l.addNetlify(r); err != nil {
		l.badRule(r.pos, r.text, err)
	}
}

// addNetlify adds a rule when it can decide over a page.
func (l *loader) addNetlify(r netlifyRule) error {
	if r.from == "" {
		return errors.New("it has no \"from\"")
	}
	scheme, host, path, err := splitFrom(r.from)
	if err != nil {
		return err
	}
	switch {
	case strings.HasPrefix(path, "/.netlify"):
		return errors.New("the path must not begin with /.netlify")
	case r.to == "" && !(strings.HasSuffix(path, "/*") && r.status >= 200 && r.status < 300):
		return errors.New("it has no target")
	case r.status != 0 && (r.status < 100 || r.status > 599):
		return fmt.Errorf("%d is no HTTP status", r.status)
	}
	p, err := netlifyPattern(path)
	if err != nil {
		return err
	}
	r.status = cmp.Or(r.status, 301)
	if r.query || host != "" && !l.applies(scheme, host) {
		return nil
	}
	if len(r.conditions) > 0 {
		l.undecidable(r.redirect, strings.Join(r.conditions, ", "))
		return nil
	}
	l.site.redirects.add(p, r.redirect)
	return nil
}

// splitFrom splits the source of a rule, a path or a URL.
func splitFrom(s string) (scheme, host, path string, err error) {
	scheme, rest, ok := strings.Cut(s, "://")
	switch {
	case !ok && strings.HasPrefix(s, "/"):
		return "", "", s, nil
	case !ok || scheme != "http" && scheme != "https":
		return "", "", "", fmt.Errorf("%q is neither a path nor a URL; write a slash before it", s)
	}
	host, path, _ = strings.Cut(rest, "/")
	return scheme, host, "/" + path, nil
}

// netlifyPattern compiles a path with placeholders, ":name", each a segment,
// and wildcards. One that stands alone at the end matches any number of segments.
func netlifyPattern(path string) (pattern, error) {
	if !strings.ContainsAny(path, ":*") {
		return pattern{literal: decoded(path)}, nil
	}
	path = slashes.ReplaceAllString("/"+strings.Trim(path, "/"), "/")
	before, below := strings.CutSuffix(path, "/*")
	expr, names := splatExpr(before, netlifyMark)
	if below {
		expr, names = expr+"(?:/(.*))?", append(names, "splat")
	}
	return compile("^(?s:"+expr+")/?$", names)
}

// netlifyMark has no colon behind a letter, which is one of a name.
var netlifyMark = regexp.MustCompile(`\*|\B:[^/]+`)
