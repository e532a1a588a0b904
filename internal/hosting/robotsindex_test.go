package hosting

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sitewalk/sitewalk/mapping"
)

// robotsOf loads the rules of a robots.txt.
func robotsOf(tb testing.TB, rules string) *Site {
	base, err := mapping.ParseBase("https://example.com/")
	if err != nil {
		tb.Fatal(err)
	}
	s, _, err := Load(Input{Name: "none", Base: base, Publish: fstest.MapFS{"robots.txt": {Data: []byte("User-agent: *\n" + rules)}}})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// Whichever rules are tried on a path, the one decides that would if all were.
func TestRobotsIndex(t *testing.T) {
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
		var rules strings.Builder
		for range r.IntN(300) {
			fmt.Fprintf(&rules, "%s: %s%s\n", []string{"Allow", "Disallow"}[r.IntN(2)], word(), []string{"", "", "", "$"}[r.IntN(4)])
		}
		s := robotsOf(t, rules.String())
		for range 40 {
			path := strings.ReplaceAll(word()+word(), "*", "")
			var want *robotsRule
			for i := range s.robots.rules {
				rule := &s.robots.rules[i]
				if want != nil && (len(rule.pattern) < len(want.pattern) || len(rule.pattern) == len(want.pattern) && !rule.allow) {
					continue
				}
				if !rule.group.Test(path) && rule.match(path) {
					want = rule
				}
			}
			got := s.robots.decides(path)
			if (got == nil) != (want == nil) || got != nil && (got.allow != want.allow || !got.allow && got != want) {
				t.Fatalf("%s\n%s: %+v decides, want %+v", &rules, path, got, want)
			}
			if got != nil {
				decided++
			}
		}
	}
	if decided < 1000 {
		t.Errorf("only %d paths were decided", decided)
	}
}

func BenchmarkDisallowed(b *testing.B) {
	for pattern, n := range map[string]int{"/section-%d/": 12_000, "/*/page-%d*": 12_000, "/*?id=%d$": 12_000, "/admin-%d/": 10} {
		b.Run(fmt.Sprint(n, " ", pattern), func(b *testing.B) {
			var rules strings.Builder
			for i := range n {
				fmt.Fprintf(&rules, "Disallow: "+pattern+"\n", i)
			}
			s := robotsOf(b, rules.String())
			b.ResetTimer()
			for i := 0; b.Loop(); i++ {
				s.Disallowed(fmt.Sprintf("/docs/section-%d/page-%d/", i%1000, i%20_000))
			}
		})
	}
}
