package audit

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

func TestMain(m *testing.M) {
	testsite.SpeedUp()
	m.Run()
}

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// options returns the options for a check or diff of the project in dir, at noon.
func options(dir string) Options {
	return Options{
		Build: engine.Options{Dir: dir, MaxKept: -1, Stdin: strings.NewReader("")},
		Input: config.Input{Dir: dir, Now: noon, Getenv: func(string) string { return "" }},
	}
}

// write writes files into dir. The keys of files are slash-separated paths, the values are
// contents.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// built builds the project in dir, writes its sitemap, and returns the build.
func built(t testing.TB, dir string) *engine.Build {
	t.Helper()
	o := options(dir)
	b := engine.New(o.Build)
	err := b.Resolve(o.Input)
	if err == nil {
		err = b.ReadSite(t.Context())
	}
	if err == nil {
		err = b.Write(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// checked checks target and returns the findings, except those that the build but reported.
func checked(t testing.TB, dir, target string, but *engine.Build) diag.List {
	t.Helper()
	c, err := RunCheck(t.Context(), options(dir), target)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	if but != nil {
		for _, k := range but.Findings.Kinds() {
			for _, d := range k.List {
				known[d.String()] = true
			}
		}
	}
	var out diag.List
	for _, k := range c.Findings.Kinds() {
		for _, d := range k.List {
			if !known[d.String()] {
				out = append(out, d)
			}
		}
	}
	return out
}

// randomSite returns the files of a random project: its pages, host rules and settings.
func randomSite(rnd *rand.Rand) map[string]string {
	pick := func(all ...string) string { return all[rnd.IntN(len(all))] }
	name := func() string { return pick("a", "b", "ü", "x y", "B") + "/" + pick("x", "y", "z", "1", "q&a") }
	host := pick("netlify", "vercel", "cloudflare", "github", "s3", "nginx", "none", "auto")
	base := pick("https://example.com/", "https://example.com/docs/", "http://example.org/")
	files := map[string]string{"sitemap.yaml": fmt.Sprintf(
		"base_url: %s\npages: {dir: public}\nhost: %s\nlastmod: [frontmatter, html, date]\ncontent: {dir: content}\noutput: {max_urls: %d, gzip: %s, split: %s, robots: %s, formats: %s}\n",
		base, host, 3+rnd.IntN(20), pick("also", "only", "false"), pick("auto", "section", "none"), pick("true", "false"), pick("[xml]", "[xml, txt]"))}
	files["public/index.html"], files["public/404.html"] = "<title>Home</title>", "<title>Not found</title>"
	files["content/index.md"] = "---\ndate: 2020-01-02\n---\n"
	for range 5 + rnd.IntN(25) {
		where := base + name() + pick("", "/", ".html")
		head := pick("", "", "", `<meta name=robots content=noindex>`, `<link rel=canonical href="`+where+`">`,
			`<meta http-equiv=refresh content="0; url=`+where+`">`, `<link rel=alternate hreflang=de href="`+where+`">`,
			fmt.Sprintf(`<meta property="article:modified_time" content="202%d-0%d-01">`, rnd.IntN(9), 1+rnd.IntN(9)))
		page := name()
		files["public/"+page+pick(".html", "/index.html")] = "<!doctype html><title>" + page + "</title>" + head
		if rnd.IntN(3) == 0 {
			files["content/"+page+".md"] = "---\n" + pick("draft: true", "sitemap: false", fmt.Sprintf("lastmod: 2023-0%d-01", 1+rnd.IntN(9)), "title: x") + "\n---\n"
		}
	}
	switch rnd.IntN(3) {
	case 0:
		files["public/_redirects"] = "/" + pick("a", "b") + "/* /" + pick("c", "B/x") + " 301" + pick("", "!") + "\n"
	case 1:
		files["public/robots.txt"] = "User-agent: *\nDisallow: /" + pick("a", "b/x", "q") + "\n"
	}
	return files
}

// TestCheckFindsNothingAfterBuild checks a site right after a build. The check has no findings
// beyond those of the build.
func TestCheckFindsNothingAfterBuild(t *testing.T) {
	for seed := range uint64(testsite.Repeat(30, 150)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, randomSite(rand.New(rand.NewPCG(seed, 3))))
			b := built(t, dir)
			for _, d := range checked(t, dir, "", b) {
				if d.Code != "robots-sitemap" || d.Severity != diag.Note { // robots: false
					t.Errorf("%s", d)
				}
			}
		})
	}
}

