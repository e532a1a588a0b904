package hosting

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sitewalk/sitewalk/mapping"
)

// robotsOf loads a robots.txt.
func robotsOf(tb testing.TB, text string) *Site {
	base, err := mapping.ParseBase("https://example.com/")
	if err != nil {
		tb.Fatal(err)
	}
	s, _, err := Load(Input{Name: "none", Base: base, Publish: fstest.MapFS{"robots.txt": {Data: []byte(text)}}})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// The cases of https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt,
// of RFC 9309 section 5 and of Google's own parser, https://github.com/google/robotstxt.
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
		{"Disallow: /foo/bar/%62%61%7A", "", "/foo/bar/baz"}, // RFC 9309 section 2.2.2; Google's parser takes it literally

		{"Disallow: /a$b", "/a", "/a$b"},
		{"Disallow: /a%2Ab", "/axb", "/a*b"},
		{"Disallow: /*?", "/what?", ""},
		{"Disallow: /**x*", "/a", "/x /a/x/b"},
		{"Disallow: /*$", "", "/ /a"},
		{"Disallow: /a*b*c$", "/abcd /ab", "/abc /aXbXc /abbcbc"},
	} {
		s := robotsOf(t, "User-agent: *\n"+c.rules)
		for _, p := range strings.Fields(c.allowed) {
			if _, disallowed := s.Disallowed(p); disallowed {
				t.Errorf("%q: %s is disallowed", c.rules, p)
			}
		}
		for _, p := range strings.Fields(c.disallowed) {
			if _, disallowed := s.Disallowed(p); !disallowed {
				t.Errorf("%q: %s is allowed", c.rules, p)
			}
		}
	}
}

// expression is what a normalized pattern means, as Google documents it.
func expression(pattern string) *regexp.Regexp {
	pattern, end := strings.CutSuffix(pattern, "$")
	expr := "^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*")
	if end {
		expr += "$"
	}
	return regexp.MustCompile(expr)
}

// Rules that are tried all at once decide as when each is tried alone.
func TestRobotsTree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		letters := make([]byte, r.IntN(9))
		for i := range letters {
			letters[i] = "ab/*"[r.IntN(4)]
		}
		return "/" + string(letters)
	}
	decided := 0
	for range 50 {
		var tree robots
		var patterns []*regexp.Regexp
		for i := range r.IntN(300) {
			pattern := word() + []string{"", "", "", "$"}[r.IntN(4)]
			tree.add(pattern, robotsRule{allow: r.IntN(2) == 0, verdict: Verdict{Status: i}})
			patterns = append(patterns, expression(pattern))
		}
		for range 40 {
			path := strings.ReplaceAll(word()+word(), "*", "")
			var want *robotsRule
			for i := range tree.rules {
				rule := &tree.rules[i]
				if patterns[i].MatchString(path) && (want == nil || rule.length > want.length || rule.length == want.length && rule.allow && !want.allow) {
					want = rule
				}
			}
			if got := tree.decides(path); got != want {
				t.Fatalf("%v\n%s: %+v decides, want %+v", patterns, path, got, want)
			}
			if want != nil {
				decided++
			}
		}
	}
	if decided < 1000 {
		t.Errorf("only %d paths were decided", decided)
	}
}

// A robots.txt pattern means what the expression that Google documents means.
func FuzzRobotsRule(f *testing.F) {
	for _, p := range []string{"/a*b$", "/", "*", "/*", "/a$", "/a$b", "*a*", "/fish*.php", "/**x", "*$", "/a*$", "/%c3%bc", "/%"} {
		f.Add(p, "/fish.php")
		f.Add(p, "/ab")
	}
	origin, _ := mapping.ParseBase("https://example.com/")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		loc, err := origin.Loc(path)
		if err != nil {
			return
		}
		normalized, ok := robotsPattern(pattern)
		if !ok {
			return
		}
		var tree robots
		tree.add(normalized, robotsRule{})
		path = robotsPath(loc[len(origin.String())-1:])
		if want, got := expression(normalized).MatchString(path), tree.decides(path) != nil; got != want {
			t.Errorf("%q (%s) matches %q: %v", pattern, normalized, path, got)
		}
	})
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
			s := robotsOf(b, "User-agent: *\n"+rules.String())
			b.ResetTimer()
			for i := 0; b.Loop(); i++ {
				s.Disallowed(fmt.Sprintf("/docs/section-%d/page-%d/", i%1000, i%20_000))
			}
		})
	}
}
