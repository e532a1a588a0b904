package audit

import (
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

// writeFiles writes files into dir. The keys of files are slash-separated paths, the values are
// contents.
func writeFiles(t testing.TB, dir string, files map[string]string) {
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

// buildProject builds the project in dir, writes its sitemap, and returns the build.
func buildProject(t testing.TB, dir string) *engine.Build {
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

// checkFindings checks target and returns the findings, except those that build reported. build may
// be nil.
func checkFindings(t testing.TB, dir, target string, build *engine.Build) diag.List {
	t.Helper()
	c, err := RunCheck(t.Context(), options(dir), target)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	if build != nil {
		for _, k := range build.Findings.Kinds() {
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
			writeFiles(t, dir, randomSite(rand.New(rand.NewPCG(seed, 3))))
			b := buildProject(t, dir)
			for _, d := range checkFindings(t, dir, "", b) {
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
	{"missing entry", "not-listed", remove(`<url><loc>https://example.com/p3/</loc>.*?</url>\n`)},
	{"entry without page", "listed-missing", addEntries("<url><loc>https://example.com/none/</loc></url>\n")},
	{"noindex page", "listed-hidden", addEntries("<url><loc>https://example.com/hidden/</loc></url>\n")},
	{"canonical link to another page", "listed-hidden", addEntries("<url><loc>https://example.com/copy/</loc></url>\n")},
	{"disallowed page", "listed-hidden", addEntries("<url><loc>https://example.com/closed/</loc></url>\n")},
	{"redirected page", "listed-redirect", addEntries("<url><loc>https://example.com/old</loc></url>\n")},
	{"meta refresh", "listed-redirect", addEntries("<url><loc>https://example.com/alias/</loc></url>\n")},
	{"redirect to meta refresh", "listed-redirect", addEntries("<url><loc>https://example.com/alias</loc></url>\n")},
	{"duplicate entry", "listed-twice", addEntries("<url><loc>https://example.com/p3/</loc></url>\n")},
	{"no slash", "misspelt-url", replace("/p3/<", "/p3<")},
	{"index.html", "misspelt-url", replace("/p3/<", "/p3/index.html<")},
	{"case", "misspelt-url", replace("/p3/<", "/P3/<")},
	{"scheme", "misspelt-url", replace("https://example.com/p3/", "http://example.com/p3/")},
	{"host", "misspelt-url", replace("https://example.com/p3/", "https://www.example.com/p3/")},
	{"missing page on www host", "listed-missing", addEntries("<url><loc>https://www.example.com/none/</loc></url>\n")},
	{"other host", "out-of-scope", replace("https://example.com/p3/", "https://example.net/p3/")},
	{"space in URL", "invalid-url", replace("/p3/<", "/p 3/<")},
	{"no scheme", "invalid-url", replace("https://example.com/p3/", "/p3/")},
	{"future date", "doubtful-date", replace("2024-03-04", "2030-03-04")},
	{"other date", "other-date", replace("2024-03-04", "2025-03-04")},
	{"same date everywhere", "same-date", func(s string) string {
		return regexp.MustCompile(`<lastmod>[^<]*`).ReplaceAllString(s, "<lastmod>2025-12-31T10:00:00Z")
	}},
	{"invalid date", "bad-date", replace("2024-03-04", "yesterday")},
	{"order of elements", "off-schema", replace("<loc>https://example.com/p3/</loc><lastmod>2024-03-04</lastmod>", "<lastmod>2024-03-04</lastmod><loc>https://example.com/p3/</loc>")},
	{"unknown element", "off-schema", replace("<loc>https://example.com/p3/</loc>", "<loc>https://example.com/p3/</loc><title>x</title>")},
	{"two loc elements", "duplicate-element", replace("<loc>https://example.com/p3/</loc>", "<loc>https://example.com/p3/</loc><loc>https://example.com/p4/</loc>")},
	{"no loc", "missing-loc", replace("<loc>https://example.com/p3/</loc>", "")},
	{"changefreq", "bad-changefreq", replace("<lastmod>2024-03-04</lastmod>", "<changefreq>often</changefreq>")},
	{"priority", "bad-priority", replace("<lastmod>2024-03-04</lastmod>", "<priority>2</priority>")},
	{"namespace", "wrong-namespace", replace(` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`, "")},
	{"blank line", "bad-xml", func(s string) string { return "\n" + s }},
	{"comment first", "bad-xml", func(s string) string { return "<!-- made by x -->\n" + s }},
	{"truncated", "bad-xml", func(s string) string { return s[:len(s)/2] }},
	{"ampersand", "bad-xml", replace("/p3/<", "/p3/?a&b<")},
	{"overlapping elements", "bad-xml", replace("</loc><lastmod>2024-03-04</lastmod>", "<lastmod></loc>2024-03-04</lastmod>")},
	{"Latin-1", "bad-xml", replace("/p3/<", "/p3/\xe9<")},
	{"wrong encoding declaration", "wrong-encoding", replace("UTF-8", "ISO-8859-1")},
	{"web page", "not-a-sitemap", func(string) string { return "<!doctype html><html><title>Login</title></html>" }},
}

// replace returns a function that replaces the first occurrence of from.
func replace(from, to string) func(string) string {
	return func(s string) string { return strings.Replace(s, from, to, 1) }
}

// remove returns a function that removes the matches of a regular expression.
func remove(expr string) func(string) string {
	return func(s string) string { return regexp.MustCompile(expr).ReplaceAllString(s, "") }
}

// addEntries returns a function that appends entries to a sitemap.
func addEntries(entries string) func(string) string { return replace("</urlset>", entries+"</urlset>") }

// mutationProject returns the files of the project whose sitemap TestCheckFindsMutations edits. The
// sitemap itself is correct.
func mutationProject() map[string]string {
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
	writeFiles(t, dir, mutationProject())
	b := buildProject(t, dir)
	file := filepath.Join(dir, "public", "sitemap.xml")
	correct, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if ds := checkFindings(t, dir, "", b); len(ds) > 0 {
		t.Fatalf("correct sitemap: got findings %v, want none", ds)
	}
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			edited := m.edit(string(correct))
			if edited == string(correct) {
				t.Fatal("the edit changes nothing")
			}
			writeFiles(t, dir, map[string]string{"public/sitemap.xml": edited})
			ds := checkFindings(t, dir, "", b)
			i := slices.IndexFunc(ds, func(d diag.Diagnostic) bool { return d.Code == m.code })
			if i < 0 {
				t.Fatalf("got findings %v, want code %s", ds, m.code)
			}
			if len(ds) > 2 && m.code != "same-date" && m.code != "wrong-namespace" {
				t.Errorf("got %d findings, want at most 2: %v", len(ds), ds)
			}
			if d := ds[i]; d.Pos.File == "public/sitemap.xml" && d.Pos.Line == 0 && m.code != "same-date" {
				t.Errorf("finding %s: got no line, want one", d)
			}
		})
	}
}

// TestCheckFindsMistakesInOtherFiles makes a mistake in a sitemap index, in a compressed sitemap or
// in robots.txt, and checks the code of the finding.
func TestCheckFindsMistakesInOtherFiles(t *testing.T) {
	const head = `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
	index := func(locs ...string) string {
		return head + "<sitemap><loc>" + strings.Join(locs, "</loc></sitemap><sitemap><loc>") + "</loc></sitemap></sitemapindex>"
	}
	const own = "https://example.com/"
	for _, tt := range []struct {
		name, code string
		files      map[string]string
	}{
		{"no sitemap", "no-sitemap", map[string]string{"public/sitemap.xml": ""}},
		{"empty index", "off-schema", map[string]string{"public/sitemap.xml": head + "</sitemapindex>"}},
		{"missing child", "missing-sitemap", map[string]string{"public/sitemap.xml": index(own + "a.xml")}},
		{"index of itself", "missing-sitemap", map[string]string{"public/sitemap.xml": index(own + "sitemap.xml")}},
		{"nested index", "nested-index", map[string]string{"public/sitemap.xml": index(own + "a.xml"), "public/a.xml": index(own + "b.xml")}},
		{"index cycle", "nested-index", map[string]string{"public/sitemap.xml": index(own + "a.xml"), "public/a.xml": index(own + "sitemap.xml")}},
		{"text file without a page", "not-listed", map[string]string{"public/sitemap.txt": "https://example.com/p1/\n", "public/robots.txt": "Sitemap: https://example.com/sitemap.txt"}},
		{"truncated gzip", "bad-file", map[string]string{"public/sitemap.xml": index(own + "a.xml.gz"), "public/a.xml.gz": gzipped("x")[:20]}},
		{"robots.txt names another sitemap", "robots-sitemap", map[string]string{"public/robots.txt": "Sitemap: " + own + "b.xml"}},
		{"robots.txt has a path instead of a URL", "robots-sitemap", map[string]string{"public/robots.txt": "sitemap: /sitemap.xml"}},
		{"robots.txt names localhost", "robots-sitemap", map[string]string{"public/robots.txt": "Sitemap: http://localhost:3000/sitemap.xml\nSitemap: " + own + "sitemap.xml"}},
		{"robots.txt disallows the sitemap", "robots-sitemap", map[string]string{"public/robots.txt": "User-agent: *\nDisallow: /sitemap\nSitemap: " + own + "sitemap.xml"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			writeFiles(t, dir, mutationProject())
			b := buildProject(t, dir)
			writeFiles(t, dir, tt.files)
			if tt.code == "no-sitemap" {
				os.Remove(filepath.Join(dir, "public", "sitemap.xml"))
				os.Remove(filepath.Join(dir, "public", "robots.txt"))
			}
			ds := checkFindings(t, dir, "", b)
			if !slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return d.Code == tt.code }) {
				t.Errorf("got findings %v, want code %s", ds, tt.code)
			}
		})
	}
}

// TestCheckAcceptsSitemapLinesOfGoogle checks that the forms of the Sitemap line that Google
// accepts cause no finding.
func TestCheckAcceptsSitemapLinesOfGoogle(t *testing.T) {
	for _, text := range []string{
		"User-agent: *\rDisallow:\rSitemap: https://example.com/sitemap.xml\r",
		"site-map: https://example.com/sitemap.xml",
		"Sitemap: https://example.com/sitemap.xml\x00 and more",
	} {
		dir := t.TempDir()
		writeFiles(t, dir, mutationProject())
		b := buildProject(t, dir)
		writeFiles(t, dir, map[string]string{"public/robots.txt": text})
		for _, d := range checkFindings(t, dir, "", b) {
			if d.Code == "robots-sitemap" {
				t.Errorf("robots.txt %q: got finding %v, want none", text, d)
			}
		}
	}
}

// TestCheckFindsMistakesWithoutSite checks broken sitemaps without their site. Each mistake must
// cause a finding that names the file.
func TestCheckFindsMistakesWithoutSite(t *testing.T) {
	const head = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n"
	const entry = "<url><loc>https://example.com/%s</loc></url>\n"
	correct := head + fmt.Sprintf(entry, "a") + "</urlset>\n"
	index := func(n int, name string) string {
		one := "<sitemap><loc>https://example.com/" + name + "</loc></sitemap>\n"
		return `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + strings.Repeat(one, n) + "</sitemapindex>"
	}
	for _, tt := range []struct{ name, text, code, message string }{
		{"correct", correct, "", ""},
		{"correct, compressed", gzipped(correct), "", ""},
		{"2 GB", head, "bad-file", "larger than 64 MiB"},
		{"gzip bomb", gzipped(head) + strings.Repeat(gzipped(strings.Repeat(" ", 8<<20)), 20), "bad-file", "larger than 64 MiB"},
		{"gzip within gzip", gzipped(gzipped(correct)), "not-a-sitemap", ""},
		{"truncated gzip", gzipped(correct)[:40], "bad-file", "unexpected EOF"},
		{"external entity", `<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]>` + head[39:] + fmt.Sprintf(entry, "&x;") + "</urlset>", "not-a-sitemap", "has declarations"},
		{"nested entities", `<!DOCTYPE urlset [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;">]>` + head[39:] + fmt.Sprintf(entry, "&b;") + "</urlset>", "not-a-sitemap", "has declarations"},
		{"index of itself", index(1, "s.xml"), "missing-sitemap", "the index itself"},
		{"404 page of a host", "<!DOCTYPE html>\n<html lang=en><head><title>404</title>", "not-a-sitemap", "it is a web page, not a sitemap"},
		{"web page without head", "<p>Not found", "not-a-sitemap", ""},
		{"Latin-1", strings.Replace(correct, "UTF-8", "ISO-8859-1", 1), "wrong-encoding", "iso-8859-1"},
		{"UTF-16", "\xff\xfe" + utf16(correct), "wrong-encoding", "UTF-16"},
		{"unknown encoding", strings.Replace(correct, "UTF-8", "EBCDIC-INT", 1), "not-a-sitemap", "ebcdic"},
		{"empty file", "", "not-a-sitemap", "the file is empty"},
		{"JSON", `{"error": "not found"}`, "not-a-sitemap", ""},
		{"PNG", "\x89PNG\r\n\x1a\n\x00\x00", "not-a-sitemap", ""},
		{"one long line", head + "<url><loc>https://example.com/" + strings.Repeat("a", 3<<20), "bad-xml", ""},
		{"deeply nested", head + strings.Repeat("<a>", 1<<20), "bad-xml", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			writeFiles(t, dir, map[string]string{"s.xml": tt.text})
			if tt.name == "2 GB" {
				if err := os.Truncate(filepath.Join(dir, "s.xml"), 2<<30); err != nil {
					t.Fatal(err)
				}
			}
			var findings []string
			for _, d := range checkFindings(t, dir, "s.xml", nil) {
				if d.Code == tt.code && strings.Contains(d.Message, tt.message) && d.Pos.File == "s.xml" {
					return
				}
				findings = append(findings, fmt.Sprintf("%.200s", d))
			}
			if tt.code != "" || len(findings) > 0 {
				t.Errorf("got findings %q, want code %q with message %q", findings, tt.code, tt.message)
			}
		})
	}
}

// utf16 returns s in UTF-16, little-endian. All characters must be below U+10000.
func utf16(s string) string {
	var b strings.Builder
	for _, c := range s {
		b.WriteByte(byte(c))
		b.WriteByte(byte(c >> 8))
	}
	return b.String()
}

// TestCheckAcceptsEitherEnding checks lists of URLs with and without .html on a host that serves
// both forms. A form is accepted unless the site uses the other form.
func TestCheckAcceptsEitherEnding(t *testing.T) {
	list := func(paths ...string) string {
		return "https://example.com/" + strings.Join(paths, "\nhttps://example.com/") + "\n"
	}
	for _, tt := range []struct {
		name, link, list string
		want             int // findings, all of them misspelt-url
	}{
		{"without .html", "", list("", "a", "b"), 0},
		{"with .html", "", list("", "a.html", "b.html"), 0},
		{"one form for each page", "", list("", "a", "b.html"), 0},
		{"both forms of a page", "", list("", "a", "a.html", "b"), 1},
		{"both forms in other order", "", list("", "a.html", "a", "b"), 1},
		{"against the canonical link", "<link rel=canonical href=/a.html>", list("", "a", "b"), 2}, // the link shows that the site uses .html
		{"with the canonical link", "<link rel=canonical href=/a>", list("", "a", "b"), 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			writeFiles(t, dir, map[string]string{
				"sitemap.yaml":      "base_url: https://example.com/\npages: {dir: public}\nhost: netlify\nlastmod: []\noutput: {name: list.xml, formats: [xml, txt]}\n",
				"public/index.html": "<title>Home</title>", "public/a.html": "<title>A</title>" + tt.link, "public/b.html": "<title>B</title>",
				"public/robots.txt": "Sitemap: https://example.com/list.txt\n", "public/list.txt": tt.list,
			})
			ds := checkFindings(t, dir, "", nil)
			if len(ds) != tt.want || slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return d.Code != "misspelt-url" }) {
				t.Errorf("%d findings, want %d: %v", len(ds), tt.want, ds)
			}
		})
	}
}