// mutations are mistakes to make in a correct sitemap. Each has an edit of the sitemap and the code
// of the finding that must report it.
var mutations = []struct {
	name, code string
	edit       func(s string) string
}{
	{"an entry is missing", "not-listed", without(`<url><loc>https://example.com/p3/</loc>.*?</url>\n`)},
	{"an entry of nothing", "listed-missing", more("<url><loc>https://example.com/none/</loc></url>\n")},
	{"a noindex page", "listed-hidden", more("<url><loc>https://example.com/hidden/</loc></url>\n")},
	{"a copy", "listed-hidden", more("<url><loc>https://example.com/copy/</loc></url>\n")},
	{"a disallowed page", "listed-hidden", more("<url><loc>https://example.com/closed/</loc></url>\n")},
	{"a redirected page", "listed-redirect", more("<url><loc>https://example.com/old</loc></url>\n")},
	{"a page that refreshes", "listed-redirect", more("<url><loc>https://example.com/alias/</loc></url>\n")},
	{"a redirect to a redirect", "listed-redirect", more("<url><loc>https://example.com/alias</loc></url>\n")},
	{"an entry twice", "listed-twice", more("<url><loc>https://example.com/p3/</loc></url>\n")},
	{"no slash", "misspelt-url", put("/p3/<", "/p3<")},
	{"index.html", "misspelt-url", put("/p3/<", "/p3/index.html<")},
	{"case", "misspelt-url", put("/p3/<", "/P3/<")},
	{"scheme", "misspelt-url", put("https://example.com/p3/", "http://example.com/p3/")},
	{"host", "misspelt-url", put("https://example.com/p3/", "https://www.example.com/p3/")},
	{"nothing on another host of ours", "listed-missing", more("<url><loc>https://www.example.com/none/</loc></url>\n")},
	{"another host", "out-of-scope", put("https://example.com/p3/", "https://example.net/p3/")},
	{"a blank", "invalid-url", put("/p3/<", "/p 3/<")},
	{"no scheme", "invalid-url", put("https://example.com/p3/", "/p3/")},
	{"the future", "doubtful-date", put("2024-03-04", "2030-03-04")},
	{"another date", "other-date", put("2024-03-04", "2025-03-04")},
	{"the day of the build", "same-date", func(s string) string {
		return regexp.MustCompile(`<lastmod>[^<]*`).ReplaceAllString(s, "<lastmod>2025-12-31T10:00:00Z")
	}},
	{"no date", "bad-date", put("2024-03-04", "yesterday")},
	{"order", "off-schema", put("<loc>https://example.com/p3/</loc><lastmod>2024-03-04</lastmod>", "<lastmod>2024-03-04</lastmod><loc>https://example.com/p3/</loc>")},
	{"unknown element", "off-schema", put("<loc>https://example.com/p3/</loc>", "<loc>https://example.com/p3/</loc><title>x</title>")},
	{"two locs", "duplicate-element", put("<loc>https://example.com/p3/</loc>", "<loc>https://example.com/p3/</loc><loc>https://example.com/p4/</loc>")},
	{"no loc", "missing-loc", put("<loc>https://example.com/p3/</loc>", "")},
	{"changefreq", "bad-changefreq", put("<lastmod>2024-03-04</lastmod>", "<changefreq>often</changefreq>")},
	{"priority", "bad-priority", put("<lastmod>2024-03-04</lastmod>", "<priority>2</priority>")},
	{"namespace", "wrong-namespace", put(` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`, "")},
	{"blank line", "bad-xml", func(s string) string { return "\n" + s }},
	{"comment first", "bad-xml", func(s string) string { return "<!-- made by x -->\n" + s }},
	{"cut", "bad-xml", func(s string) string { return s[:len(s)/2] }},
	{"ampersand", "bad-xml", put("/p3/<", "/p3/?a&b<")},
	{"crossed", "bad-xml", put("</loc><lastmod>2024-03-04</lastmod>", "<lastmod></loc>2024-03-04</lastmod>")},
	{"Latin-1", "bad-xml", put("/p3/<", "/p3/\xe9<")},
	{"declared otherwise", "wrong-encoding", put("UTF-8", "ISO-8859-1")},
	{"a web page", "not-a-sitemap", func(string) string { return "<!doctype html><html><title>Login</title></html>" }},
}

