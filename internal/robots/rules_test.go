package robots

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// patternRegexp returns the regular expression for a normalized pattern, according to Google's
// documentation.
func patternRegexp(pattern string) *regexp.Regexp {
	pattern, end := strings.CutSuffix(pattern, "$")
	expr := "^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*")
	if end {
		expr += "$"
	}
	return regexp.MustCompile(expr)
}

// TestDecidingRule compares decidingRule with the strongest of all rules that match the path
// alone, for random rules and paths.
func TestDecidingRule(t *testing.T) {
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
		var rules group
		var patterns []*regexp.Regexp
		for i := range r.IntN(300) {
			pattern := word() + []string{"", "", "", "$"}[r.IntN(4)]
			rules.rules = append(rules.rules, rule{r.IntN(2) == 0, len(pattern), strings.Split(pattern, "*"), Line{Number: i}})
			patterns = append(patterns, patternRegexp(pattern))
		}
		for range 40 {
			path := strings.ReplaceAll(word()+word(), "*", "")
			var want *rule
			for i := range rules.rules {
				if candidate := &rules.rules[i]; patterns[i].MatchString(path) && (want == nil || candidate.isStronger(want)) {
					want = candidate
				}
			}
			if got := rules.decidingRule(path); got != want {
				t.Fatalf("deciding rule of %s: got %+v, want %+v, patterns %v", path, got, want, patterns)
			}
			if want != nil {
				decided++
			}
		}
	}
	if decided < 1000 {
		t.Errorf("got %d paths with a deciding rule, want at least 1000", decided)
	}
}

// FuzzRuleMatches checks that a pattern matches the same paths as its regular expression.
func FuzzRuleMatches(f *testing.F) {
	for _, p := range []string{"/a*b$", "/", "*", "/*", "/a$", "/a$b", "*a*", "/fish*.php", "/**x", "*$", "/a*$", "/%c3%bc", "/%"} {
		f.Add(p, "/fish.php")
		f.Add(p, "/ab")
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if !utf8.ValidString(pattern) || !utf8.ValidString(path) {
			return // package regexp supports only valid UTF-8
		}
		normalized, ok := normalizePattern(pattern)
		if !ok {
			return
		}
		r := rule{texts: strings.Split(normalized, "*")}
		path = normalizePath(path)
		if want, got := patternRegexp(normalized).MatchString(path), r.matches(path+"$"); got != want {
			t.Errorf("pattern %q (%s) matches %q: got %v, want %v", pattern, normalized, path, got, want)
		}
	})
}

// TestForbiddingLine checks the rules of files with several user agents.
func TestForbiddingLine(t *testing.T) {
	for name, c := range map[string]struct{ text, path, line, engine string }{
		"group of all":                     {"User-agent: *\nDisallow: /a", "/a", "Disallow: /a", ""},
		"all except Google":                {"User-agent: *\nDisallow: /\nUser-agent: Googlebot\nAllow: /", "/a", "", ""},
		"all except Bing":                  {"User-agent: *\nDisallow: /\nUser-agent: bingbot/2.0\nDisallow:", "/a", "", ""},
		"all except another crawler":       {"User-agent: *\nDisallow: /\nUser-agent: GPTBot\nAllow: /", "/a", "Disallow: /", ""},
		"only Google":                      {"User-agent: Googlebot\nDisallow: /x", "/x", "", "googlebot"},
		"only Google, other path":          {"User-agent: Googlebot\nDisallow: /x", "/a", "", ""},
		"empty group of all before Google": {"User-agent: *\nUser-agent: googlebot\nDisallow: /", "/a", "Disallow: /", ""},
		"Google and Bing":                  {"User-agent: googlebot\nUser-agent: bingbot\nDisallow: /", "/a", "", "googlebot bingbot"},
		"Googlebot-Image":                  {"User-agent: Googlebot-Image\nDisallow: /", "/a", "", ""},
		"query":                            {"User-agent: *\nDisallow: /*?", "/p?a=1", "Disallow: /*?", ""},
		"path without query":               {"User-agent: *\nDisallow: /*?", "/p", "", ""},
		"query after the end":              {"User-agent: *\nDisallow: /*.php$", "/a.php?x", "", ""},
		"encoded slash":                    {"User-agent: *\nDisallow: /a", "/a%2Fb", "Disallow: /a", ""},
	} {
		rules, _ := Parse([]byte(c.text))
		line, _ := rules.ForbiddingLine(c.path)
		engine := joinForbiddenEngines(rules, c.path)
		if line.Text != c.line || engine != c.engine {
			t.Errorf("%s: got line %q and engines %q, want %q and %q", name, line.Text, engine, c.line, c.engine)
		}
	}
}

// joinForbiddenEngines returns the engines of ForbiddenEngines, separated by spaces.
func joinForbiddenEngines(r *Rules, path string) string {
	var all []string
	for engine := range r.ForbiddenEngines(path) {
		all = append(all, engine)
	}
	return strings.Join(all, " ")
}