// TestCheckStopsReadersAfterError checks a site with an unreadable ledger. RunCheck returns the
// error, and leaves no goroutine behind.
func TestCheckStopsReadersAfterError(t *testing.T) {
	before := runtime.NumGoroutine()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"sitemap.yaml":      "base_url: https://example.com/\npages: {dir: public}\nlastmod: [ledger]\nledger: page.html\n",
		"page.html":         "<!doctype html><title>Not found</title>",
		"public/index.html": "<title>A</title>",
		"public/sitemap.xml": `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` +
			strings.Repeat("<url><loc>https://example.com/</loc></url>", 20_000) + "</urlset>",
	})
	_, err := RunCheck(t.Context(), options(dir), "")
	if err == nil || !strings.Contains(err.Error(), "page.html cannot be read") {
		t.Errorf("RunCheck: got error %v, want one about page.html", err)
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("a goroutine still runs after RunCheck")
}

func TestFolderPrefix(t *testing.T) {
	for loc, want := range map[string]string{
		"https://example.com/a/b?c": "https://example.com/a/",
		"https://example.com/":      "https://example.com/",
		"https://example.com":       "https://example.com/",
		"http://a/x":                "http://a/",
	} {
		if got := folderPrefix(loc); got != want {
			t.Errorf("folderPrefix(%q): got %q, want %q", loc, got, want)
		}
	}
}