func put(from, to string) func(string) string {
	return func(s string) string { return strings.Replace(s, from, to, 1) }
}

func without(expr string) func(string) string {
	return func(s string) string { return regexp.MustCompile(expr).ReplaceAllString(s, "") }
}

func more(entries string) func(string) string { return put("</urlset>", entries+"</urlset>") }

// faulty returns the files of the project whose sitemap TestCheckFindsMutations edits. The sitemap
// itself is correct.
func faulty() map[string]string {
	files := map[string]string{
		"sitemap.yaml":             "base_url: https://example.com/\npages: {dir: public}\ncontent: {dir: content}\nhost: netlify\nlastmod: [html]\n",
		"public/index.html":        "<title>Home</title>",
		"public/hidden/index.html": "<meta name=robots content=noindex>",
		"public/copy/index.html":   "<link rel=canonical href=/p1/>",
		"public/alias/index.html":  "<meta http-equiv=refresh content='0; url=/p1/'>",
		"public/closed/index.html": "<title>Closed</title>",
		"public/robots.txt":        "Sitemap: https://example.com/sitemap.xml\nUser-agent: *\nDisallow: /closed/\n",
		"public/_redirects":        "/old /p1/ 301\n",
	}
	for i := range 12 {
		files[fmt.Sprintf("public/p%d/index.html", i)] = fmt.Sprintf("<meta property='article:modified_time' content='2024-%02d-04'><title>%[1]d</title>", i%12+1)
		files[fmt.Sprintf("content/p%d.md", i)] = "---\ndate: 2020-01-02\n---\n"
	}
	files["public/p3/index.html"] = "<meta property='article:modified_time' content='2024-03-04'><title>3</title>"
	return files
}

// TestCheckFindsMutations makes each mistake of mutations in a correct sitemap, and checks that the
// finding has the right code.
func TestCheckFindsMutations(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, faulty())
	b := built(t, dir)
	file := filepath.Join(dir, "public", "sitemap.xml")
	right, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if ds := checked(t, dir, "", b); len(ds) > 0 {
		t.Fatalf("the right one: %v", ds)
	}
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			wrong := m.edit(string(right))
			if wrong == string(right) {
				t.Fatal("nothing was edited")
			}
			write(t, dir, map[string]string{"public/sitemap.xml": wrong})
			ds := checked(t, dir, "", b)
			i := slices.IndexFunc(ds, func(d diag.Diagnostic) bool { return d.Code == m.code })
			if i < 0 {
				t.Fatalf("not named %s: %v", m.code, ds)
			}
			if len(ds) > 2 && m.code != "same-date" && m.code != "wrong-namespace" {
				t.Errorf("one fault, %d findings: %v", len(ds), ds)
			}
			if d := ds[i]; d.Pos.File == "public/sitemap.xml" && d.Pos.Line == 0 && m.code != "same-date" {
				t.Errorf("it has no line: %s", d)
			}
		})
	}
}

