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
	built = "public/index.html"
	hugo  = "baseURL = 'https://hugo.internal/'\n"
)

func TestWhoDecides(t *testing.T) {
	files := map[string]string{"sitemap.yaml": "base_url: https://file.internal/\n", "hugo.toml": hugo, built: ""}
	tests := []struct {
		name, flag, env string
		file            bool
		want, by        string
	}{
		{"flag", "https://flag.internal", "https://env.internal", true, "https://flag.internal/", "flag"},
		{"environment", "", "https://env.internal", true, "https://env.internal/", "environment"},
		{"file", "", "", true, "https://file.internal/", "file"},
		{"detection", "", "", false, "https://hugo.internal/", "detected"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, files)
			if !test.file {
				w.write("sitemap.yaml", "")
			}
			if test.flag != "" {
				w.set("base-url", test.flag)
			}
			w.env["SITEWALK_BASE_URL"] = test.env
			s := w.settings()
			if got := s.Site.Base.String(); got != test.want {
				t.Errorf("base %s, want %s", got, test.want)
			}
			i := slices.IndexFunc(s.Origins, func(o Origin) bool { return o.Key == "base_url" })
			if i < 0 || s.Origins[i].By != test.by {
				t.Errorf("want base_url by %s: %v", test.by, s.Origins)
			}
		})
	}
}

func TestEveryFlagHasAVariable(t *testing.T) {
	w := newWorld(t, map[string]string{"site/index.html": "", "other.yaml": "git_date: committer\n", "docs/a.md": ""})
	for name, value := range map[string]string{
		"CONFIG": "other.yaml", "DIR": "site", "BASE_URL": "https://example.internal", "CONTENT": "docs", "OUTPUT": "out",
		"HOST": "none", "LASTMOD": "git,html", "FORMAT": "txt, rss", "GZIP": "only", "JOBS": "3",
	} {
		w.env["SITEWALK_"+name] = value
	}
	s := w.settings()
	if !s.Site.Git.Committer || w.rel(s.Site.Pages.Dir) != "site" || w.rel(s.Site.Content.Dir) != "docs" || w.rel(s.Writer.Dir) != "out" ||
		!slices.Equal(s.Site.LastMod, []string{"git", "html"}) || !slices.Equal(s.Writer.Formats, []string{"txt", "rss"}) ||
		s.Writer.Gzip != "only" || s.Site.Jobs != 3 || !s.Site.Page.Titles {
		t.Errorf("%+v", s)
	}
}

