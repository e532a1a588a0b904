package generator

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sitewalk/sitewalk/diag"
)

// archiveFS returns a file system with the files of a txtar archive.
func archiveFS(archive string) fstest.MapFS {
	files := fstest.MapFS{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		files[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return files
}

// noVariables is an environment without variables.
func noVariables(string) string { return "" }

// formatProjects returns a line for each project and each finding.
func formatProjects(projects []Project, diags diag.List) string {
	var b strings.Builder
	for _, p := range projects {
		fmt.Fprintf(&b, "%s: publish %s; content %s", p.Name, strings.Join(p.Publish, ", "), strings.Join(p.Content, ", "))
		if p.BaseURL != "" {
			fmt.Fprintf(&b, "; base %s", p.BaseURL)
		}
		if p.BasePath != "" {
			fmt.Fprintf(&b, "; path %s", p.BasePath)
		}
		if p.Zone != nil {
			fmt.Fprintf(&b, "; zone %s", p.Zone)
		}
		for _, l := range p.Mapping.Languages {
			fmt.Fprintf(&b, "; language %s %s", l.Name, l.Code)
		}
		b.WriteString("\n")
	}
	for _, d := range diags {
		b.WriteString(d.String() + "\n")
	}
	return b.String()
}

func TestDetectReadsConfigurationFiles(t *testing.T) {
	for _, test := range []struct{ name, files, want string }{
		{"no files", "", ""},
		{"quarto: book", "-- _quarto.yml --\nproject:\n  type: book\nbook:\n  site-url: https://a.internal/book/\n", `
quarto: publish _book; content .; base https://a.internal/book/`},
		{"quarto: output-dir", "-- _quarto.yaml --\nproject: {type: website, output-dir: docs}\n", `
quarto: publish docs; content .`},
		{"quarto: no website", "-- _quarto.yml --\nformat: pdf\n", ""},
		{"pkgdown: configuration in a folder", "-- pkgdown/_pkgdown.yml --\nurl: https://a.internal\ndestination: public\n", `
pkgdown: publish public; content ; base https://a.internal`},
		{"docfx: configuration in docs", "-- docs/docfx.json --\n{\"build\": {\"dest\": \"../site\", \"sitemap\": {\"baseUrl\": \"https://a.internal/api\"}}}\n", `
docfx: publish site; content ; base https://a.internal/api`},
		{"vuepress: configuration in the root", "-- .vuepress/config.ts --\nexport default defineUserConfig({ base: '/guide/', dest: 'public' })\n", `
vuepress: publish public; content .; path /guide/`},
		{"myst: configuration in docs", "-- docs/myst.yml --\nversion: 1\nproject: {}\nsite: {template: book-theme}\n", `
myst: publish docs/_build/html; content docs`},
		{"myst: no website", "-- myst.yml --\nproject: {exports: [pdf]}\n", ""},
		{"zensical: no project table", "-- zensical.toml --\nsite_url = 'https://a.internal/b/'\nsite_dir = 'out'\n", `
zensical: publish out; content docs; base https://a.internal/b/`},
		{"zensical: with mkdocs.yml", "-- zensical.toml --\n[project]\n-- mkdocs.yml --\nsite_name: x\n", `
zensical: publish site; content docs`},
		{"quartz: version 4", "-- quartz.config.ts --\nconst config: QuartzConfig = { configuration: { baseUrl: 'a.internal/notes', }, plugins: {} }\nexport default config\n", `
quartz: publish public; content content; base https://a.internal/notes`},
		{"quartz: version 5", "-- quartz.config.yaml --\nconfiguration:\n  baseUrl: localhost:8080\n-- quartz.ts --\n", `
quartz: publish public; content content`},
		{"documenter", "-- docs/make.jl --\nusing Documenter, X\nmakedocs(; sitename)\n", `
documenter: publish docs/build; content `},
		{"documenter: make.jl of another tool", "-- make.jl --\nprintln(1)\n", ""},
		{"hugo: defaults", "-- hugo.toml --\nbaseURL = 'https://example.internal/'\n", `
hugo: publish public; content content; base https://example.internal/`},
		{"hugo: placeholder of the starter", "-- hugo.toml --\nbaseURL = 'https://example.org/'\n", `
hugo: publish public; content content`},
		{"docusaurus: placeholder of the starter", "-- docusaurus.config.js --\nconst config = { url: 'https://your-docusaurus-site.example.com', baseUrl: '/' };\nmodule.exports = config;\n", `
docusaurus: publish build; content `},
		{"hugo: local base", "-- hugo.toml --\ntitle='x'\nbaseURL = 'http://localhost:1313/'\n", `
hugo: publish public; content content`},
		{"hugo: json with tabs", "-- hugo.json --\n{\n\t\"baseURL\": \"https://a.internal/\",\n\t\"publishDir\": \"out/www/\",\n\t\"timeZone\": \"Europe/Oslo\"\n}\n", `
hugo: publish out/www; content content; base https://a.internal/; zone Europe/Oslo`},
		{"hugo: broken json", "-- hugo.json --\n{\n\t\"baseURL\": \"https://a.internal/\",\n}\n-- public/index.html --\n", `
: publish public; content 
hugo.json:3:1: error: not valid JSON: invalid character '}' looking for beginning of object key string [bad-syntax]`},
		{"hugo: broken toml", "-- hugo.toml --\na = 1\nb = \n", `
hugo.toml:2:5: error: not valid TOML: unexpected character U+000A at start of value [bad-syntax]`},
		{"hugo: unknown zone", "-- hugo.yaml --\ntimeZone: Mars/Olympus\n", `
hugo: publish public; content content
hugo.yaml:1:11: warning: time zone "Mars/Olympus" is not known [bad-time-zone]`},
		{"hugo: languages", "-- config/_default/hugo.yaml --\nbaseURL: https://a.internal/\n-- config/_default/languages.yaml --\nde: {weight: 2, languageCode: de-DE}\nen: {weight: 1, locale: en-US}\n-- config/_default/languages.de.yaml --\nx: 1\n-- config/staging/hugo.yaml --\nbaseURL: https://staging.internal/\n", `
hugo: publish public; content content; base https://a.internal/; language en en-US; language de de-DE`},
		{"hugo: one file for each language", "-- config/_default/hugo.toml --\nbaseURL = 'https://a.internal/'\n-- config/_default/languages.en.toml --\nlocale = 'en-US'\nweight = 1\ncontentDir = 'content/en'\n-- config/_default/languages.zh-CN.yaml --\nweight: 2\ncontentDir: content/zh\n-- config/_default/hugo.zh-CN.yaml --\nlocale: zh-Hans\n-- config/_default/params.en.toml --\ncontentDir = 'x'\n-- config/_default/params.zh-cn.toml --\n[params]\nlocale = 'x'\n-- config/_default/menus.en.toml --\n[[main]]\nname = 'x'\n", `
hugo: publish public; content content/en, content/zh; base https://a.internal/; language en en-US; language zh-cn zh-Hans`},
		{"config.toml of another tool", "-- config.toml --\n[server]\nport = 1\n", ""},
		{"zola", "-- config.toml --\nbase_url = 'https://z.internal'\ndefault_language = 'fr'\n[languages.en]\n", `
zola: publish public; content content; base https://z.internal; language en en; language fr fr`},
		{"jekyll", "-- _config.yml --\nurl: \"https://j.internal\"\nbaseurl: /docs\ntimezone: Asia/Tokyo\n", `
jekyll: publish _site; content .; base https://j.internal/docs/; path /docs/; zone Asia/Tokyo`},
		{"jekyll: broken", "-- _config.yml --\nurl: [\n", `
_config.yml:2: error: not valid YAML: did not find expected node content [bad-syntax]`},
		{"jekyll: empty", "-- _config.yml --\n# nothing yet\n", `
jekyll: publish _site; content .`},
		{"jekyll: list for configuration", "-- _config.yml --\n- a\n", ""},
		{"mkdocs", "-- mkdocs.yml --\nsite_url: !ENV [SITE, 'https://m.internal/']\nplugins:\n  - x: !!python/name:materialx.emoji.twemoji\n", `
mkdocs: publish site; content docs`},
		{"sphinx", "-- docs/conf.py --\nimport os\nextensions = []\nhtml_baseurl = 'https://s.internal/' # x\n-- docs/_build/dirhtml/index.html --\n", `
sphinx: publish docs/_build/dirhtml; content docs; base https://s.internal/`},
		{"sphinx: computed", "-- docs/source/conf.py --\nextensions = []\nhtml_baseurl = os.environ.get('X', 'https://s.internal/')\n", `
sphinx: publish docs/_build/html; content docs/source`},
		{"eleventy: function", "-- .eleventy.js --\nmodule.exports = function(eleventyConfig) {\n  eleventyConfig.addFilter('x', () => { return { dir: { input: 'no' } }; });\n  return { dir: { input: 'src', output: 'www' } };\n};\n", `
eleventy: publish www; content src`},
		{"eleventy: no configuration", "-- package.json --\n{\"devDependencies\": {\"@11ty/eleventy\": \"^3.1.8\"}}\n", `
eleventy: publish _site; content .`},
		{"eleventy: new name", "-- buildawesome.config.js --\nexport default function (c) { c.setOutputDirectory('out'); }\n", `
eleventy: publish out; content .`},
		{"eleventy: package with the new name", "-- package.json --\n{\"devDependencies\": {\"@awesome.me/buildawesome\": \"^4.0.0\"}}\n", `
eleventy: publish _site; content .`},
		{"sveltekit: options in vite.config", "-- vite.config.ts --\nimport { sveltekit } from '@sveltejs/kit/vite';\nexport default defineConfig({ plugins: [tailwindcss(), sveltekit({ adapter: adapter({ pages: 'www' }), paths: { base: '/b' } })] });\n", `
sveltekit: publish www; content src/routes; path /b/`},
		{"sveltekit: no options", "-- vite.config.ts --\nimport { sveltekit } from '@sveltejs/kit/vite';\nexport default defineConfig({ plugins: [sveltekit()] });\n", `
sveltekit: publish build; content src/routes`},
		{"vite without sveltekit", "-- vite.config.ts --\nexport default defineConfig({ plugins: [] });\n", ""},
		{"astro: no configuration", "-- package.json --\n{\"dependencies\": {\"astro\": \"7.3.5\"}}\n", `
astro: publish dist; content src/pages`},
		{"configuration file before dependency", "-- package.json --\n{\"dependencies\": {\"astro\": \"7.3.5\"}}\n-- hugo.toml --\n", `
hugo: publish public; content content`},
		{"eleventy: named export", "-- eleventy.config.mjs --\nexport default async function (c) { c.setOutputDirectory('out'); }\nexport const config = { dir: { input: `content` } };\n", `
eleventy: publish out; content content`},
		{"astro", "-- astro.config.mjs --\nimport { defineConfig } from 'astro/config';\n// site: 'https://no.internal'\nexport default defineConfig({\n  site: 'https://a.internal', base: '/b',\n  outDir: './www',\n  build: { format: 'file' },\n});\n", `
astro: publish www; content src/pages; base https://a.internal/b/; path /b/`},
		{"vitepress", "-- docs/.vitepress/config.mts --\nimport { defineConfig } from 'vitepress'\nexport default defineConfig({\n  srcDir: 'src', base: '/x/',\n  sitemap: { hostname: 'https://v.internal' }\n})\n", `
vitepress: publish docs/.vitepress/dist; content docs/src; base https://v.internal/x/; path /x/`},
		{"docusaurus", "-- docusaurus.config.ts --\nimport type {Config} from '@docusaurus/types';\nconst config: Config = {\n  url: 'https://d.internal', baseUrl: '/p/', trailingSlash: false,\n  i18n: { defaultLocale: 'en', locales: ['en', 'fr'] },\n  presets: [['classic', { docs: { routeBasePath: '/' } } satisfies Preset.Options]],\n};\nexport default config;\n-- docs/a.md --\n-- blog/b.md --\n", `
docusaurus: publish build; content docs, blog; base https://d.internal/p/; path /p/; language en en; language fr fr`},
		{"next", "-- next.config.js --\n/** @type {import('next').NextConfig} */\nconst nextConfig = { output: 'export', distDir: 'dist' }\nmodule.exports = withMDX(nextConfig)\n", `
next: publish dist; content `},
		{"astro: unterminated string", "-- astro.config.mjs --\nexport default {\n  site: 'https://a.internal\n-- dist/index.html --\n", `
: publish dist; content 
astro.config.mjs:2:9: note: the generator's configuration cannot be read without running it: unterminated string [bad-generator-config]`},
		{"next: no static export", "-- next.config.js --\nmodule.exports = { output: 'standalone' }\n", ""},
		{"publish directories only", "-- dist/index.html --\n-- public/img/a.png --\n-- site/a/b/c.HTML --\n-- build/a/b/c/d.html --\n", `
: publish dist; content 
: publish site; content `},
		{"nuxt", "-- nuxt.config.ts --\nexport default defineNuxtConfig({ app: { baseURL: '/b/' }, site: { url: 'https://n.internal' } })\n", `
nuxt: publish .output/public; content content; base https://n.internal/b/; path /b/`},
		{"gatsby", "-- gatsby-config.js --\nmodule.exports = { pathPrefix: '/b', siteMetadata: { siteUrl: 'https://g.internal' } }\n", `
gatsby: publish public; content src/pages; base https://g.internal`},
		{"sveltekit", "-- svelte.config.js --\nimport adapter from '@sveltejs/adapter-static';\nexport default { kit: { adapter: adapter({ pages: 'www' }), paths: { base: '/b' } } };\n", `
sveltekit: publish www; content src/routes; path /b/`},
		{"svelte without a kit", "-- svelte.config.js --\nexport default { compilerOptions: {} };\n", ""},
		{"hexo", "-- _config.yml --\nurl: https://h.internal/b\nroot: /b/\nsource_dir: source\npublic_dir: www\ntimezone: Asia/Tokyo\n", `
hexo: publish www; content source; base https://h.internal/b; path /b/; zone Asia/Tokyo`},
		{"hexo: root that url does not contain", "-- _config.yml --\nurl: https://h.internal\nroot: /b/\nsource_dir: source\n", `
hexo: publish public; content source; base https://h.internal/b/; path /b/`},
		{"hexo: hexo key in package.json", "-- _config.yml --\nurl: https://h.internal\n-- package.json --\n{\"hexo\": {\"version\": \"8.1.2\"}}\n", `
hexo: publish public; content source; base https://h.internal`},
		{"hexo: dependency in package.json", "-- _config.yml --\nurl: https://h.internal\n-- package.json --\n{\"dependencies\": {\"hexo\": \"^8\"}}\n", `
hexo: publish public; content source; base https://h.internal`},
		{"jekyll: other dependency", "-- _config.yml --\nurl: https://j.internal\n-- package.json --\n{\"dependencies\": {\"x\": \"1\", \"x\": \"2\"}}\n", `
jekyll: publish _site; content .; base https://j.internal`},
		{"pelican", "-- pelicanconf.py --\nSITEURL = ''\nPATH = 'src'\nTIMEZONE = \"Europe/Paris\"\n-- publishconf.py --\nimport os\nfrom pelicanconf import *\nSITEURL = 'https://p.internal'\nOUTPUT_PATH = 'www/'\n", `
pelican: publish www; content src; base https://p.internal; zone Europe/Paris`},
		{"pelican: blank lines", "-- pelicanconf.py --\nAUTHOR = 'x'\n\nSITEURL = 'https://p.internal'\r\n \r\nPATH = 'src'\n\n    OUTPUT_PATH = 'x'\n", `
pelican: publish output; content src; base https://p.internal`},
		{"pelican: computed in publishconf.py", "-- pelicanconf.py --\nSITEURL = 'https://p.internal'\n-- publishconf.py --\nimport os\nSITEURL = os.environ['URL']\n", `
pelican: publish output; content content`},
		{"pelican: computed", "-- pelicanconf.py --\nimport os\nSITEURL = os.environ['URL']\nif True:\n    OUTPUT_PATH = 'x'\nTIMEZONE = 'UTC' + ''\n", `
pelican: publish output; content content`},
		{"nikola", "-- conf.py --\nBLOG_TITLE = 'x'\nSITE_URL = 'https://n.internal/'\nDEFAULT_LANG = 'en'\nTRANSLATIONS = {\n    DEFAULT_LANG: '',\n}\nPOSTS = (\n    ('posts/*.rst', 'blog', 'post.tmpl'), # x\n)\nPAGES = (('pages/*.md', '', 'page.tmpl'),)\nhtml_x = extensions = 1\n", `
nikola: publish output; content posts, pages; base https://n.internal/; language en en`},
		{"pelican: variables", "-- pelicanconf.py --\nHOST = 'https://p.internal'\nSITEURL = HOST\nPATH = OTHER\nA = \nALL = (HOST, A)\nOUTPUT_PATH = ALL\nTIMEZONE = HOST + 'x'\n", `
pelican: publish output; content content; base https://p.internal`},
		{"nikola: languages", "-- conf.py --\nBLOG_TITLE = 'x'\nTRANSLATIONS = {'en': '', 'de': './de'}\n", `
nikola: publish output; content ; language en en; language de de`},
		{"antora", "-- antora-playbook.yml --\nsite: {url: 'https://a.internal/b'}\ncontent: {sources: [{url: ., start_path: docs}, {url: 'https://git.internal/x.git'}]}\n-- docs/antora.yml --\nname: x\nversion: ~\n-- docs/modules/ROOT/pages/index.adoc --\n", `
antora: publish build/site; content ; base https://a.internal/b`},
		{"mdbook", "-- book.toml --\n[book]\nlanguage = 'de'\n[build]\nbuild-dir = 'www'\n[output.html]\nsite-url = '/b/'\n", `
mdbook: publish www; content src; path /b/`},
		{"mdbook: two outputs", "-- book.toml --\n[output.html]\n[output.linkcheck]\n-- book/html/index.html --\n", `
mdbook: publish book/html; content src`},
		{"next: base path", "-- next.config.ts --\nexport default { output: 'export', basePath: '/b' }\n-- app/page.mdx --\n", `
next: publish out; content app; path /b/`},
		{"two generators", "-- hugo.toml --\n-- mkdocs.yml --\nsite_name: x\n", `
hugo: publish public; content content
mkdocs: publish site; content docs`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := formatProjects(Detect(archiveFS(test.files), "", noVariables))
			if want := strings.TrimPrefix(test.want, "\n"); strings.TrimSuffix(got, "\n") != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestDetectReadsEnvironment(t *testing.T) {
	env := map[string]string{"HUGO_ENVIRONMENT": "staging", "HUGO_PUBLISHDIR": "www"}
	projects, diags := Detect(archiveFS("-- config/staging/hugo.yaml --\nbaseURL: https://staging.internal/\n"), "sub", func(k string) string { return env[k] })
	want := "hugo: publish www; content content; base https://staging.internal/\n"
	if got := formatProjects(projects, diags); got != want {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
	i := slices.IndexFunc(projects[0].Settings, func(f Setting) bool { return f.Key == "baseURL" })
	if i < 0 || projects[0].Settings[i].Pos.String() != "sub/config/staging/hugo.yaml:1:10" {
		t.Errorf("settings %v, want baseURL of sub/config/staging/hugo.yaml:1:10", projects[0].Settings)
	}
}

// TestParseProgramFindsLiterals checks that parseProgram finds the values of literals, and that the
// values of computed expressions are unknown.
func TestParseProgramFindsLiterals(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"export default", "export default { site: 'https://a.internal' }", "https://a.internal"},
		{"call with one argument", "export default defineConfig({ 'site': \"https://a.internal\" })", "https://a.internal"},
		{"constant", "const c = { site: `https://a.internal` };\nmodule.exports = c;", "https://a.internal"},
		{"typed constant", "const c: Config<{a: string}> = { site: 'https://a.internal' } as const;\nexport default c", "https://a.internal"},
		{"satisfies", "export default { site: 'https://a.internal' } satisfies Config", "https://a.internal"},
		{"arrow function", "export default () => ({ site: 'https://a.internal' })", "https://a.internal"},
		{"arrow function with body", "export default defineConfig(({ mode }) => { const x = 1; return { site: 'https://a.internal' } })", "https://a.internal"},
		{"immediately called function", "module.exports = (async () => { return { site: 'https://a.internal' } })();", "https://a.internal"},
		{"wrapped twice", "module.exports = withAnalyzer({ enabled: true })(defineConfig({ site: 'https://a.internal' }))", "https://a.internal"},
		{"function with a constant", "export default async function create() { const c = { site: 'https://a.internal' }; return c; }", "https://a.internal"},
		{"escape", `export default { site: 'https:\/\/a.internal' }`, "https://a.internal"},
		{"regular expression before", "const r = /['\"{`]/; export default { x: /[/}]/g, site: 'https://a.internal' }", "https://a.internal"},
		{"spread before", "export default { ...base, site: 'https://a.internal' }", "https://a.internal"},
		{"spread after", "export default { site: 'https://a.internal', ...base }", ""},
		{"duplicate key", "export default { site: 'https://b.internal', site: 'https://a.internal' }", "https://a.internal"},
		{"concatenated", "export default { site: 'https://a.internal' + path }", ""},
		{"fallback", "export default { site: process.env.URL || 'https://a.internal' }", ""},
		{"conditional", "export default { site: dev ? 'http://localhost' : 'https://a.internal' }", ""},
		{"sum over two lines", "export default { x: a +\n 'b', site: 'https://a.internal' }", "https://a.internal"},
		{"template with substitution", "export default { site: `https://${host}` }", ""},
		{"template with substitution after a list", "('https://a.internal');\nexport default { site: `https://${host}` }", ""},
		{"shorthand property", "const site = 'https://a.internal'; export default { site }", "https://a.internal"},
		{"variable", "const url = 'https://a.internal'\nexport default { site: url as string }", "https://a.internal"},
		{"member of a variable", "const c = { a: { b: 'https://a.internal' } }; export default { site: c.a.b }", "https://a.internal"},
		{"spread of a constant", "const c = { site: 'https://a.internal' }; export default { site: 'https://b.internal', ...c }", "https://a.internal"},
		{"spread of a call", "const c = defineConfig({ site: 'https://a.internal' }); export default { ...c, x: 1 }", "https://a.internal"},
		{"sum with a variable", "const url = 'https://a.internal'; export default { site: url + path }", ""},
		{"constant of a sum", "const url = 'https://a.internal' + path; export default { site: url }", ""},
		{"method", "const site = 'https://a.internal'; export default { site() { return 1 } }", ""},
		{"function", "export default { site: () => 'https://a.internal' }", ""},
		{"unknown call", "export default merge({ site: 'https://a.internal' }, other)", ""},
		{"other object", "const other = { site: 'https://a.internal' }; export default {}", ""},
		{"comment", "export default { /* site: 'https://a.internal' */ }", ""},
		{"let", "let c = { site: 'https://a.internal' }; export default c", ""},
		{"import", "import c from './c'; export default { site: c.site }", ""},
		{"variables that refer to each other", "const a = b; const b = a; export default a", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, unterminated := parseProgram([]byte(test.src), "x.js", false)
			if p == nil {
				t.Fatalf("unterminated string at %v", unterminated)
			}
			if got := p.result.at("site").str(); got != test.want {
				t.Errorf("site: got %q, want %q", got, test.want)
			}
		})
	}
}

func TestParseProgramLocatesUnterminatedStrings(t *testing.T) {
	for src, want := range map[string]string{
		"export default {\n a: 'x\n}": "x.js:2:5",
		"a = `x${":                    "x.js:1:5",
	} {
		if p, unterminated := parseProgram([]byte(src), "x.js", false); p != nil || unterminated.String() != want {
			t.Errorf("%q: got position %v, want %s", src, unterminated, want)
		}
	}
}

// FuzzParseProgram checks that parseProgram and the methods of its result do not panic.
func FuzzParseProgram(f *testing.F) {
	f.Add("export default defineConfig({ site: 'https://a.internal', x: [1, `a${b}`], ...c })", false)
	f.Add("module.exports = function (c) { c.set('x'); return { dir: { input: \"\\u0041\" } } }", false)
	f.Add("export=function", false)
	f.Add("export default async function* \n", false)
	f.Add("const a: B<C> = { 'x': /[/]/ } satisfies D; a.x = 1; export default a;", false)
	f.Add("A = ('a', {'b': [\"c\", True]},)\n\"\"\"x\nB = 'y'\n\"\"\"\nC = r'''z''' # w\nC += 'a'\n", true)
	f.Fuzz(func(t *testing.T, src string, python bool) {
		p, _ := parseProgram([]byte(src), "x", python)
		if p == nil {
			return
		}
		p.result.at("site").str()
		p.names.at("config").at("dir", "input").str()
		p.onlyCallArgument("set").str()
	})
}

// FuzzDetect checks that Detect does not panic, and that each project has a publish directory.
func FuzzDetect(f *testing.F) {
	f.Add("hugo.toml", "[[permalinks]]\npattern='/:x'\n[permalinks.target]\npath='/a/**'\n", "")
	f.Add("hugo.yaml", "languages: {de: &a {weight: 1}, en: *a}\npermalinks: {page: {a: /:b[1:]/}}", "uglyURLs: {a: true}")
	f.Add("_config.yml", "collections: [a]\ndefaults: [{scope: {path: x}, values: {sitemap: false}}]\n", "")
	f.Add("mkdocs.yml", "a: !!python/name:b\n<<: *c\n", "")
	f.Add("docs/conf.py", "extensions = []\nhtml_baseurl = 'x'\n", "")
	f.Add("docusaurus.config.js", "import { a, b as c } from './docusaurus.config.js'; const d = c; export default { ...a, d, e: require('./docusaurus.config'), plugins: [[d.x, c]] }", "")
	f.Add("pelicanconf.py", "A = ('a', {'b': [\"c\", True]},)\n\"\"\"x\nSITEURL = 'y'\n\"\"\"\nPATH = r'''z''' # w\nPATH += 'a'\n", "")
	f.Add("conf.py", "BLOG_TITLE = 'x'\nPOSTS = (('posts/*.md', 'posts'), (\n", "")
	f.Add("antora-playbook.yml", "content: {sources: [{url: ., start_paths: [a, ../b]}]}\n", "")
	f.Add("svelte.config.js", "export default { kit: { adapter: adapter({ pages: 'a' }) } }", "")
	f.Add("eleventy.config.js", "export default function (c) { c.setIncludesDirectory('a'); return { dir: { input: '.', data: 1 }, pathPrefix: '/b' } }", "")
	f.Add(".vitepress/config.js", "export default { rewrites: { 'a/:b(.*)/(c)': ':b', d() {}, ...e } }", "")
	f.Add("nuxt.config.ts", "export default { i18n: { locales: ['a', { code: 'b', language: 'de' }], strategy: 'prefix' } }", "")
	f.Add("hugo.json", "{\"a\": [1, {\"b\": null}]}", "")
	f.Fuzz(func(t *testing.T, name, src, second string) {
		files := fstest.MapFS{
			name:                        {Data: []byte(src)},
			"config/_default/hugo.yaml": {Data: []byte(second)},
		}
		projects, _ := Detect(files, "", noVariables)
		for _, p := range projects {
			if len(p.Publish) == 0 {
				t.Errorf("%s has no publish directory", p.Name)
			}
		}
	})
}