// TestCheckReadsFiles makes mistakes in sitemap indexes, compressed sitemaps and robots.txt.
func TestCheckReadsFiles(t *testing.T) {
	const head = `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
	index := func(locs ...string) string {
		return head + "<sitemap><loc>" + strings.Join(locs, "</loc></sitemap><sitemap><loc>") + "</loc></sitemap></sitemapindex>"
	}
	const own = "https://example.com/"
	for _, tt := range []struct {
		name, code string
		files      map[string]string
	}{
		{"none", "no-sitemap", map[string]string{"public/sitemap.xml": ""}},
		{"empty", "off-schema", map[string]string{"public/sitemap.xml": head + "</sitemapindex>"}},
		{"a child is not there", "missing-sitemap", map[string]string{"public/sitemap.xml": index(own + "a.xml")}},
		{"itself", "missing-sitemap", map[string]string{"public/sitemap.xml": index(own + "sitemap.xml")}},
		{"nested", "nested-index", map[string]string{"public/sitemap.xml": index(own + "a.xml"), "public/a.xml": index(own + "b.xml")}},
		{"in a circle", "nested-index", map[string]string{"public/sitemap.xml": index(own + "a.xml"), "public/a.xml": index(own + "sitemap.xml")}},
		{"a twin that lacks a page", "not-listed", map[string]string{"public/sitemap.txt": "https://example.com/p1/\n", "public/robots.txt": "Sitemap: https://example.com/sitemap.txt"}},
		{"torn gzip", "bad-file", map[string]string{"public/sitemap.xml": index(own + "a.xml.gz"), "public/a.xml.gz": zipped("x")[:20]}},
		{"robots.txt names another", "robots-sitemap", map[string]string{"public/robots.txt": "Sitemap: " + own + "b.xml"}},
		{"robots.txt has a path", "robots-sitemap", map[string]string{"public/robots.txt": "sitemap: /sitemap.xml"}},
		{"robots.txt names a local one", "robots-sitemap", map[string]string{"public/robots.txt": "Sitemap: http://localhost:3000/sitemap.xml\nSitemap: " + own + "sitemap.xml"}},
		{"robots.txt forbids it", "robots-sitemap", map[string]string{"public/robots.txt": "User-agent: *\nDisallow: /sitemap\nSitemap: " + own + "sitemap.xml"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, faulty())
			b := built(t, dir)
			write(t, dir, tt.files)
			if tt.code == "no-sitemap" {
				os.Remove(filepath.Join(dir, "public", "sitemap.xml"))
				os.Remove(filepath.Join(dir, "public", "robots.txt"))
			}
			ds := checked(t, dir, "", b)
			if !slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return d.Code == tt.code }) {
				t.Errorf("not named %s: %v", tt.code, ds)
			}
		})
	}
}

// TestCheckReadsRobotsLikeGoogle checks that spellings of the Sitemap line that Google accepts
// cause no finding.
func TestCheckReadsRobotsLikeGoogle(t *testing.T) {
	for _, text := range []string{
		"User-agent: *\rDisallow:\rSitemap: https://example.com/sitemap.xml\r",
		"site-map: https://example.com/sitemap.xml",
		"Sitemap: https://example.com/sitemap.xml\x00 and more",
	} {
		dir := t.TempDir()
		write(t, dir, faulty())
		b := built(t, dir)
		write(t, dir, map[string]string{"public/robots.txt": text})
		for _, d := range checked(t, dir, "", b) {
			if d.Code == "robots-sitemap" {
				t.Errorf("%q: %v", text, d)
			}
		}
	}
}

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

// TestCheckSitemapWithoutSite checks broken sitemaps without their site. Each mistake is a finding
// that names the file, and memory stays bounded.
func TestCheckSitemapWithoutSite(t *testing.T) {
	const head = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n"
	const entry = "<url><loc>https://example.com/%s</loc></url>\n"
	right := head + fmt.Sprintf(entry, "a") + "</urlset>\n"
	index := func(n int, name string) string {
		one := "<sitemap><loc>https://example.com/" + name + "</loc></sitemap>\n"
		return `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + strings.Repeat(one, n) + "</sitemapindex>"
	}
	for _, tt := range []struct{ name, text, code, says string }{
		{"right", right, "", ""},
		{"right, compressed", zipped(right), "", ""},
		{"2 GB", head, "bad-file", "larger than 64 MiB"},
		{"gzip bomb", zipped(head) + strings.Repeat(zipped(strings.Repeat(" ", 8<<20)), 20), "bad-file", "larger than 64 MiB"},
		{"gzip within gzip", zipped(zipped(right)), "not-a-sitemap", ""},
		{"torn gzip", zipped(right)[:40], "bad-file", "unexpected EOF"},
		{"external entity", `<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]>` + head[39:] + fmt.Sprintf(entry, "&x;") + "</urlset>", "not-a-sitemap", "has declarations"},
		{"entities that grow", `<!DOCTYPE urlset [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;">]>` + head[39:] + fmt.Sprintf(entry, "&b;") + "</urlset>", "not-a-sitemap", "has declarations"},
		{"index of itself", index(1, "s.xml"), "missing-sitemap", "the index itself"},
		{"a host's 404 page", "<!DOCTYPE html>\n<html lang=en><head><title>404</title>", "not-a-sitemap", "it is a web page, not a sitemap"},
		{"a web page without a head", "<p>Not found", "not-a-sitemap", ""},
		{"Latin-1", strings.Replace(right, "UTF-8", "ISO-8859-1", 1), "wrong-encoding", "iso-8859-1"},
		{"UTF-16", "\xff\xfe" + wide(right), "wrong-encoding", "UTF-16"},
		{"unknown encoding", strings.Replace(right, "UTF-8", "EBCDIC-INT", 1), "not-a-sitemap", "ebcdic"},
		{"nothing", "", "not-a-sitemap", "the file is empty"},
		{"JSON", `{"error": "not found"}`, "not-a-sitemap", ""},
		{"a PNG", "\x89PNG\r\n\x1a\n\x00\x00", "not-a-sitemap", ""},
		{"one long line", head + "<url><loc>https://example.com/" + strings.Repeat("a", 3<<20), "bad-xml", ""},
		{"deep", head + strings.Repeat("<a>", 1<<20), "bad-xml", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, map[string]string{"s.xml": tt.text})
			if tt.name == "2 GB" {
				if err := os.Truncate(filepath.Join(dir, "s.xml"), 2<<30); err != nil {
					t.Fatal(err)
				}
			}
			var said []string
			for _, d := range checked(t, dir, "s.xml", nil) {
				if d.Code == tt.code && strings.Contains(d.Message, tt.says) && d.Pos.File == "s.xml" {
					return
				}
				said = append(said, fmt.Sprintf("%.200s", d))
			}
			if tt.code != "" || len(said) > 0 {
				t.Errorf("not named %s (%s): %q", tt.code, tt.says, said)
			}
		})
	}
}

