package config

import (
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/writer"
)

const (
	builtPage = "public/index.html"
	hugo      = "baseURL = 'https://hugo.internal/'\n"
)

func TestBaseURLPrecedence(t *testing.T) {
	files := map[string]string{"sitemap.yaml": "base_url: https://file.internal/\n", "hugo.toml": hugo, builtPage: ""}
	tests := []struct {
		name, flag, env  string
		file             bool
		want, wantOrigin string
	}{
		{"flag", "https://flag.internal", "https://env.internal", true, "https://flag.internal/", "flag"},
		{"environment", "", "https://env.internal", true, "https://env.internal/", "environment"},
		{"file", "", "", true, "https://file.internal/", "file"},
		{"detection", "", "", false, "https://hugo.internal/", "detected"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := newTestProject(t, files)
			if !test.file {
				p.writeFile("sitemap.yaml", "")
			}
			if test.flag != "" {
				p.setFlag("base-url", test.flag)
			}
			p.env["SITEWALK_BASE_URL"] = test.env
			s := p.mustResolve()
			if got := s.Site.Base.String(); got != test.want {
				t.Errorf("base URL: got %s, want %s", got, test.want)
			}
			i := slices.IndexFunc(s.Origins, func(o Origin) bool { return o.Key == "base_url" })
			if i < 0 || s.Origins[i].By != test.wantOrigin {
				t.Errorf("origins %v, want base_url from %s", s.Origins, test.wantOrigin)
			}
		})
	}
}

// TestVariablesReplaceFlags checks that variables such as SITEWALK_DIR have the same effect as
// the flags.
func TestVariablesReplaceFlags(t *testing.T) {
	p := newTestProject(t, map[string]string{"site/index.html": "", "other.yaml": "git_date: committer\n", "docs/a.md": ""})
	for name, value := range map[string]string{
		"CONFIG": "other.yaml", "DIR": "site", "BASE_URL": "https://example.internal", "CONTENT": "docs", "OUTPUT": "out",
		"HOST": "none", "LASTMOD": "git,html", "FORMAT": "txt, rss", "GZIP": "only", "JOBS": "3",
	} {
		p.env["SITEWALK_"+name] = value
	}
	s := p.mustResolve()
	if !s.Site.Git.Committer || p.relPath(s.Site.Pages.Dir) != "site" || p.relPath(s.Site.Content.Dir) != "docs" || p.relPath(s.Writer.Dir) != "out" ||
		!slices.Equal(s.Site.LastMod, []string{"git", "html"}) || !slices.Equal(s.Writer.Formats, []string{"txt", "rss"}) ||
		s.Writer.Gzip != "only" || s.Site.Jobs != 3 || !s.Site.Page.Titles {
		t.Errorf("settings %+v do not have the values of the variables", s)
	}
}