// TestRulesMatchLikeGoogle compares the rules of one group with the results of Google's parser.
func TestRulesMatchLikeGoogle(t *testing.T) {
	const allowOnly = "Disallow: /\nAllow: "
	for _, c := range []struct{ name, rules, allowed, forbidden string }{
		{"prefix", allowOnly + "/boat", "/boat /boat.html /boats/row /boat?id=1", "/ /Boat /rowboat /?id=boat"},
		{"useless wildcard", allowOnly + "/boat*", "/boat /boat.html /boats/row", "/ /Boat /rowboat"},
		{"folder", allowOnly + "/boat/", "/boat/ /boat/row /boat/?id=1", "/boat /boat.html /Boat/row"},
		{"wildcard", allowOnly + "/*.php", "/a.php /a/b.php?x /a.php/ //a/b.php.html /a?f=b.php/", "/php/ /a?php /a.PHP"},
		{"wildcard with an end", allowOnly + "/*.php$", "/a.php /a/b.php", "/a.php?x /a.php/ /a.php5 /a?php"},
		{"wildcard between", allowOnly + "/boat*.php", "/boat.php /boats/row.php?x", "/Boat.php /boat"},
		{"end of the root", allowOnly + "/$", "/", "/a"},
		{"longest rule", "Allow: /boats/\nDisallow: /boats/row.html", "/boats/ /boats/sail", "/boats/row.html"},
		{"longest with a wildcard", "Allow: /boat\nDisallow: /*.html", "/boat /boat.htm", "/boat.html"},
		{"equal rules", "Disallow: /boat\nAllow: /boat", "/boat /boats", ""},
		{"empty rules", "Disallow:\nAllow:", "/ /boat", ""},
		{"index file of a folder", allowOnly + "/boats/index.html", "/boats/ /boats/index.html", "/boats/index.htm /boats"},
		{"escapes", allowOnly + "/ü/\nAllow: /%C3%B6/", "/%C3%BC/ /%c3%bc/ /%C3%B6/ /ö/", "/u/"},
		{"escaped letters", allowOnly + "/%62oat", "/boat /%62oat", "/b"},
		{"comment", "Disallow: /boat#s\n# Disallow: /\nAllow: /", "/ /row", "/boat /boats"},
		{"no colon", "disallow /boat", "/", "/boat"},
		{"no slash", "Disallow: boat", "/boat /", ""},
	} {
		rules, _ := Parse([]byte("User-agent: *\n" + c.rules))
		for _, path := range strings.Fields(c.allowed) {
			if line, forbidden := rules.ForbiddingLine(path); forbidden {
				t.Errorf("%s: %s is forbidden by %q, want allowed", c.name, path, line.Text)
			}
		}
		for _, path := range strings.Fields(c.forbidden) {
			if _, forbidden := rules.ForbiddingLine(path); !forbidden {
				t.Errorf("%s: %s is allowed, want forbidden", c.name, path)
			}
		}
	}
}

// TestParseGroupsLikeGoogle compares the groups of user agents with the results of Google's
// parser.
func TestParseGroupsLikeGoogle(t *testing.T) {
	for name, c := range map[string]struct {
		text        string
		isForbidden bool // Googlebot must not request /a
	}{
		"before the first group":   {"Disallow: /\nUser-agent: *\nAllow: /x", false},
		"two groups of one agent":  {"User-agent: Googlebot\nDisallow: /b\nUser-agent: x\nAllow: /\nUser-agent: googlebot\nDisallow: /a", true},
		"other lines between":      {"User-agent: Googlebot\nSitemap: https://a.example/s.xml\nUser-agent: *\nDisallow: /", true},
		"unknown lines between":    {"User-agent: Googlebot\nCrawl-delay: 1\nUser-agent: *\nDisallow: /", true},
		"blank lines in a group":   {"User-agent: Googlebot\n\n\nDisallow: /", true},
		"own group beside all":     {"User-agent: *\nDisallow: /a\nUser-agent: Googlebot\nDisallow: /b", false},
		"name up to a space":       {"User-agent: *\nDisallow: /\nUser-agent: Googlebot x\nAllow: /a", false},
		"keys in any case":         {"USER-AGENT: GOOGLEBOT\nDISALLOW: /", true},
		"unknown keys":             {"foo: Googlebot\nbar: /", false},
		"group of another crawler": {"User-agent: x\nDisallow: /", false},
	} {
		rules, _ := Parse([]byte(c.text))
		line, forbidden := rules.ForbiddingLine("/a")
		if !forbidden {
			forbidden = joinForbiddenEngines(rules, "/a") == "googlebot"
		}
		if forbidden != c.isForbidden {
			t.Errorf("%s: forbidden: got %v (%q), want %v", name, forbidden, line.Text, c.isForbidden)
		}
	}
}
