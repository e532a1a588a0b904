package hosting

import (
	"errors"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/strict"
)

// A renderService is a static site or another service of render.yaml.
// https://render.com/docs/blueprint-spec
type renderService struct {
	Type    string               `yaml:"type"`
	Runtime string               `yaml:"runtime"`
	Env     string               `yaml:"env"` // an older name of runtime
	Root    string               `yaml:"rootDir"`
	Publish strict.Value[string] `yaml:"staticPublishPath"`
	Routes  []struct {
		Type   string               `yaml:"type"`
		Source strict.Value[string] `yaml:"source"`
		To     string               `yaml:"destination"`
	} `yaml:"routes"`
	Headers []struct {
		Path  strict.Value[string] `yaml:"path"`
		Name  string               `yaml:"name"`
		Value strict.Value[string] `yaml:"value"`
	} `yaml:"headers"`
}

// dir returns the folder that the service publishes, from the folder of render.yaml.
func (r *renderService) dir() string { return relPath(r.Root) + "/" + r.Publish.V }

// readRenderYAML reads the static sites of render.yaml.
func (l *loader) readRenderYAML() (f file, sites []renderService) {
	var c struct {
		Services []renderService `yaml:"services"`
		Projects []struct {
			Environments []struct {
				Services []renderService `yaml:"services"`
			} `yaml:"environments"`
		} `yaml:"projects"`
	}
	f = l.readFirst(&c, "render.yaml")
	sites = c.Services
	for _, project := range c.Projects {
		for _, e := range project.Environments {
			sites = append(sites, e.Services...)
		}
	}
	return f, slices.DeleteFunc(sites, func(s renderService) bool {
		return s.Publish.V == "" && !slices.Contains([]string{s.Runtime, s.Env, s.Type}, "static")
	})
}

func hasRenderSite(l *loader) bool {
	_, sites := l.readRenderYAML()
	return len(sites) > 0
}

// renderPublish returns the folder of a project with one static site.
func (l *loader) renderPublish() (dir strict.Value[string]) {
	_, sites := l.readRenderYAML()
	if len(sites) != 1 || sites[0].Publish.V == "" {
		return dir
	}
	return strict.Value[string]{V: sites[0].dir(), Pos: sites[0].Publish.Pos}
}

// readRender reads render.yaml. Its rules hold if there is no file.
// https://render.com/docs/redirects-rewrites
// https://render.com/docs/static-site-headers
func (l *loader) readRender() {
	f, sites := l.readRenderYAML()
	i := l.chooseSite(f, "staticPublishPath", len(sites), func(i int) string { return sites[i].dir() })
	if i < 0 {
		return
	}
	for _, c := range sites[i].Routes {
		r := rule{pos: firstPlace(f, c.Source.Pos), status: 301}
		if c.Type == "rewrite" {
			r.status = 200
		}
		p, err := renderPath.compile(c.Source.V)
		switch {
		case c.Type != "rewrite" && c.Type != "redirect":
			err = errors.New("its type must be redirect or rewrite")
		case c.To == "":
			err = errors.New("it has no destination")
		}
		r.text = ruleText(c.Source.V, c.To, r.status, false)
		r.to = strings.NewReplacer("$", "%24", "*", ":splat").Replace(c.To)
		l.addRedirect(r, p, err)
	}
	for _, h := range sites[i].Headers {
		if strings.EqualFold(h.Name, robotsHeader) {
			p, err := renderHeader.compile(h.Path.V)
			l.addHeader(f, robotsTag{h.Value}, h.Path, p, err)
		}
	}
}