func TestResolveRejectsInvalidFlagsAndVariables(t *testing.T) {
	tests := []struct{ flag, value, want string }{
		{"base-url", "example.internal", `--base-url "example.internal" has no scheme; write https://example.internal/`},
		{"host", "netlfy", `--host "netlfy" is not one of ` + strings.Join(hosting.Names(), ", ") + `; did you mean "netlify"?`},
		{"lastmod", "git,mtim", `--lastmod "mtim" is not one of ` + strings.Join(site.SourceNames(), ", ") + `; did you mean "mtime"?`},
		{"format", "xml,pdf", `--format "pdf" is not one of ` + strings.Join(writer.Formats, ", ")},
		{"format", "", `--format is empty; the formats are ` + strings.Join(writer.Formats, ", ")},
		{"gzip", "yes", `--gzip "yes" is not one of false, true, also, only`},
		{"output", "", `--output is empty; name a folder, or - for standard output`},
		{"dir", "nowhere", `publish directory "nowhere"`},
		{"dir", "sitemap.yaml", `publish directory "sitemap.yaml" is not a folder`},
		{"content", "nowhere", `--content "nowhere"`},
	}
	for _, test := range tests {
		p := newTestProject(t, map[string]string{"sitemap.yaml": "base_url: https://example.internal/\n", builtPage: ""})
		_, _, err := p.setFlag(test.flag, test.value).resolve()
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("--%s %q: got error %v\nwant %s", test.flag, test.value, err, test.want)
		}
	}
	p := newTestProject(t, map[string]string{builtPage: ""})
	p.env = map[string]string{"SITEWALK_BASE_URL": "ftp://a/", "SITEWALK_JOBS": "all", "SOURCE_DATE_EPOCH": "today"}
	_, _, err := p.resolve()
	for _, want := range []string{`SITEWALK_BASE_URL "ftp://a/"`, `SITEWALK_JOBS "all"`, `SOURCE_DATE_EPOCH "today"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not contain %s", err, want)
		}
	}
}

func TestResolveDetectsBaseURL(t *testing.T) {
	jekyll := map[string]string{"_config.yml": "url: http://a.internal\nbaseurl: /docs\n", "_site/index.html": ""}
	with := func(files map[string]string, name, text string) map[string]string {
		out := map[string]string{name: text}
		for k, v := range files {
			out[k] = v
		}
		return out
	}
	plain := map[string]string{builtPage: ""}
	netlify := map[string]string{"NETLIFY": "true", "URL": "https://a.internal", "DEPLOY_URL": "https://x--a.netlify.app", "CONTEXT": "deploy-preview"}
	tests := map[string]struct {
		files     map[string]string
		env       map[string]string
		want, err string
	}{
		"generator":                            {jekyll, nil, "http://a.internal/docs/", ""},
		"netlify":                              {plain, netlify, "https://a.internal/", ""},
		"scheme of netlify, path of generator": {jekyll, netlify, "https://a.internal/docs/", ""},
		"vercel":                               {plain, map[string]string{"VERCEL_PROJECT_PRODUCTION_URL": "a.internal", "VERCEL_URL": "a-x.vercel.app"}, "https://a.internal/", ""},
		"cname":                                {with(plain, "public/CNAME", "A.internal\n"), nil, "https://a.internal/", ""},
		"cname in the project folder":          {with(plain, "CNAME", "a.internal"), nil, "https://a.internal/", ""},
		"cname equals generator":               {with(jekyll, "CNAME", "a.internal"), nil, "http://a.internal/docs/", ""},
		"generator and cname differ":           {with(jekyll, "CNAME", "b.internal"), nil, "", "the site has two addresses: http://a.internal/docs/ (url in _config.yml:1:6) and https://b.internal/ (CNAME)"},
		"netlify and cname differ":             {with(plain, "CNAME", "b.internal"), netlify, "", "https://a.internal/ (URL of Netlify) and https://b.internal/ (CNAME)"},
		"no source":                            {plain, nil, "", "the address of the site is not known; give it with -b"},
		"cloudflare deployment":                {plain, map[string]string{"CF_PAGES": "1", "CF_PAGES_URL": "https://x.a.pages.dev"}, "", "CF_PAGES_URL=https://x.a.pages.dev is the address of one deployment and is not used"},
		"vercel deployment":                    {plain, map[string]string{"VERCEL_URL": "a-x.vercel.app"}, "", "VERCEL_URL"},
		"localhost":                            {plain, map[string]string{"NETLIFY": "true", "URL": "http://localhost:8888"}, "", "is not known"},
		"URL without NETLIFY":                  {plain, map[string]string{"URL": "https://a.internal"}, "", "is not known"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := newTestProject(t, test.files)
			if test.env != nil {
				p.env = test.env
			}
			s, _, err := p.resolve()
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("got %v, want %s", err, test.err)
				}
				return
			}
			if err != nil || s.Site.Base.String() != test.want {
				t.Errorf("base URL: got %v, error %v, want %s", s.Site.Base, err, test.want)
			}
		})
	}
}

func TestResolveFindsFolders(t *testing.T) {
	const base = "base_url: https://example.internal/\n"
	tests := map[string]struct {
		files                  map[string]string
		set                    func(*testProject)
		pages, content, output string
		err                    string
	}{
		"hugo":                                {map[string]string{"hugo.toml": hugo, builtPage: "", "content/a.md": ""}, nil, "public", "content", "public", ""},
		"hugo, not built":                     {map[string]string{"hugo.toml": hugo, "content/a.md": ""}, nil, "", "", "", "the hugo project here publishes to public, which does not exist; build the site first"},
		"usual folder":                        {map[string]string{"sitemap.yaml": base, "dist/index.html": ""}, nil, "dist", "", "dist", ""},
		"two usual folders":                   {map[string]string{"sitemap.yaml": base, "dist/index.html": "", "out/index.html": ""}, nil, "", "", "", "there are 2 built sites here: the folder dist, the folder out; choose one: sitewalk DIR"},
		"two usual folders and DIR":           {map[string]string{"sitemap.yaml": base, "dist/index.html": "", "out/index.html": ""}, func(p *testProject) { p.setFlag("dir", "out") }, "out", "", "out", ""},
		"no folder":                           {map[string]string{"sitemap.yaml": base}, nil, "", "", "", "no built site was found in"},
		"pages.dir":                           {map[string]string{"sitemap.yaml": base + "pages: {dir: web}\n", "web/a.html": "", builtPage: ""}, nil, "web", "", "web", ""},
		"DIR overrides pages.dir":             {map[string]string{"sitemap.yaml": base + "pages: {dir: web}\n", "web/a.html": "", builtPage: ""}, func(p *testProject) { p.setFlag("dir", "public") }, "public", "", "public", ""},
		"content flag":                        {map[string]string{"sitemap.yaml": base, "docs/a.md": "", builtPage: ""}, func(p *testProject) { p.setFlag("content", "docs").setFlag("output", "out") }, "", "docs", "out", ""},
		"content flag and DIR":                {map[string]string{"sitemap.yaml": base, "docs/a.md": "", builtPage: ""}, func(p *testProject) { p.setFlag("content", "docs").setFlag("dir", "public") }, "public", "docs", "public", ""},
		"content flag and pages":              {map[string]string{"sitemap.yaml": base + "pages: {}\n", "docs/a.md": "", builtPage: ""}, func(p *testProject) { p.setFlag("content", "docs") }, "public", "docs", "public", ""},
		"content.dir":                         {map[string]string{"sitemap.yaml": base + "content: {dir: docs}\n", "docs/a.md": "", builtPage: ""}, func(p *testProject) { p.setFlag("output", "-") }, "", "docs", "", ""},
		"config in another folder":            {map[string]string{"site/sitemap.yaml": base + "pages: {dir: web}\n", "site/web/a.html": ""}, func(p *testProject) { p.setFlag("config", "site/sitemap.yaml") }, "site/web", "", "site/web", ""},
		"flags relative to working directory": {map[string]string{"site/s.yaml": base, "web/a.html": "", "site/web/a.html": ""}, func(p *testProject) { p.setFlag("config", "site/s.yaml").setFlag("dir", "web") }, "web", "", "web", ""},
		"missing config":                      {map[string]string{builtPage: ""}, func(p *testProject) { p.setFlag("config", "s.yaml") }, "", "", "", "s.yaml: " + syscall.ENOENT.Error()},
		"config is a folder":                  {map[string]string{"sitemap.yaml/": ""}, nil, "", "", "", "sitemap.yaml: it is a folder, not a regular file"},
		"output folder":                       {map[string]string{"sitemap.yaml": base, builtPage: ""}, func(p *testProject) { p.setFlag("output", "out") }, "public", "", "out", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := newTestProject(t, test.files)
			if test.set != nil {
				test.set(p)
			}
			s, diags, err := p.resolve()
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("got %v, want %s", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatalf("error %v, findings %v", err, diags)
			}
			var pages, content, output string
			if s.Site.Pages != nil {
				pages = p.relPath(s.Site.Pages.Dir)
			}
			if s.Site.Content != nil {
				content = p.relPath(s.Site.Content.Dir)
			}
			if s.Writer.Dir != "" {
				output = p.relPath(s.Writer.Dir)
			}
			if pages != test.pages || content != test.content || output != test.output {
				t.Errorf("got pages %q, content %q, output %q, want %q, %q, %q", pages, content, output, test.pages, test.content, test.output)
			}
		})
	}
}

// TestContentExcludesPublishDir checks that files in the publish directory are not content files.
func TestContentExcludesPublishDir(t *testing.T) {
	p := newTestProject(t, map[string]string{"_config.yml": "url: https://example.internal\n", "_site/index.html": "", "index.md": ""})
	s := p.mustResolve()
	if s.Site.Content == nil || s.Site.Content.Filter.Match("_site/index.html") || !s.Site.Content.Filter.Match("index.md") {
		t.Errorf("content tree %+v, want index.md without _site", s.Site.Content)
	}
}

// TestGlobFlags checks that --include replaces pages.include, and that --exclude adds globs to
// pages.exclude.
func TestGlobFlags(t *testing.T) {
	p := newTestProject(t, map[string]string{"sitemap.yaml": "base_url: https://example.internal/\npages: {include: [\"**/*.xhtml\"], exclude: [\"a/**\"]}\n", builtPage: ""})
	p.flags["include"], p.flags["exclude"] = []string{"**/*.htm", "./**/*.html"}, []string{"b/**"}
	f := p.mustResolve().Site.Pages.Filter
	for file, want := range map[string]bool{"x.htm": true, "x.html": true, "a/x.htm": false, "b/x.htm": false, "x.xhtml": false} {
		if f.Match(file) != want {
			t.Errorf("%s matches: got %v, want %v", file, !want, want)
		}
	}
}

// TestWriterBaseFollowsOutputFolder checks the base URL of the written files. An output folder in
// the publish directory is part of the URL.
func TestWriterBaseFollowsOutputFolder(t *testing.T) {
	for output, want := range map[string]string{
		"public": "https://example.internal/docs/", "public/maps": "https://example.internal/docs/maps/",
		"elsewhere": "https://example.internal/docs/", "public/a b": "https://example.internal/docs/a%20b/",
	} {
		p := newTestProject(t, map[string]string{builtPage: ""}).setFlag("base-url", "https://example.internal/docs").setFlag("output", output)
		if got := p.mustResolve().Writer.Base; got != want {
			t.Errorf("base URL of --output %s: got %s, want %s", output, got, want)
		}
	}
}

// TestSkipReasonOfPreviews checks that previews: skip applies to preview deployments only.
func TestSkipReasonOfPreviews(t *testing.T) {
	deployments := []struct {
		env       map[string]string
		isPreview bool
	}{
		{nil, false},
		{map[string]string{"NETLIFY": "true", "CONTEXT": "production"}, false},
		{map[string]string{"NETLIFY": "true", "CONTEXT": "deploy-preview"}, true},
		{map[string]string{"NETLIFY": "true", "CONTEXT": "branch-deploy"}, true},
		{map[string]string{"CONTEXT": "anything"}, false},
		{map[string]string{"VERCEL_ENV": "production"}, false},
		{map[string]string{"VERCEL_ENV": "preview"}, true},
		{map[string]string{"CF_PAGES_BRANCH": "main"}, false},
		{map[string]string{"CF_PAGES_BRANCH": "feature"}, true},
	}
	for _, d := range deployments {
		for _, mode := range []string{"keep", "skip"} {
			p := newTestProject(t, map[string]string{"sitemap.yaml": "base_url: https://example.internal/\npreviews: " + mode + "\n", builtPage: ""})
			p.env = d.env
			if got, want := p.mustResolve().SkipReason != "", d.isPreview && mode == "skip"; got != want {
				t.Errorf("%v with previews: %s is skipped: %v, want %v", d.env, mode, got, want)
			}
		}
	}
}

func TestResolveHostAndStyle(t *testing.T) {
	plain := mapping.Style{}
	strip := mapping.Style{HTML: mapping.StripHTML}
	tests := map[string]struct {
		files map[string]string
		yaml  string
		host  string
		style mapping.Style
	}{
		"no host":                  {nil, "", "none", plain},
		"detected by file":         {map[string]string{"vercel.json": `{"cleanUrls": true}`}, "", "vercel", strip},
		"host key":                 {map[string]string{"netlify.toml": ""}, "host: nginx", "nginx", plain},
		"urls.html":                {map[string]string{"netlify.toml": ""}, "urls: {html: keep}", "netlify", plain},
		"urls.html and urls.slash": {nil, "urls: {html: strip, slash: add}", "none", mapping.Style{HTML: mapping.StripHTML, Slash: mapping.AddSlash}},
		"host key and urls.slash":  {nil, "host: github\nurls: {slash: remove}", "github", mapping.Style{Slash: mapping.RemoveSlash}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := newTestProject(t, map[string]string{"hugo.toml": hugo, "sitemap.yaml": test.yaml + "\n", builtPage: ""})
			for file, text := range test.files {
				p.writeFile(file, text)
			}
			s := p.mustResolve()
			if s.Site.Hosting.Name() != test.host || s.Site.Style != test.style {
				t.Errorf("got host %s and style %+v, want %s and %+v", s.Site.Hosting.Name(), s.Site.Style, test.host, test.style)
			}
		})
	}
}
