package page

import (
	"strings"
	"testing"
)

// TestAsBrowsersRead reads HTML that browsers interpret in an unexpected way.
func TestAsBrowsersRead(t *testing.T) {
	tests := map[string]struct{ html, canonical, title string }{
		"one slash":             {html: `<link rel=canonical href="https:/example.com/x">`, canonical: "https://example.com/x"},
		"three slashes":         {html: `<link rel=canonical href="///example.com/x">`, canonical: "//example.com/x"},
		"a path":                {html: `<link rel=canonical href="/x">`, canonical: "/x"},
		"control characters":    {html: "<link rel=canonical href='https://example.com/x\x01\x1f'>", canonical: "https://example.com/x"},
		"undeclared 8-bit page": {html: "<title>Caf\xe9 \x93a\x94</title>", title: "Café “a”"},
		"UTF-8 declared":        {html: "<meta charset=utf-8><title>Caf\xe9</title>", title: "Caf\ufffd"},
		"undeclared UTF-8 page": {html: "<title>Café</title>", title: "Café"},
	}
	for name, tt := range tests {
		var f Facts
		NewReader(Options{Titles: true}).ReadBytes([]byte(tt.html), &f)
		if f.Canonical != tt.canonical || f.Title != tt.title {
			t.Errorf("%s: canonical %q, title %q, %v", name, f.Canonical, f.Title, f.Diags)
		}
	}
}

func TestLinksInAndBehindSVG(t *testing.T) {
	for src, want := range map[string]string{
		"<svg><title>x<p><a href=a>":                                         "a",
		"<svg><title>x</title></svg><script>'<a href=b>'</script><a href=a>": "a",
		"<svg><style><a href=a></style></svg><a href=b>":                     "a b",
		"<a href='a\x01\x02'>":                                               "a",
	} {
		var found []string
		new(Refs).Find([]byte(src), func(r Ref) { found = append(found, string(r.Value)) })
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
}

// TestBuildNoise checks that text that differs between two builds of the same source is not
// content.
func TestBuildNoise(t *testing.T) {
	page := func(body string) string {
		return fingerprint(t, FingerprintOptions{}, "<title>T</title><body><main><p>Text of the page.</p>"+body+"</main>")
	}
	same := map[string][2]string{
		"address in memory":      {"<p>default=&lt;function f at 0x7f1a2b3c4d5e&gt;</p>", "<p>default=&lt;function f at 0x7f99aa001122&gt;</p>"},
		"commit in a link":       {"<a href=https://github.com/a/b/blob/0123456789abcdef0123456789abcdef01234567/x.jl#L3>source</a>", "<a href=https://github.com/a/b/blob/89abcdef0123456789abcdef0123456701234567/x.jl#L4>source</a>"},
		"commit":                 {"<p>Revision 0123456789abcdef0123456789abcdef01234567.</p>", "<p>Revision 89abcdef0123456789abcdef0123456701234567.</p>"},
		"time of a build":        {"<p>Built on 2024-01-02 03:04:05 UTC</p>", "<p>Built on 2025-11-12 13:14:15 UTC</p>"},
		"ISO time":               {"<p>2024-01-02T03:04Z</p>", "<p>2025-11-12T13:14Z</p>"},
		"short commit in a link": {"<a href=https://github.com/a/b/tree/0123456/x.py>x</a>", "<a href=https://github.com/a/b/tree/89abcde/x.py>x</a>"},
		"generator":              {"<p>Created using <a href=https://www.sphinx-doc.org/>Sphinx</a> 7.2.6.</p>", "<p>Created using <a href=https://www.sphinx-doc.org/>Sphinx</a> 8.1.0.</p>"},
		"year":                   {"<p>© 2020-2024, Example</p>", "<p>© 2020-2025, Example</p>"},
		"footer":                 {"<footer>a</footer>", "<footer>b</footer>"},
		"navigation":             {"<nav><a href=/a>a</a></nav>", "<nav><a href=/b>b</a></nav>"},
		"script":                 {"<script>a()</script>", "<script nonce=x>b()</script>"},
		"style":                  {"<style>a{}</style>", "<style>b{}</style><link rel=stylesheet href=/b.css>"},
		"asset hash":             {"<img src=/a.0a1b2c.png alt=A><a href=/a.0a1b2c.png>A</a>", "<img src=/a.3d4e5f.png alt=A><a href=/a.3d4e5f.png>A</a>"},
		"build id":               {"<a href=/a/?v=17#x>a</a>", "<a href=/a/?v=18#x>a</a>"},
		"white space":            {"<p>a  <b>b</b></p>", "<p>a\n<b>b</b> </p>"},
		"theme":                  {"<p>Built with the PyData Sphinx Theme 0.15.2.</p>", "<p>Built with the PyData Sphinx Theme 0.16.0.</p>"},
	}
	for name, p := range same {
		if page(p[0]) != page(p[1]) {
			t.Errorf("%s: the fingerprints differ", name)
		}
	}
	titled := func(title string) string {
		return fingerprint(t, FingerprintOptions{}, "<title>"+title+"</title><main>Text</main>")
	}
	if titled("Lakes 1.2+ga92c280") != titled("Lakes 1.2+g7eabc34") {
		t.Error("the commit of a described version: the fingerprints differ")
	}
	if titled("API — Lakes a92c280 documentation") != titled("API — Lakes 7eabc34 documentation") {
		t.Error("a commit in the title: the fingerprints differ")
	}
	if titled("Flight 1234567") == titled("Flight 1234568") || titled("Acceded") == titled("Effaced") {
		t.Error("a number or a word in the title: the fingerprints are equal")
	}
	other := map[string][2]string{
		"version in the text": {"<p>Install version 1.2.3.</p>", "<p>Install version 1.2.4.</p>"},
		"day":                 {"<p>The meeting is on 2024-01-02.</p>", "<p>The meeting is on 2024-01-03.</p>"},
		"opening hours":       {"<p>We open at 8:30.</p>", "<p>We open at 9:30.</p>"},
		"short number":        {"<p>The mask is 0xff.</p>", "<p>The mask is 0xfe.</p>"},
		"link":                {"<a href=/a/1234/>x</a>", "<a href=/a/1235/>x</a>"},
	}
	for name, p := range other {
		if page(p[0]) == page(p[1]) {
			t.Errorf("%s: the fingerprints are equal", name)
		}
	}
}

func TestTooManySelectors(t *testing.T) {
	if err := (FingerprintOptions{Exclude: make([]string, maxSelectors+1)}).Check(); err == nil || !strings.Contains(err.Error(), "at most 100") {
		t.Error(err)
	}
}
