package hosting

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sitewalk/sitewalk/mapping"
)

// robotsOf returns a Host with the given robots.txt.
func robotsOf(tb testing.TB, text string) *Host {
	base, err := mapping.ParseBase("https://example.com/")
	if err != nil {
		tb.Fatal(err)
	}
	h, _ := Load(Input{Name: "none", Base: base, Publish: fstest.MapFS{"robots.txt": {Data: []byte(text)}}})
	return h
}

// TestRobotsDocumented contains the examples of
// https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt, of RFC 9309
// (section 5), and of Google's parser, https://github.com/google/robotstxt.
func TestRobotsDocumented(t *testing.T) {
	for _, c := range []struct{ rules, allowed, disallowed string }{
		{"Disallow: /", "", "/ /fish"},
		{"Disallow: /*", "", "/ /fish"},
		{"Disallow: *", "", "/ /fish"},
		{"Disallow: /$", "/fish", "/"},
		{"Disallow: /fish", "/Fish.asp /catfish /desert/fish", "/fish /fish.html /fish/salmon.html /fishheads /fishheads/yummy.html"},
		{"Disallow: /fish*", "/Fish.asp /catfish /desert/fish", "/fish /fish.html /fish/salmon.html /fishheads /fishheads/yummy.html"},
		{"Disallow: /fish/", "/fish /fish.html /animals/fish/ /Fish/Salmon.asp", "/fish/ /fish/salmon.htm"},
		{"Disallow: /*.php", "/ /windows.PHP", "/index.php /filename.php /folder/filename.php /folder/any.php.file.html /filename.php/"},
		{"Disallow: /*.php$", "/filename.php/ /filename.php5 /windows.PHP", "/filename.php /folder/filename.php"},
		{"Disallow: /fish*.php", "/Fish.PHP", "/fish.php /fishheads/catfish.php"},

		{"Allow: /p\nDisallow: /", "/page", "/x"},
		{"Allow: /folder\nDisallow: /folder", "/folder/page", ""},
		{"Allow: /page\nDisallow: /*.htm", "", "/page.htm"},
		{"Allow: /page\nDisallow: /*.ph", "/page.php5", ""},
		{"Allow: /$\nDisallow: /", "/", "/page.htm"},

		{"Allow: /example/page/\nDisallow: /example/page/disallowed.gif", "/example/page/", "/example/page/disallowed.gif"},
		{"Disallow: /*.gif$\nAllow: /publications/", "/publications/a.gif /b.gifs", "/b.gif"},
		{"Allow: /x/page.html\nDisallow: /x/", "/x/page.html", "/x/"},
		{"Disallow: /x/page.html\nAllow: /x/", "/x/", "/x/page.html"},
		{"Disallow: \nAllow: ", "/x/page", ""},
		{"Disallow: /\nAllow: /", "/x/page", ""},
		{"Disallow: /x\nAllow: /x/", "/x/", "/x"},
		{"Disallow: /x/page.html\nAllow: /x/page.html", "/x/page.html", ""},
		{"Allow: /page\nDisallow: /*.html", "/page", "/page.html"},
		{"Allow: /x/page.\nDisallow: /*.html", "/x/page.html", "/x/y.html"},
		{"Disallow: /foo/bar/quz/baz\nDisallow: /foo/bar*qux", "/foo/bar/quz", "/foo/bar/qux /foo/bar/foo/qux"},
		{"Disallow: /\nAllow: /foo/bar$", "/foo/bar", "/foo/bar/baz /foo"},
		{"Allow: /allowed-slash/index.html\nDisallow: /", "/allowed-slash/ /allowed-slash/index.html", "/allowed-slash/index.htm /anyother-url"},
		{"Disallow: /foo/bar/ツ", "/foo/bar/baz", "/foo/bar/ツ"},
		{"Disallow: /foo/bar/%E3%83%84", "/foo/bar/baz", "/foo/bar/ツ"},
		{"Disallow: /foo/bar/%e3%83%84", "", "/foo/bar/ツ"},
		{"Disallow: /foo/bar/%62%61%7A", "", "/foo/bar/baz"}, // RFC 9309, section 2.2.2; Google's parser does not decode the path

		{"Disallow: /a$b", "/a", "/a$b"},
		{"Disallow: /a%2Ab", "/axb", "/a*b"},
		{"Disallow: /*?", "/what?", ""},
		{"Disallow: /**x*", "/a", "/x /a/x/b"},
		{"Disallow: /*$", "", "/ /a"},
		{"Disallow: /a*b*c$", "/abcd /ab", "/abc /aXbXc /abbcbc"},
	} {
		h := robotsOf(t, "User-agent: *\n"+c.rules)
		for _, p := range strings.Fields(c.allowed) {
			if _, disallowed := h.DisallowRule(p); disallowed {
				t.Errorf("%q: %s is disallowed", c.rules, p)
			}
		}
		for _, p := range strings.Fields(c.disallowed) {
			if _, disallowed := h.DisallowRule(p); !disallowed {
				t.Errorf("%q: %s is allowed", c.rules, p)
			}
		}
	}
}

// TestRobotsOfOrigin checks that robots.txt forbids only URLs with the scheme, host and port of the
// base URL.
func TestRobotsOfOrigin(t *testing.T) {
	h := robotsOf(t, "User-agent: *\nDisallow: *x\n")
	for loc, want := range map[string]bool{
		"https://example.com/x": true, "https://example.com/a?x": true, "http://example.com/x": false,
		"https://example.com:8080/x": false, "https://example.community/x": false, "https://other.example/x": false,
	} {
		if _, got := h.DisallowRuleForURL(loc); got != want {
			t.Errorf("%s: disallowed %v, want %v", loc, got, want)
		}
	}
}

func BenchmarkDisallowed(b *testing.B) {
	for pattern, n := range map[string]int{
		"/section-%d/": 12_000, "/*/page-%d*": 12_000, "/*e-%d$": 12_000, "*%d*x": 12_000, "/*a*b*c*d*e*%d*x": 12_000, "/admin-%d/": 10,
	} {
		b.Run(fmt.Sprint(n, " ", pattern), func(b *testing.B) {
			var rules strings.Builder
			for i := range n {
				fmt.Fprintf(&rules, "Disallow: "+pattern+"\n", i)
			}
			h := robotsOf(b, "User-agent: *\n"+rules.String())
			b.ResetTimer()
			for i := 0; b.Loop(); i++ {
				h.DisallowRule(fmt.Sprintf("/docs/section-%d/page-%d/", i%1000, i%20_000))
			}
		})
	}
}
