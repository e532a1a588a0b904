package hosting

import (
	"errors"
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/internal/strict"
)

// A renderBlueprint is what render.yaml says of services.
// https://render.com/docs/blueprint-spec
type renderBlueprint struct {
	Services []renderService `yaml:"services"`
	Projects []struct {
		Environments []struct {
			Services []renderService `yaml:"services"`
		} `yaml:"environments"`
	} `yaml:"projects"`
}

// A renderService is a static site or another service.
type renderService struct {
	Type    string               `yaml:"type"`
	Runtime string               `yaml:"runtime"`
	Env     string               `yaml:"env"` // an older name of runtime
	Root    string               `yaml:"rootDir"`
	Publish strict.Value[string] `yaml:"staticPublishPath"`
	Routes  []renderRoute        `yaml:"routes"`
	Headers []struct {
		Path  strict.Value[string] `yaml:"path"`
		Name  string               `yaml:"name"`
		Value strict.Value[string] `yaml:"value"`
	} `yaml:"headers"`
}

type renderRoute struct {
	Type   string               `yaml:"type"`
	Source strict.Value[string] `yaml:"source"`
	To     string               `yaml:"destination"`
}

func (s *renderService) isStatic() bool {
	return s.Publish.V != "" || s.Runtime == "static" || s.Env == "static" || s.Type == "static"
}

// dir returns the folder that the service publishes, from that of render.yaml.
func (s *renderService) dir() strict.Value[string] {
	dir := s.Publish
	dir.V = local(s.Root) + "/" + dir.V
	return dir
}

// readRenderYAML reads the static sites of render.yaml.
func (l *loader) readRenderYAML() (f file, sites []renderService) {
	var c renderBlueprint
	f = l.read(&c, "render.yaml")
	all := c.Services
	for _, project := range c.Projects {
		for _, e := range project.Environments {
			all = append(all, e.Services...)
		}
	}
	for _, s := range all {
		if s.isStatic() {
			sites = append(sites, s)
		}
	}
	return f, sites
}

// renderPublish: the folder of a project with one static site.
func (l *loader) renderPublish() (none strict.Value[string]) {
	_, sites := l.readRenderYAML()
	if len(sites) != 1 || sites[0].Publish.V == "" {
		return none
	}
	return sites[0].dir()
}

// render reads render.yaml, whose rules hold where no file is.
// https://render.com/docs/redirects-rewrites
// https://render.com/docs/static-site-headers
func (l *loader) render() {
	f, sites := l.readRenderYAML()
	var dirs []strict.Value[string]
	for _, s := range sites {
		dirs = append(dirs, s.dir())
	}
	i, ok := l.publisher(f, "staticPublishPath", dirs)
	if !ok {
		return
	}
	for _, r := range firstRules(l, f, sites[i].Routes, maxRules) {
		if err := l.renderRoute(f, r); err != nil {
			l.badRule(place(f, r.Source.Pos), r.Source.V, err)
		}
	}
	for _, h := range firstRules(l, f, sites[i].Headers, maxRules) {
		l.robotsTag(f, []keyedHeader{{h.Name, h.Value}}, h.Path, renderPath)
	}
}

func (l *loader) renderRoute(f file, r renderRoute) error {
	rule := redirect{pos: place(f, r.Source.Pos), status: 301}
	switch {
	case r.Type == "rewrite":
		rule.status = 200
	case r.Type != "redirect":
		return errors.New("its type must be redirect or rewrite")
	}
	if r.To == "" {
		return errors.New("it has no destination")
	}
	rule.text = ruleText(r.Source.V, r.To, rule.status, false)
	rule.to = strings.NewReplacer("$", "%24", "*", ":splat").Replace(r.To)
	p, err := renderSource(r.Source.V)
	if err == nil {
		l.site.redirects.add(p, rule)
	}
	return err
}

var renderWild = regexp.MustCompile(`\*|:[A-Za-z_]\w*`)

// renderSource compiles the source of a route, in which a * stands for any text and a
// :name for one segment.
func renderSource(source string) (pattern, error) {
	if err := checkPath(source); err != nil {
		return pattern{}, err
	}
	return splatPattern(source, renderWild)
}

// renderPath compiles the path of a header: a * at the end stands for all that
// follows, any other one for text without a slash, and ** for folders.
func renderPath(path string) (pattern, error) {
	if err := checkPath(path); err != nil {
		return pattern{}, err
	}
	if !strings.Contains(path, "*") {
		return pattern{literal: decoded(path)}, nil
	}
	before, all := strings.CutSuffix(path, "/*")
	expr := strings.NewReplacer(`\*\*`, "[^/]+(?:/[^/]+)*", `\*`, "[^/]*").Replace(regexp.QuoteMeta(decoded(before)))
	if all {
		expr += "/.*"
	}
	return compile("^(?s:"+expr+")$", nil)
}