func wide(s string) string {
	var b strings.Builder
	for _, c := range s {
		b.WriteByte(byte(c))
		b.WriteByte(byte(c >> 8))
	}
	return b.String()
}

// TestCheckAcceptsEitherEnding checks lists of URLs without .html on a host that serves both forms.
// They are accepted unless the site uses the other form.
func TestCheckAcceptsEitherEnding(t *testing.T) {
	list := func(paths ...string) string {
		return "https://example.com/" + strings.Join(paths, "\nhttps://example.com/") + "\n"
	}
	for _, tt := range []struct {
		name, link, list string
		want             int // findings, all of them misspelt-url
	}{
		{"without", "", list("", "a", "b"), 0},
		{"with", "", list("", "a.html", "b.html"), 0},
		{"each its own", "", list("", "a", "b.html"), 0},
		{"both", "", list("", "a", "a.html", "b"), 1},
		{"both, the other way", "", list("", "a.html", "a", "b"), 1},
		{"against the canonical link", "<link rel=canonical href=/a.html>", list("", "a", "b"), 2}, // the link shows that the site uses .html
		{"with the canonical link", "<link rel=canonical href=/a>", list("", "a", "b"), 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, map[string]string{
				"sitemap.yaml":      "base_url: https://example.com/\npages: {dir: public}\nhost: netlify\nlastmod: []\noutput: {name: list.xml, formats: [xml, txt]}\n",
				"public/index.html": "<title>Home</title>", "public/a.html": "<title>A</title>" + tt.link, "public/b.html": "<title>B</title>",
				"public/robots.txt": "Sitemap: https://example.com/list.txt\n", "public/list.txt": tt.list,
			})
			ds := checked(t, dir, "", nil)
			if len(ds) != tt.want || slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return d.Code != "misspelt-url" }) {
				t.Errorf("%d findings, want %d: %v", len(ds), tt.want, ds)
			}
		})
	}
}

// TestCheckStopsReadersAfterError checks a site with an unreadable ledger. RunCheck returns the error,
// and leaves no goroutine behind.
func TestCheckStopsReadersAfterError(t *testing.T) {
	before := runtime.NumGoroutine()
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"sitemap.yaml":      "base_url: https://example.com/\npages: {dir: public}\nlastmod: [ledger]\nledger: page.html\n",
		"page.html":         "<!doctype html><title>Not found</title>",
		"public/index.html": "<title>A</title>",
		"public/sitemap.xml": `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` +
			strings.Repeat("<url><loc>https://example.com/</loc></url>", 20_000) + "</urlset>",
	})
	_, err := RunCheck(t.Context(), options(dir), "")
	if err == nil || !strings.Contains(err.Error(), "page.html cannot be read") {
		t.Errorf("got the error %v", err)
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("something still runs")
}
