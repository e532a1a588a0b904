package mapping

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/sitemap"
)

func TestParseBase(t *testing.T) {
	for in, want := range map[string]string{
		"https://example.com":             "https://example.com/",
		" https://example.com/docs ":      "https://example.com/docs/",
		"HTTPS://EXAMPLE.com:443/Docs/":   "https://example.com/Docs/",
		"http://example.com:80":           "http://example.com/",
		"http://example.com:8080/a/../b/": "http://example.com:8080/b/",
		"https://münchen.de/straße":       "https://xn--mnchen-3ya.de/stra%C3%9Fe/",
		"https://faß.example/":            "https://xn--fa-hia.example/",
		"https://例え.テスト":                  "https://xn--r8jz45g.xn--zckzah/",
		"https://xn--mnchen-3ya.de/":      "https://xn--mnchen-3ya.de/",
		"https://example.com/a%20b c":     "https://example.com/a%20b%20c/",
		"http://[::1]:1313/":              "http://[::1]:1313/",
		"http://127.0.0.1/":               "http://127.0.0.1/",
		"https://example.com/notes.txt/":  "https://example.com/notes.txt/",
		"https://example.php":             "https://example.php/",
		"https://my_site.example":         "https://my_site.example/",
	} {
		b, err := ParseBase(in)
		if err != nil || b.String() != want {
			t.Errorf("ParseBase(%q) = %q, %v, want %q", in, b, err, want)
			continue
		}
		if again, err := ParseBase(b.String()); err != nil || again != b {
			t.Errorf("ParseBase(%q) is not stable: %q, %v", b, again, err)
		}
	}
}

func TestParseBaseSuggestsCorrection(t *testing.T) {
	for in, want := range map[string]string{
		"":                               `base_url is empty; write the site's address, such as https://example.com/`,
		"example.com":                    `base_url "example.com" has no scheme; write https://example.com/`,
		"/":                              `base_url "/" is only a path; write https://example.com/`,
		"/docs":                          `base_url "/docs" is only a path; write https://example.com/docs/`,
		"example.com/docs/":              `base_url "example.com/docs/" has no scheme; write https://example.com/docs/`,
		"//example.com":                  `base_url "//example.com" has no scheme; write https://example.com/`,
		"localhost:1313":                 `base_url "localhost:1313" has no scheme; write https://localhost:1313/`,
		"ftp://example.com":              `base_url "ftp://example.com" is not an http or https address; write https://example.com/`,
		"https:///docs":                  `base_url "https:///docs" has no host; write https://example.com/`,
		"https://e.com/%zz/":             `base_url "https://e.com/%zz/" has a % without two hexadecimal digits after it; write %25 for the character itself`,
		"https://":                       `base_url "https://" has no host; write https://example.com/`,
		"https://example.com/?a=b":       `base_url "https://example.com/?a=b" has a query or a fragment; write https://example.com/`,
		"https://example.com/index.html": `base_url "https://example.com/index.html" names a file; write https://example.com/`,
		"https://e.com/docs/Sitemap.XML": `base_url "https://e.com/docs/Sitemap.XML" names a file; write https://e.com/docs/`,
		"https://example.com/a#b":        `base_url "https://example.com/a#b" has a query or a fragment; write https://example.com/a/`,
		"https://me:secret@example.com/": `base_url has a user name or password; write https://example.com/`,
		"https://example.com:99999/":     `base_url "https://example.com:99999/": the port "99999" is not a number below 65,536`,
		"https://exa mple.com/":          `base_url "https://exa mple.com/": the host "exa mple.com" has the character ' '`,
		"https://a..b/":                  `base_url "https://a..b/": the host "a..b" has an empty label or one of more than 63 characters`,
		"https://[::1/":                  `base_url "https://[::1/": the host "[::1" is not an IPv6 address`,
		"https://example.com/\x01":       `base_url "https://example.com/\x01": the address "https://example.com/\x01" has a control character`,
	} {
		if _, err := ParseBase(in); err == nil || err.Error() != want {
			t.Errorf("ParseBase(%q): %v, want %s", in, err, want)
		}
	}
	if _, err := ParseBase("https://example.com/" + strings.Repeat("a", 2100)); err == nil || len(err.Error()) > 300 {
		t.Errorf("a base URL of 2,120 characters: %v", err)
	}
}

