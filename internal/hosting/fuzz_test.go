package hosting

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/mapping"
)

// seeds adds the files called name in testdata/hosts to the corpus of f.
func seeds(f *testing.F, name string) {
	files, _ := filepath.Glob("testdata/hosts/*.txtar")
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range a.Files {
			if strings.TrimPrefix(part.Name, "public/") == name {
				f.Add(part.Data)
			}
		}
	}
}

func noFile(string) bool { return false }

// fuzzFile loads a host with a fuzzed configuration file called name, and checks the answers for a
// few paths.
func fuzzFile(f *testing.F, host, name string) {
	seeds(f, name)
	base, err := mapping.ParseBase("https://example.com/")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		tree := fstest.MapFS{name: {Data: src}, "404.html": {}}
		h, diags := Load(Input{Name: host, Publish: tree, PublishName: "public", Base: base})
		for _, d := range diags {
			if d.Pos.File != "public/"+name && d.Code != "no-404-page" {
				t.Errorf("%v does not name the file", d)
			}
		}
		for _, p := range []string{"/", "/a", "/a/", "/a/b.html", "/ä*$:x", "/" + strings.Repeat("a/", 60)} {
			if a, ok := h.OverridingRule(p, noFile); ok && a.Pos.Line == 0 {
				t.Errorf("%s is redirected by %+v, which has no line", p, a)
			}
			if a, ok := h.NoIndexRule(p); ok && (a.Pos.Line == 0 || a.Text == "") {
				t.Errorf("%s is noindex by %+v, which has no line", p, a)
			}
			if a, ok := h.DisallowRule(p); ok && (a.Pos.Line == 0 || a.Text == "") {
				t.Errorf("%s is disallowed by %+v, which has no line", p, a)
			}
			h.ServedFile(p, func(string) bool { return true })
		}
	})
}

func FuzzNetlifyRedirects(f *testing.F)    { fuzzFile(f, "netlify", "_redirects") }
func FuzzNetlifyHeaders(f *testing.F)      { fuzzFile(f, "netlify", "_headers") }
func FuzzNetlifyTOML(f *testing.F)         { fuzzFile(f, "netlify", "netlify.toml") }
func FuzzCloudflareRedirects(f *testing.F) { fuzzFile(f, "cloudflare", "_redirects") }
func FuzzCloudflareHeaders(f *testing.F)   { fuzzFile(f, "cloudflare", "_headers") }
func FuzzWrangler(f *testing.F)            { fuzzFile(f, "cloudflare", "wrangler.jsonc") }
func FuzzVercel(f *testing.F)              { fuzzFile(f, "vercel", "vercel.json") }
func FuzzFirebase(f *testing.F)            { fuzzFile(f, "firebase", "firebase.json") }
func FuzzAzure(f *testing.F)               { fuzzFile(f, "azure", "staticwebapp.config.json") }
func FuzzGitLabRedirects(f *testing.F)     { fuzzFile(f, "gitlab", "_redirects") }
func FuzzHtaccess(f *testing.F)            { fuzzFile(f, "apache", ".htaccess") }
func FuzzHtaccessBelow(f *testing.F)       { fuzzFile(f, "apache", "a/.htaccess") }
func FuzzAmplify(f *testing.F)             { fuzzFile(f, "amplify", "customHttp.yml") }
func FuzzRender(f *testing.F)              { fuzzFile(f, "render", "render.yaml") }
func FuzzRobots(f *testing.F)              { fuzzFile(f, "s3", "robots.txt") }
func FuzzCNAME(f *testing.F)               { fuzzFile(f, "github", "CNAME") }

// TestFuzzTargetsCoverHosts checks that a fuzz target loads each host with configuration files.
func TestFuzzTargetsCoverHosts(t *testing.T) {
	src, err := os.ReadFile("fuzz_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range platforms {
		if h.read != nil && !bytes.Contains(src, []byte(`fuzzFile(f, "`+h.name+`", `)) {
			t.Errorf("%s reads files of its own; add a fuzz target to fuzz_test.go for each of them", h.name)
		}
	}
}

