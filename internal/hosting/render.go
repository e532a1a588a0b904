package hosting

import (
	"bytes"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
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
func (s *renderService) dir() string { return relPath(s.Root) + "/" + s.Publish.V }

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

// readAmplify reads customHttp.yml of the project's root. Redirects are kept with the app.
// https://docs.aws.amazon.com/amplify/latest/userguide/setting-custom-headers.html
func (l *loader) readAmplify() {
	l.site.lastHeader = true
	var c struct {
		Headers []struct {
			Pattern strict.Value[string] `yaml:"pattern"`
			Headers robotsTag            `yaml:"headers"`
		} `yaml:"customHeaders"`
	}
	f := l.readFirst(&c, "customHttp.yml", "customHttp.yaml")
	for _, h := range c.Headers {
		p, err := amplifyPath.compile("/" + strings.TrimPrefix(h.Pattern.V, "/"))
		l.addHeader(f, h.Headers, h.Pattern, p, err)
	}
}

// A gitlabJob is a job of .gitlab-ci.yml.
// https://docs.gitlab.com/ci/yaml/#pages
type gitlabJob struct {
	Publish strict.Value[string]                          `yaml:"publish"` // of a job called pages, before GitLab 17.9
	Pages   strict.Value[map[string]strict.Value[string]] `yaml:"pages"`
}

// gitlabJobs returns the jobs of .gitlab-ci.yml that publish to GitLab Pages.
func (l *loader) gitlabJobs() (jobs []gitlabJob) {
	f, ok := l.openInRoots(".gitlab-ci.yml")
	if !ok || !bytes.Contains(f.src, []byte("pages")) {
		return nil
	}
	var all map[string]gitlabJob
	var short map[string]struct {
		Pages bool `yaml:"pages"` // the shorter form: pages: true
	}
	new(loader).decode(f, &all) // one of the two is of the wrong type, and of no interest to other hosts
	new(loader).decode(f, &short)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if job := all[name]; name == "pages" || job.Pages.IsSet() || short[name].Pages {
			jobs = append(jobs, job)
		}
	}
	return jobs
}

func hasGitLabJob(l *loader) bool { return len(l.gitlabJobs()) > 0 }

// gitlabPublish returns the folder that a job names.
func (l *loader) gitlabPublish() (none strict.Value[string]) {
	for _, job := range l.gitlabJobs() {
		for _, dir := range []strict.Value[string]{job.Pages.V["publish"], job.Publish} {
			if dir.V != "" && !strings.Contains(dir.V, "$") {
				return dir
			}
		}
	}
	return none
}

// readGitLab reads _redirects. The paths of its rules begin with the path of the base URL, and
// its rules come after the files.
func (l *loader) readGitLab() {
	l.site.filesFirst = true
	l.site.redirects.below = strings.TrimSuffix(l.Base.Prefix(), "/")
	l.readRedirects(gitlabRedirects)
}

// readGitHub reads CNAME, which names the custom domain of a site that is
// published from a branch.
// https://docs.github.com/pages/configuring-a-custom-domain-for-your-github-pages-site
func (l *loader) readGitHub() {
	f, ok := l.openFile(l.Publish, l.PublishName, domainFile, maxDomain)
	if !ok {
		return
	}
	domain := strings.TrimSpace(string(f.src))
	base, err := mapping.ParseBase("https://" + domain)
	pos := diag.Pos{File: f.name, Line: 1}
	switch {
	case err != nil || strings.ContainsAny(domain, "/\n"):
		l.diags.Warnf(pos, "bad-cname", "write one domain and nothing else, such as www.example.com", "%q is not a domain", truncate(domain))
	case l.Base.Host() != "" && base.Host() != l.Base.Host():
		l.diags.Warnf(pos, "cname-mismatch", "let base_url and CNAME name the same domain",
			"the site is published at %s, but the base URL is %s", base.Host(), l.Base)
	default:
		l.site.hasDomain = true
	}
}

// azurePublish returns the folder of the one configuration of swa-cli.config.json, relative to
// the folder of the application.
// https://azure.github.io/static-web-apps-cli/docs/cli/swa-config/
func (l *loader) azurePublish() (none strict.Value[string]) {
	var c struct {
		Configurations map[string]struct {
			App    string               `yaml:"appLocation"`
			Output strict.Value[string] `yaml:"outputLocation"`
		} `yaml:"configurations"`
	}
	l.readFirst(&c, "swa-cli.config.json")
	for _, one := range c.Configurations {
		dir := one.Output
		if len(c.Configurations) > 1 || dir.V == "" || strings.Contains(dir.V, "://") { // a development server
			return none
		}
		dir.V = path.Join(relPath(one.App), dir.V)
		return dir
	}
	return none
}