func base(tb testing.TB, s string) Base {
	tb.Helper()
	b, err := ParseBase(s)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func TestLoc(t *testing.T) {
	b := base(t, "https://example.com/docs")
	for in, want := range map[string]string{
		"/":                  "https://example.com/docs/",
		"/posts/a/":          "https://example.com/docs/posts/a/",
		"/a b":               "https://example.com/docs/a%20b",
		"/100%.html":         "https://example.com/docs/100%25.html",
		"/a%20b":             "https://example.com/docs/a%2520b",
		"/a&b='c'":           "https://example.com/docs/a&b='c'",
		`/<x>"y"`:            "https://example.com/docs/%3Cx%3E%22y%22",
		"/c#/f?":             "https://example.com/docs/c%23/f%3F",
		"/[a]{b}|^`\\":       "https://example.com/docs/%5Ba%5D%7Bb%7D%7C%5E%60%5C",
		"/(a)*!$+,;:@~_.-":   "https://example.com/docs/(a)*!$+,;:@~_.-",
		"/café":              "https://example.com/docs/caf%C3%A9",
		"/cafe\u0301":        "https://example.com/docs/cafe%CC%81",
		"/日本/":               "https://example.com/docs/%E6%97%A5%E6%9C%AC/",
		"/.well-known/a.../": "https://example.com/docs/.well-known/a.../",
		"/a//b":              "https://example.com/docs/a//b",
	} {
		got, err := b.Loc(in)
		if err != nil || got != want {
			t.Errorf("Loc(%q) = %q, %v, want %q", in, got, err, want)
		}
		if back, ok := b.Path(got); !ok || back != in {
			t.Errorf("Path(%q) = %q, %v, want %q", got, back, ok, in)
		}
	}
}

func TestLocRejects(t *testing.T) {
	b := base(t, "https://example.com/")
	for in, want := range map[string]string{
		"a":                             "does not begin with a slash",
		"":                              "does not begin with a slash",
		"/a\nb":                         "control character",
		"/a\x7f":                        "control character",
		"/\xff":                         "not valid UTF-8",
		"/a/../b":                       "segment . or ..",
		"/a/.":                          "segment . or ..",
		"/" + strings.Repeat("a", 2028): "2,048",
		"/" + strings.Repeat("é", 400):  "2,048",
	} {
		if got, err := b.Loc(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Loc(%.20q) = %.40q, %v, want an error about %q", in, got, err, want)
		}
	}
	if _, err := b.Loc("/" + strings.Repeat("a", 2027)); err != nil {
		t.Errorf("a URL of 2,047 characters: %v", err)
	}
	if _, err := (Base{}).Loc("/"); err == nil {
		t.Error("the zero Base has a Loc")
	}
}

func TestPathRejects(t *testing.T) {
	b := base(t, "https://example.com/docs/")
	for _, loc := range []string{
		"https://example.com/docs", "https://example.com/", "http://example.com/docs/", "https://example.com/docsify/",
		"https://example.com/docs/?a", "https://example.com/docs/#a", "https://example.com/docs/a%2Fb",
		"https://example.com/docs/%zz", "https://example.com/docs/%0a", "https://example.com/docs/%ff", "",
	} {
		if got, ok := b.Path(loc); ok {
			t.Errorf("Path(%q) = %q", loc, got)
		}
	}
}

func TestHosts(t *testing.T) {
	b := base(t, "https://example.com:8443/docs")
	for _, c := range []struct {
		loc         string
		same, local bool
		own, host   string
	}{
		{"https://example.com:8443/a", true, false, "https://example.com:8443/a", "example.com:8443"},
		{"http://example.com:8443/a", true, false, "https://example.com:8443/a", "example.com:8443"},
		{"https://example.com/a", false, false, "https://example.com/a", "example.com"},
		{"http://localhost:1313/a", false, true, "http://localhost:1313/a", "localhost:1313"},
		{"http://a.localhost/", false, true, "http://a.localhost/", "a.localhost"},
		{"http://[::1]:80/", false, true, "http://[::1]:80/", "[::1]:80"},
		{"http://[::1]/", false, true, "http://[::1]/", "[::1]"},
		{"http://0.0.0.0:4000/", false, true, "http://0.0.0.0:4000/", "0.0.0.0:4000"},
		{"http://notlocalhost/", false, false, "http://notlocalhost/", "notlocalhost"},
	} {
		if b.HasSameHost(c.loc) != c.same || IsLocalHost(c.loc) != c.local || b.WithOwnScheme(c.loc) != c.own || sitemap.HostOf(c.loc) != c.host {
			t.Errorf("%s: same %v, local %v, own %s, host %s", c.loc, b.HasSameHost(c.loc), IsLocalHost(c.loc), b.WithOwnScheme(c.loc), sitemap.HostOf(c.loc))
		}
	}
	if b.Host() != "example.com:8443" || b.Prefix() != "/docs/" || (Base{}).Prefix() != "/" || (Base{}).HasSameHost("") {
		t.Errorf("host %s, prefix %s", b.Host(), b.Prefix())
	}
}

func TestSpelling(t *testing.T) {
	for _, p := range []string{"/a/b", "/a/b/", "/a/b.html", "/a/b/index.html", "/A/B.HTML", "/a/b/index", "/a/b.htm"} {
		if s := SpellingKey(p); s != "/a/b" {
			t.Errorf("Spelling(%q) = %q", p, s)
		}
	}
	for _, p := range []string{"/", "/index.html", "/index"} {
		if s := SpellingKey(p); s != "" {
			t.Errorf("Spelling(%q) = %q", p, s)
		}
	}
}

func FuzzLoc(f *testing.F) {
	for _, s := range []string{"/", "/a b", "/100%", "/é&<>'\"#?", "/a/../b", "/\xff", "/%2F"} {
		f.Add(s)
	}
	b := base(f, "https://example.com/d/")
	f.Fuzz(func(t *testing.T, p string) {
		loc, err := b.Loc(p)
		if err != nil {
			return
		}
		if back, ok := b.Path(loc); !ok || back != p {
			t.Errorf("Path(Loc(%q)) = %q, %v", p, back, ok)
		}
		if again, err := b.Resolve(loc, b.String(), ""); err != nil || again != loc {
			t.Errorf("Resolve(%q) = %q, %v", loc, again, err)
		}
		if !utf8.ValidString(loc) || strings.ContainsAny(loc, " \"<>\\^`{|}#?") {
			t.Errorf("Loc(%q) = %q is no URL", p, loc)
		}
	})
}

func FuzzParseBase(f *testing.F) {
	for _, s := range []string{"https://example.com/docs", "http://münchen.de:80/%7e", "https://a@b/", "//x", "https://[::1]:8/", "http://a%800"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b, err := ParseBase(s)
		if err != nil {
			return
		}
		if again, err := ParseBase(b.String()); err != nil || again != b {
			t.Errorf("ParseBase(%q) = %q, then %q, %v", s, b, again, err)
		}
		if loc, err := b.Loc("/"); err != nil || loc != b.String() {
			t.Errorf("Loc(/) below %q = %q, %v", b, loc, err)
		}
	})
}