func FuzzBuildOutput(f *testing.F) {
	seeds(f, ".vercel/output/config.json")
	f.Fuzz(func(t *testing.T, src []byte) {
		root := fstest.MapFS{".vercel/output/config.json": {Data: src}}
		h, diags := Load(Input{Root: root, RootName: ".", PublishName: ".vercel/output/static"})
		if h.Name() != "vercel" {
			t.Fatal(h.Name())
		}
		for _, d := range diags {
			if d.Pos.File != ".vercel/output/config.json" {
				t.Errorf("%v does not name the file", d)
			}
		}
		for _, p := range []string{"/", "/a", "/a/", "/a/b.html", "/" + strings.Repeat("a/", 60)} {
			if a, ok := h.OverridingRule(p, noFile); ok && a.Pos.Line == 0 {
				t.Errorf("%s is redirected by %+v, which has no line", p, a)
			}
			h.Answer(p, noFile)
		}
	})
}

// FuzzPlainJSON checks that blankJSONComments does not change valid JSON.
func FuzzPlainJSON(f *testing.F) {
	seeds(f, "vercel.json")
	seeds(f, "wrangler.jsonc")
	f.Fuzz(func(t *testing.T, src []byte) {
		out := blankJSONComments(src)
		if len(out) != len(src) {
			t.Fatalf("%d bytes became %d", len(src), len(out))
		}
		if json.Valid(src) && string(out) != string(src) {
			t.Errorf("%q became %q", src, out)
		}
	})
}

// TestPatternsStayLinear checks that the time for loading and matching a pattern is proportional to
// the length of the pattern and of the path, even with many wildcards.
func TestPatternsStayLinear(t *testing.T) {
	worlds := func(n int) map[string]fstest.MapFS { // configuration files by host, with patterns of about n bytes
		of := func(unit string) string { return strings.Repeat(unit, n/len(unit)) }
		return map[string]fstest.MapFS{
			"netlify":    {"_redirects": {Data: []byte(of("/*") + " /x 301!\n" + strings.Repeat("*a", 60) + " /y 301!\n/" + strings.Repeat("*a", 63) + " /y 301!\n")}},
			"cloudflare": {"_redirects": {Data: []byte(of("/:a") + " /x\n")}, "404.html": {}},
			"vercel": {"vercel.json": {Data: []byte(`{"redirects": [{"source": "/` + of("(.*)") + `", "destination": "/x"},
				{"source": "/` + strings.Repeat("(a*)", 60) + `b", "destination": "/x"}]}`)}},
			"none": {"robots.txt": {Data: []byte("User-agent: *\nDisallow: /" + of("*a") + "\nDisallow: /" + of("*") + "q\n")}},
		}
	}
	load := func(host string, n int) *Host {
		h, _ := Load(Input{Name: host, Publish: worlds(n)[host]})
		return h
	}
	paths := func(n int) []byte { return []byte("/" + strings.Repeat("a/", n/2)) }
	for host := range worlds(0) {
		t.Run(host, func(t *testing.T) {
			h := load(host, 400)
			testsite.RequireLinear(t, paths, func(path []byte) {
				h.OverridingRule(string(path), noFile)
				h.DisallowRule(string(path))
			})
			testsite.RequireLinear(t, func(n int) []byte { return make([]byte, n) }, func(patterns []byte) { load(host, len(patterns)) })
			sites, path := map[int]*Host{}, string(paths(400))
			sized := func(n int) []byte {
				sites[n] = load(host, n)
				return make([]byte, n)
			}
			testsite.RequireLinear(t, sized, func(patterns []byte) {
				h := sites[len(patterns)]
				h.OverridingRule(path, noFile)
				h.DisallowRule(path)
			})
		})
	}
}

func BenchmarkRedirect(b *testing.B) {
	var src strings.Builder
	for i := range 2000 {
		src.WriteString("/old-section-" + strings.Repeat("x", i%7) + "/" + strings.Repeat("y", i%50) + "/:slug /new/:slug 301!\n")
	}
	h, _ := Load(Input{Name: "netlify", Publish: fstest.MapFS{"_redirects": {Data: []byte(src.String())}}})
	for _, p := range []string{"/posts/some-post/", "/old-section-xxx/nothing"} {
		b.Run(strings.Split(p, "/")[1], func(b *testing.B) {
			for b.Loop() {
				h.OverridingRule(p, noFile)
			}
		})
	}
}
