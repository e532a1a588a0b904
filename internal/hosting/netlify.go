package hosting

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// netlifyConfig has the keys of netlify.toml that change URLs or name folders.
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

// A netlifyRedirect is an item of the key "redirects".
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
// in _headers, as in @netlify/headers-parser.
func (l *loader) readNetlify() {
	s := l.site
	s.redirects.slash, s.pretty, s.lastHeader = true, true, true
	l.readRedirects(netlifyRedirects)
	l.readHeaders(netlifyHeaders)
	f, c := l.netlifyFile()
	p := c.Build.Processing
	if p.Skip.V || p.HTML.Pretty.IsSet() && !p.HTML.Pretty.V {
		s.handling, s.pretty = anyFile, false
	}
	for _, r := range c.Redirects {
		line := r.toLineRule(f)
		if err := l.addNetlify(&line); err != nil {
			l.reportBadRule(line.pos, line.text, err)
		}
	}
	for _, h := range c.Headers {
		source := strings.TrimSpace(h.For.V)
		err := checkPath(source)
		p, other := compileNetlify(&netlifyHeader, source)
		l.addHeader(f, h.Values, h.For, p, cmp.Or(err, other))
	}
	for _, e := range c.EdgeFunctions {
		l.reportCode(firstPlace(f, e.Function.Pos, e.Path.Pos), "edge function "+e.Function.V, cmp.Or(e.Path.V, "the paths of its pattern"))
	}
	if len(c.EdgeFunctions) == 0 { // https://docs.netlify.com/build/edge-functions/declarations/
		l.reportCodeFolder(cmp.Or(c.Build.EdgeFunctions.V, "netlify/edge-functions"), "an edge function of this folder")
	}
}

// toLineRule converts r, a redirect in the file f, into the form of a line in _redirects.
func (n *netlifyRedirect) toLineRule(f file) lineRule {
	from, to := cmp.Or(n.From, n.Origin), cmp.Or(n.To, n.Target)
	conditions := slices.Sorted(maps.Keys(n.Conditions))
	if n.Signed != "" {
		conditions = append(conditions, "a signature")
	}
	return lineRule{
		rule: rule{
			pos: firstPlace(f, from.Pos, to.Pos), text: ruleText(from.V, to.V, n.Status, n.Force),
			to: to.V, status: cmp.Or(n.Status, 301), force: n.Force,
		},
		from:       from.V,
		hasQuery:   len(n.Query)+len(n.Params)+len(n.Parameters) > 0,
		conditions: conditions,
	}
}

const netlifyName = "netlify.toml"

// netlifyFile reads and decodes netlify.toml. The result is empty if there is no such file.
func (l *loader) netlifyFile() (f file, c *netlifyConfig) {
	c = new(netlifyConfig)
	return l.readFirst(c, netlifyName), c
}

// base returns the base directory of the build relative to netlify.toml; "" is the folder of the
// file.
func (n *netlifyConfig) base() string { return relPath(n.Build.Base.V) }

// netlifyPublish returns the publish directory in netlify.toml, relative to the folder of the file.
// In the file, the directory is relative to the base directory unless it begins with a slash.
func (l *loader) netlifyPublish() strict.Value[string] {
	_, c := l.netlifyFile()
	dir := c.Build.Publish
	if dir.V != "" && !strings.HasPrefix(dir.V, "/") {
		dir.V = path.Join(c.base(), dir.V)
	}
	return dir
}

// reportCode adds a finding for code of the site, such as an edge function, that the host runs
// before it serves files. what names the code, and where the URLs that it runs for.
func (l *loader) reportCode(pos diag.Pos, what, where string) {
	l.diags.Notef(pos, "undecidable-code", "exclude the pages by a rule of sitemap.yaml if no crawler can reach them",
		"%s may answer for %s in place of the files, which only a request can tell; the pages stay in", what, where)
}

// reportCodeFolder calls reportCode if the folder dir of the project contains a file.
func (l *loader) reportCodeFolder(dir, what string) {
	dir = path.Clean(strings.Trim(dir, "/"))
	entries, _ := fs.ReadDir(l.Root, dir)
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !strings.HasPrefix(e.Name(), ".") }) {
		l.reportCode(diag.Pos{File: path.Join(l.RootName, dir)}, what, "addresses of its own")
	}
}
