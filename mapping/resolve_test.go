package mapping

import (
	"net/url"
	"strings"
	"testing"
)

func TestResolve(t *testing.T) {
	b := base(t, "https://example.com/docs/")
	const page = "https://example.com/docs/a/b/"
	for _, c := range []struct{ ref, baseHref, want string }{
		{"https://example.com/docs/a/", "", "https://example.com/docs/a/"},
		{"HTTPS://Example.COM:443/docs/%7ea%2fb/../c", "", "https://example.com/docs/c"},
		{"https://example.com", "", "https://example.com/"},
		{"//cdn.example/x", "", "https://cdn.example/x"},
		{"/x y/é?q=a b&c=%2f#frag", "", "https://example.com/x%20y/%C3%A9?q=a%20b&c=%2F"},
		{"c", "", "https://example.com/docs/a/b/c"},
		{"../c", "", "https://example.com/docs/a/c"},
		{"../../../../../c", "", "https://example.com/c"},
		{"./", "", "https://example.com/docs/a/b/"},
		{"?x=1", "", "https://example.com/docs/a/b/?x=1"},
		{"#top", "", "https://example.com/docs/a/b/"},
		{"c", "/", "https://example.com/c"},
		{"c", "https://cdn.example/d/e", "https://cdn.example/d/c"},
		{"c", "file:///home/me/", "https://example.com/docs/a/b/c"},
		{"  /a\n\tb  ", "", "https://example.com/ab"},
		{`\docs\x`, "", "https://example.com/docs/x"},
		{"https://münchen.de/ü", "", "https://xn--mnchen-3ya.de/%C3%BC"},
		{"/100%", "", "https://example.com/100%25"},
		{"/%41%2e%2e/%27", "", "https://example.com/A../'"},
		{"/a/%2E%2e/b", "", "https://example.com/b"},
		{"/a/..", "", "https://example.com/"},
		{"/..//", "", "https://example.com//"},
		{"/a/..//b", "", "https://example.com//b"},
		{"/a%2fb", "", "https://example.com/a%2Fb"},
		{"http://example.com:80/", "", "http://example.com/"},
		{"/?", "", "https://example.com/?"},
		{"https://ex%61mple.com/", "", "https://example.com/"},
		{"\r\n\f c \t", "", "https://example.com/docs/a/b/c"},
		{"ht\ntps://example.com/a\r\nb", "", "https://example.com/ab"},
		{`https:\\EXAMPLE.com\a\..\b`, "", "https://example.com/b"},
		{`..\c\.`, "", "https://example.com/docs/a/c/"},
		{"%2e%2E/c/%2e", "", "https://example.com/docs/a/c/"},
		{".%2e/.%2E/c", "", "https://example.com/docs/c"},
		{"?", "", "https://example.com/docs/a/b/?"},
		{"//EXAMPLE.com:/?#", "", "https://example.com/?"},
		{"https://faß.de/", "", "https://xn--fa-hia.de/"},
		{"https://ＥＸ\u00adample。com/", "", "https://example.com/"},
	} {
		got, err := b.Resolve(c.ref, page, c.baseHref)
		if err != nil || got != c.want {
			t.Errorf("Resolve(%q, base %q) = %q, %v, want %q", c.ref, c.baseHref, got, err, c.want)
			continue
		}
		if again, err := b.Resolve(got, page, c.baseHref); err != nil || again != got {
			t.Errorf("Resolve(%q) = %q, %v: not stable", got, again, err)
		}
	}
}

func TestResolveRejects(t *testing.T) {
	b := base(t, "https://example.com/")
	for ref, want := range map[string]string{
		"file:///home/me/site/index.html":   "file:, not with http",
		"javascript:void(0)":                "javascript:, not with http",
		"mailto:me@example.com":             "mailto:, not with http",
		"https:foo":                         "no host",
		"https://":                          "no host",
		"https://me:pw@example.com/":        "user name",
		"https://exa mple.com/":             "character ' '",
		"https://example.com:x/":            "port",
		"/a\x00b":                           "control character",
		"/a\xff":                            "UTF-8",
		"/" + strings.Repeat("a", 2050):     "2,048",
		"/" + strings.Repeat("a/../", 5000): "2,048",
		"  ":                                "empty",
	} {
		if got, err := b.Resolve(ref, "https://example.com/", ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Resolve(%.40q) = %q, %v, want an error about %q", ref, got, err, want)
		}
	}
}

// FuzzResolve compares Resolve with net/url for references of plain characters, because both follow
// RFC 3986. It also checks that a result of Resolve resolves to itself.
func FuzzResolve(f *testing.F) {
	for _, s := range []string{"a", "../b", "/c/./d", "//h/p", "?q", "https://x.example/../y", "#f", "a/b/..", "/%7E", "http:x", "/a?b#c", "/a/b/", "/a//b", "/a/.b", "/~c'd"} {
		f.Add(s)
	}
	const page = "https://example.com/docs/a/b"
	b, from := base(f, page), new(url.URL)
	from, _ = from.Parse(page)
	f.Fuzz(func(t *testing.T, ref string) {
		got, err := b.Resolve(ref, page, "")
		if slow, slowErr := b.Resolve(ref, page, page); slow != got || (slowErr == nil) != (err == nil) {
			t.Errorf("Resolve(%q) = %q, %v; against itself %q, %v", ref, got, err, slow, slowErr)
		}
		if err != nil {
			return
		}
		if again, err := b.Resolve(got, page, ""); err != nil || again != got {
			t.Errorf("Resolve(%q) = %q, then %q, %v", ref, got, again, err)
		}
		if strings.Trim(ref, "abcdefghijklmnopqrstuvwxyz0123456789/.?#=&-") != "" || strings.HasPrefix(ref, "//") {
			return
		}
		if strings.HasPrefix(got, "https://example.com//") { // net/url leaves one slash of these, against RFC 3986 and browsers
			return
		}
		to, err := from.Parse(ref)
		if err != nil {
			return
		}
		to.Fragment, to.RawFragment = "", ""
		if want := to.String(); want != got {
			t.Errorf("Resolve(%q) = %q, net/url says %q", ref, got, want)
		}
	})
}
