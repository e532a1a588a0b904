package hosting

import (
	"errors"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/strict"
)

// A renderService is a service in render.yaml. Only some services are static sites.
//
// See https://render.com/docs/blueprint-spec
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

// publishDir returns the folder that the service publishes, such as "docs/dist". It is relative to
// the folder of render.yaml, and begins with a slash if rootDir is not set.
func (r *renderService) publishDir() string { return cleanRelPath(r.Root) + "/" + r.Publish.V }

// readRenderSites reads render.yaml. It returns the file and the static sites in it.
func (l *loader) readRenderSites() (f file, sites []renderService) {
	var c struct {
		Services []renderService `yaml:"services"`
		Projects []struct {
			Environments []struct {
				Services []renderService `yaml:"services"`
			} `yaml:"environments"`
		} `yaml:"projects"`
	}
	f = l.decodeFirst(&c, "render.yaml")
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
	_, sites := l.readRenderSites()
	return len(sites) > 0
}

// renderPublishDir returns the publish directory in render.yaml if the file has exactly one static
// site. It returns the zero Value if the site does not set the directory, and for any other number
// of sites.
func (l *loader) renderPublishDir() (dir strict.Value[string]) {
	_, sites := l.readRenderSites()
	if len(sites) != 1 || sites[0].Publish.V == "" {
		return dir
	}
	return strict.Value[string]{V: sites[0].publishDir(), Pos: sites[0].Publish.Pos}
}

// readRender reads the rules of the static site in render.yaml that publishes the publish
// directory. Files of the site take precedence over redirects and rewrites.
//
// See https://render.com/docs/redirects-rewrites
// See https://render.com/docs/static-site-headers
func (l *loader) readRender() {
	f, sites := l.readRenderSites()
	i := l.findPublishingSite(f, "staticPublishPath", len(sites), func(i int) string { return sites[i].publishDir() })
	if i < 0 {
		return
	}
	for _, c := range sites[i].Routes {
		r := rule{pos: firstPos(f, c.Source.Pos), status: 301}
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
		l.addRedirectRule(r, p, err)
	}
	for _, h := range sites[i].Headers {
		if strings.EqualFold(h.Name, robotsHeader) {
			p, err := renderHeader.compile(h.Path.V)
			l.addHeaderRule(f, robotsTag{h.Value}, h.Path, p, err)
		}
	}
}