func TestBadFlagsAndVariables(t *testing.T) {
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
		w := newWorld(t, map[string]string{"sitemap.yaml": "base_url: https://example.internal/\n", built: ""})
		_, _, err := w.set(test.flag, test.value).resolve()
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
	w := newWorld(t, map[string]string{built: ""})
	w.env = map[string]string{"SITEWALK_BASE_URL": "ftp://a/", "SITEWALK_JOBS": "all", "SOURCE_DATE_EPOCH": "today"}
	_, _, err := w.resolve()
	for _, want := range []string{`SITEWALK_BASE_URL "ftp://a/"`, `SITEWALK_JOBS "all"`, `SOURCE_DATE_EPOCH "today"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
}

func TestBaseURL(t *testing.T) {
	jekyll := map[string]string{"_config.yml": "url: http://a.internal\nbaseurl: /docs\n", "_site/index.html": ""}
	with := func(files map[string]string, name, text string) map[string]string {
		out := map[string]string{name: text}
		for k, v := range files {
			out[k] = v
		}
		return out
	}
	plain := map[string]string{built: ""}
	netlify := map[string]string{"NETLIFY": "true", "URL": "https://a.internal", "DEPLOY_URL": "https://x--a.netlify.app", "CONTEXT": "deploy-preview"}
	tests := map[string]struct {
		files     map[string]string
		env       map[string]string
		want, err string
	}{
		"generator":                            {jekyll, nil, "http://a.internal/docs/", ""},
		"netlify":                              {plain, netlify, "https://a.internal/", ""},
		"netlify knows of https, not of /docs": {jekyll, netlify, "https://a.internal/docs/", ""},
		"vercel":                               {plain, map[string]string{"VERCEL_PROJECT_PRODUCTION_URL": "a.internal", "VERCEL_URL": "a-x.vercel.app"}, "https://a.internal/", ""},
		"cname":                                {with(plain, "public/CNAME", "A.internal\n"), nil, "https://a.internal/", ""},
		"cname of a branch":                    {with(plain, "CNAME", "a.internal"), nil, "https://a.internal/", ""},
		"cname agrees":                         {with(jekyll, "CNAME", "a.internal"), nil, "http://a.internal/docs/", ""},
		"two":                                  {with(jekyll, "CNAME", "b.internal"), nil, "", "the site has two addresses: http://a.internal/docs/ (url in _config.yml:1:6) and https://b.internal/ (CNAME)"},
		"three":                                {with(plain, "CNAME", "b.internal"), netlify, "", "https://a.internal/ (URL of Netlify) and https://b.internal/ (CNAME)"},
		"none":                                 {plain, nil, "", "the address of the site is not known; give it with -b"},
		"a deployment's is none":               {plain, map[string]string{"CF_PAGES": "1", "CF_PAGES_URL": "https://x.a.pages.dev"}, "", "CF_PAGES_URL=https://x.a.pages.dev is the address of one deployment and is not used"},
		"a vercel deployment's is none":        {plain, map[string]string{"VERCEL_URL": "a-x.vercel.app"}, "", "VERCEL_URL"},
		"localhost is none":                    {plain, map[string]string{"NETLIFY": "true", "URL": "http://localhost:8888"}, "", "is not known"},
		"somebody else's URL":                  {plain, map[string]string{"URL": "https://a.internal"}, "", "is not known"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, test.files)
			if test.env != nil {
				w.env = test.env
			}
			s, _, err := w.resolve()
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("got %v, want %s", err, test.err)
				}
				return
			}
			if err != nil || s.Site.Base.String() != test.want {
				t.Errorf("got %v, %v, want %s", s.Site.Base, err, test.want)
			}
		})
	}
}

func TestWhereThingsAre(t *testing.T) {
	const base = "base_url: https://example.internal/\n"
	tests := map[string]struct {
		files                  map[string]string
		set                    func(*world)
		pages, content, output string
		err                    string
	}{
		"hugo":                              {map[string]string{"hugo.toml": hugo, built: "", "content/a.md": ""}, nil, "public", "content", "public", ""},
		"hugo, not built":                   {map[string]string{"hugo.toml": hugo, "content/a.md": ""}, nil, "", "", "", "the hugo project here publishes to public, which does not exist; build the site first"},
		"a folder":                          {map[string]string{"sitemap.yaml": base, "dist/index.html": ""}, nil, "dist", "", "dist", ""},
		"two folders":                       {map[string]string{"sitemap.yaml": base, "dist/index.html": "", "out/index.html": ""}, nil, "", "", "", "there are 2 built sites here: the folder dist, the folder out; say which: sitewalk DIR"},
		"two folders, one said":             {map[string]string{"sitemap.yaml": base, "dist/index.html": "", "out/index.html": ""}, func(w *world) { w.set("dir", "out") }, "out", "", "out", ""},
		"nothing":                           {map[string]string{"sitemap.yaml": base}, nil, "", "", "", "no built site was found in"},
		"pages.dir":                         {map[string]string{"sitemap.yaml": base + "pages: {dir: web}\n", "web/a.html": "", built: ""}, nil, "web", "", "web", ""},
		"DIR beats pages.dir":               {map[string]string{"sitemap.yaml": base + "pages: {dir: web}\n", "web/a.html": "", built: ""}, func(w *world) { w.set("dir", "public") }, "public", "", "public", ""},
		"content alone":                     {map[string]string{"sitemap.yaml": base, "docs/a.md": "", built: ""}, func(w *world) { w.set("content", "docs").set("output", "out") }, "", "docs", "out", ""},
		"content and DIR":                   {map[string]string{"sitemap.yaml": base, "docs/a.md": "", built: ""}, func(w *world) { w.set("content", "docs").set("dir", "public") }, "public", "docs", "public", ""},
		"content and pages":                 {map[string]string{"sitemap.yaml": base + "pages: {}\n", "docs/a.md": "", built: ""}, func(w *world) { w.set("content", "docs") }, "public", "docs", "public", ""},
		"content in the file":               {map[string]string{"sitemap.yaml": base + "content: {dir: docs}\n", "docs/a.md": "", built: ""}, func(w *world) { w.set("output", "-") }, "", "docs", "", ""},
		"config elsewhere":                  {map[string]string{"site/sitemap.yaml": base + "pages: {dir: web}\n", "site/web/a.html": ""}, func(w *world) { w.set("config", "site/sitemap.yaml") }, "site/web", "", "site/web", ""},
		"flags are relative to the command": {map[string]string{"site/s.yaml": base, "web/a.html": "", "site/web/a.html": ""}, func(w *world) { w.set("config", "site/s.yaml").set("dir", "web") }, "web", "", "web", ""},
		"no such config":                    {map[string]string{built: ""}, func(w *world) { w.set("config", "s.yaml") }, "", "", "", "s.yaml: " + syscall.ENOENT.Error()},
		"config is a folder":                {map[string]string{"sitemap.yaml/": ""}, nil, "", "", "", "sitemap.yaml: it is a folder, not a regular file"},
		"output elsewhere":                  {map[string]string{"sitemap.yaml": base, built: ""}, func(w *world) { w.set("output", "out") }, "public", "", "out", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, test.files)
			if test.set != nil {
				test.set(w)
			}
			s, diags, err := w.resolve()
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("got %v, want %s", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err, diags)
			}
			var pages, content, output string
			if s.Site.Pages != nil {
				pages = w.rel(s.Site.Pages.Dir)
			}
			if s.Site.Content != nil {
				content = w.rel(s.Site.Content.Dir)
			}
			if s.Writer.Dir != "" {
				output = w.rel(s.Writer.Dir)
			}
			if pages != test.pages || content != test.content || output != test.output {
				t.Errorf("pages %q, content %q, output %q", pages, content, output)
			}
		})
	}
}

func TestPublishedFilesAreNoContent(t *testing.T) {
	w := newWorld(t, map[string]string{"_config.yml": "url: https://example.internal\n", "_site/index.html": "", "index.md": ""})
	s := w.settings()
	if s.Site.Content == nil || s.Site.Content.Filter.Match("_site/index.html") || !s.Site.Content.Filter.Match("index.md") {
		t.Errorf("%+v", s.Site.Content)
	}
}

func TestExcludesAddUp(t *testing.T) {
	w := newWorld(t, map[string]string{"sitemap.yaml": "base_url: https://example.internal/\npages: {include: [\"**/*.html\"], exclude: [\"a/**\"]}\n", built: ""})
	w.flags["include"], w.flags["exclude"] = []string{"**/*.htm", "./**/*.html"}, []string{"b/**"}
	f := w.settings().Site.Pages.Filter
	for file, want := range map[string]bool{"x.htm": true, "x.html": true, "a/x.htm": false, "b/x.htm": false, "x.xhtml": false} {
		if f.Match(file) != want {
			t.Errorf("%s: %v, want %v", file, !want, want)
		}
	}
}

func TestOutputBase(t *testing.T) {
	for out, want := range map[string]string{
		"public": "https://example.internal/docs/", "public/maps": "https://example.internal/docs/maps/",
		"elsewhere": "https://example.internal/docs/", "public/a b": "https://example.internal/docs/a%20b/",
	} {
		w := newWorld(t, map[string]string{built: ""}).set("base-url", "https://example.internal/docs").set("output", out)
		if got := w.settings().Writer.Base; got != want {
			t.Errorf("-o %s: base %s, want %s", out, got, want)
		}
	}
}

func TestPreviews(t *testing.T) {
	envs := []struct {
		env  map[string]string
		skip bool
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
	for _, e := range envs {
		for _, mode := range []string{"keep", "skip"} {
			w := newWorld(t, map[string]string{"sitemap.yaml": "base_url: https://example.internal/\npreviews: " + mode + "\n", built: ""})
			w.env = e.env
			if got := w.settings().SkipReason != ""; got != (e.skip && mode == "skip") {
				t.Errorf("%v, previews: %s: skipped %v", e.env, mode, got)
			}
		}
	}
}

func TestHost(t *testing.T) {
	plain := mapping.Style{}
	strip := mapping.Style{HTML: mapping.StripHTML}
	tests := map[string]struct {
		files map[string]string
		yaml  string
		host  string
		style mapping.Style
	}{
		"nothing known": {nil, "", "none", plain},
		"by its file":   {map[string]string{"vercel.json": `{"cleanUrls": true}`}, "", "vercel", strip},
		"named":         {map[string]string{"netlify.toml": ""}, "host: nginx", "nginx", plain},
		"overridden":    {map[string]string{"netlify.toml": ""}, "urls: {html: keep}", "netlify", plain},
		"slash":         {nil, "urls: {html: strip, slash: add}", "none", mapping.Style{HTML: mapping.StripHTML, Slash: mapping.AddSlash}},
		"no slash":      {nil, "host: github\nurls: {slash: remove}", "github", mapping.Style{Slash: mapping.RemoveSlash}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"hugo.toml": hugo, "sitemap.yaml": test.yaml + "\n", built: ""})
			for file, text := range test.files {
				w.write(file, text)
			}
			s := w.settings()
			if s.Site.Hosting.Name() != test.host || s.Site.Style != test.style {
				t.Errorf("host %s, style %+v", s.Site.Hosting.Name(), s.Site.Style)
			}
		})
	}
}