func BenchmarkLoc(b *testing.B) {
	home := base(b, "https://example.com/")
	for _, p := range []string{"/posts/some-post-of-mine/", "/posts/café au lait/"} {
		b.Run(p[7:11], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := home.Loc(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestEncodedPunctuation checks Loc, Path, Resolve and AppendResolved on a host that redirects to
// encoded paths.
func TestEncodedPunctuation(t *testing.T) {
	b, _ := ParseBase("https://example.com/a+b/")
	b = b.EncodePunctuation()
	const want = "https://example.com/a%2Bb/c%2B%2B/%40x!*'()"
	loc, err := b.Loc("/c++/@x!*'()")
	_, placed, err2 := b.FileURL(Style{HTML: StripHTML}, "c++/@x!*'().html")
	if loc != want || placed != want || err != nil || err2 != nil {
		t.Errorf("Loc %q %v, FileURL %q %v", loc, err, placed, err2)
	}
	if path, ok := b.Path(want); path != "/c++/@x!*'()" || !ok {
		t.Errorf("Path %q %v", path, ok)
	}
	for _, ref := range []string{want, "https://example.com/a+b/c++/@x!*'()", "/a+b/c++/@x!*'()", "c++/@x!*'()#x", "c%2b+/@x!*'()"} {
		if got, err := b.Resolve(ref, b.String(), ""); got != want || err != nil {
			t.Errorf("Resolve(%q) = %q, %v", ref, got, err)
		}
		if got, ok := b.AppendResolved(nil, []byte(ref), b.String()); ok && string(got) != want {
			t.Errorf("AppendResolved(%q) = %q", ref, got)
		}
	}
	if got, _ := b.Resolve("https://other.example/c++", b.String(), ""); got != "https://other.example/c++" {
		t.Errorf("Resolve of another host = %q", got)
	}
}
