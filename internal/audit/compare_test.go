package audit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// own is the base URL of the compared lists.
const own = "https://example.com/"

// parseEntries returns an entry for each line, such as "a", "b 2024-01-02" with a date, "c #1" with
// a fingerprint, and "d =Title" with a title. "~" marks the date as vague.
func parseEntries(t *testing.T, lines ...string) (all []datedURL) {
	for _, line := range lines {
		fields := strings.Fields(line)
		u := datedURL{Loc: own + fields[0]}
		for _, f := range fields[1:] {
			switch f[0] {
			case '#':
				u.Fingerprint = f
			case '=':
				u.Title = f[1:]
			case '~':
				u.Vague = true
			default:
				var err error
				if u.LastMod, err = sitemap.ParseDate(f, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		all = append(all, u)
	}
	slices.SortFunc(all, func(a, b datedURL) int { return strings.Compare(a.Loc, b.Loc) })
	return all
}

// answers maps URL paths to what a fake site serves there. The status of all other paths is 404.
type answers map[string]explain.Response

// site returns the answers as siteAnswers. aliases maps a former path to the URLs of
// the pages that have the path as an alias.
func (as answers) site(aliases map[string][]string) *siteAnswers {
	return &siteAnswers{
		Answer: func(loc string) explain.Response {
			if a, ok := as[strings.TrimPrefix(loc, own)]; ok {
				return a
			}
			return explain.Response{Status: 404}
		},
		Aliases:      func(loc string) []string { return aliases[strings.TrimPrefix(loc, own)] },
		RedirectLine: func(from, to string) (lines, file string) { return from + " " + to, "_redirects" },
	}
}

func redirectAnswer(status int, to string) explain.Response {
	return explain.Response{Status: status, To: own + to, Exclusion: site.Exclusion{Reason: page.Redirect, Pos: diag.Pos{File: "_redirects", Line: 1}}}
}

func excludedAnswer(reason page.Reason) explain.Response {
	return explain.Response{Status: 200, Exclusion: site.Exclusion{Reason: reason}}
}

var listedAnswer = explain.Response{Status: 200, Listed: true}

// TestClassifyRemovedURL checks the class of a removed URL for each answer of the site.
func TestClassifyRemovedURL(t *testing.T) {
	for _, tt := range []struct {
		name, want string // want: class, severity and new path
		as         answers
	}{
		{"no answer", "lost error", answers{}},
		{"status 500", "lost error", answers{"x": {Status: 500}}},
		{"noindex", "hidden error", answers{"x": excludedAnswer(page.NoIndex)}},
		{"status 410", "gone on purpose note", answers{"x": {Status: 410}}},
		{"expired", "gone on purpose note", answers{"x": {Status: 404, Exclusion: site.Exclusion{Reason: page.Expired}}}},
		{"served at two URLs", "moved note n, served", answers{"x": {Status: 200, ListedURL: own + "n"}}},
		{"status 301", "moved note n", answers{"x": redirectAnswer(301, "n"), "n": listedAnswer}},
		{"status 308", "moved note n", answers{"x": redirectAnswer(308, "n"), "n": listedAnswer}},
		{"redirect to fragment", "moved note n#y", answers{"x": redirectAnswer(301, "n#y"), "n": listedAnswer}},
		{"meta refresh", "moved note n", answers{"x": {Status: 200, To: own + "n", Refresh: true, Exclusion: site.Exclusion{Reason: page.Redirect}}, "n": listedAnswer}},
		{"status 302", "badly moved warning n", answers{"x": redirectAnswer(302, "n"), "n": listedAnswer}},
		{"status 307", "badly moved warning n", answers{"x": redirectAnswer(307, "n"), "n": listedAnswer}},
		{"redirect chain", "badly moved warning n", answers{"x": redirectAnswer(301, "y"), "y": redirectAnswer(301, "n"), "n": listedAnswer}},
		{"redirect loop", "badly moved error x", answers{"x": redirectAnswer(301, "y"), "y": redirectAnswer(301, "x")}},
		{"redirect to itself", "badly moved error x", answers{"x": redirectAnswer(301, "x")}},
		{"redirect to missing page", "badly moved error y", answers{"x": redirectAnswer(301, "y")}},
		{"redirect to noindex page", "badly moved error y", answers{"x": redirectAnswer(301, "y"), "y": excludedAnswer(page.NoIndex)}},
		{"redirect to another site", "moved note elsewhere", answers{"x": redirectAnswer(301, "elsewhere"), "elsewhere": {}}},
		{"other spelling with noindex", "hidden error", answers{"x": {Status: 308, To: own + "x/", Exclusion: site.Exclusion{Reason: page.Redirect}}, "x/": excludedAnswer(page.NoIndex)}},
		{"other spelling", "lost error", answers{"x": {Status: 308, To: own + "x/", Exclusion: site.Exclusion{Reason: page.Redirect}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := compareLists(compareOptions{Old: parseEntries(t, "x"), New: nil, Site: tt.as.site(nil)})
			got := c.List[0]
			text := strings.TrimSpace(fmt.Sprintf("%s %v %s", got.Class, got.Level, strings.TrimPrefix(got.To, own)))
			if got.Served {
				text += ", served"
			}
			if text != tt.want || len(c.List) != 1 {
				t.Errorf("got %q, want %q: %+v", text, tt.want, c.List)
			}
		})
	}
}

// TestClassifyURLInBothLists checks the class of a URL that both lists contain.
func TestClassifyURLInBothLists(t *testing.T) {
	for _, tt := range []struct{ old, now, want string }{
		{"x", "x", "same"},
		{"x 2024-01-02", "x 2024-01-02T03:04:05Z", "same"},
		{"x 2024-01-02", "x 2024-01-03", Changed},
		{"x 2024-01-03", "x 2024-01-02", Redated},
		{"x", "x 2024-01-03", "same"},
		{"x 2024-01-02", "x", Redated},
		{"x 2024-01-02", "x 2024-01-03 ~", Redated},
		{"x 2024-01-02 #1", "x 2024-01-02 #2", Changed},
		{"x 2024-01-02 #1", "x 2024-01-03 #1", Redated},
		{"x #1", "x #1", "same"},
		{"x 2024-01-02 #1", "x 2024-01-03", Changed},
	} {
		c := compareLists(compareOptions{Old: parseEntries(t, tt.old), New: parseEntries(t, tt.now)})
		got := "same"
		if len(c.List) > 0 {
			got = c.List[0].Class
		}
		if got != tt.want || c.Unchanged+len(c.List) != 1 {
			t.Errorf("old %q, new %q: got class %s, want %s", tt.old, tt.now, got, tt.want)
		}
	}
}

// TestSuggestReplacement checks that a replacement of a lost page is suggested only if there is
// exactly one candidate.
func TestSuggestReplacement(t *testing.T) {
	for _, tt := range []struct {
		name     string
		old, now []string
		aliases  map[string][]string
		want     string // replacement of x/lakes
	}{
		{"no similar page", []string{"x/lakes"}, []string{"y/rivers"}, nil, ""},
		{"same name", []string{"x/lakes"}, []string{"y/lakes"}, nil, "y/lakes"},
		{"same name in another spelling", []string{"x/lakes"}, []string{"y/Lakes.html"}, nil, "y/Lakes.html"},
		{"only the same date", []string{"x/lakes 2024-01-02"}, []string{"y/seas 2024-01-02", "y/ponds 2024-02-03"}, nil, ""},
		{"only the same folder", []string{"x/lakes"}, []string{"x/seas", "y/rivers"}, nil, ""},
		{"two pages with the name", []string{"x/lakes"}, []string{"y/lakes", "z/lakes"}, nil, ""},
		{"two lost pages with the name", []string{"x/lakes", "w/lakes"}, []string{"y/lakes"}, nil, ""},
		{"same title", []string{"x/lakes =L"}, []string{"y/seas =L"}, nil, "y/seas"},
		{"two pages with the title", []string{"x/lakes =L"}, []string{"y/seas =L", "y/ponds =L"}, nil, ""},
		{"same content", []string{"x/lakes #1"}, []string{"y/seas #1"}, nil, "y/seas"},
		{"content wins over name", []string{"x/lakes #1"}, []string{"y/seas #1", "y/lakes #2"}, nil, "y/seas"},
		{"two pages with the content", []string{"x/lakes #1"}, []string{"y/seas #1", "y/ponds #1", "y/lakes #2"}, nil, ""},
		{"alias wins over content", []string{"x/lakes #1"}, []string{"y/seas #1", "y/coasts"}, map[string][]string{"x/lakes": {own + "y/coasts"}}, "y/coasts"},
		{"two aliases", []string{"x/lakes #1"}, []string{"y/seas #1"}, map[string][]string{"x/lakes": {own + "a", own + "b"}}, ""},
		{"page in the old list", []string{"x/lakes", "y/lakes"}, []string{"y/lakes"}, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := compareLists(compareOptions{Old: parseEntries(t, tt.old...), New: parseEntries(t, tt.now...), Site: answers{}.site(tt.aliases)})
			i := slices.IndexFunc(c.List, func(c report.Change) bool { return c.URL == own+"x/lakes" })
			got := c.List[i]
			if strings.TrimPrefix(got.To, own) != tt.want || (got.Fix != "") != (tt.want != "") {
				t.Errorf("got replacement %q with redirect %q, want %q", got.To, got.Fix, tt.want)
			}
		})
	}
	for _, path := range []string{"x/1", "x/2024-01", "x/ab", "x/index.html", ""} {
		if s := pageSlug(&datedURL{Loc: own + path}); s != "" {
			t.Errorf("pageSlug(%q): got %q, want none", path, s)
		}
	}
}

// TestSuggestOtherSpelling checks that another spelling of the same URL is suggested, even if the
// URL has no distinctive name.
func TestSuggestOtherSpelling(t *testing.T) {
	c := compareLists(compareOptions{Old: parseEntries(t, "x/1.html"), New: parseEntries(t, "x/1/"), Site: answers{}.site(nil)})
	if got := c.List[0]; got.To != own+"x/1/" {
		t.Errorf("x/1.html: got class %s and replacement %q, want %q", got.Class, got.To, own+"x/1/")
	}
}

// TestApplyMaxLoss checks that lost URLs are warnings up to the limit of --max-loss, and errors
// beyond.
func TestApplyMaxLoss(t *testing.T) {
	old := parseEntries(t, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j")
	for limit, want := range map[string]string{
		"0": "0 errors", "3": "3 errors", "4": "4 warnings", "39%": "3 errors", "40%": "4 warnings", "100%": "4 warnings",
	} {
		maxLoss, err := site.ParseMaxLoss(limit)
		if err != nil {
			t.Fatal(err)
		}
		c := compareLists(compareOptions{Old: old, New: old[4:], Max: maxLoss.Limit(len(old), 0)})
		level := diag.Error
		if strings.HasSuffix(want, "warnings") {
			level = diag.Warning
		}
		if !strings.HasPrefix(want, fmt.Sprint(c.MaxLoss)) && level == diag.Error || c.Lost != 4 || c.List[0].Level != level {
			t.Errorf("--max-loss %s: got %d lost URLs, limit %d, severity %v; want %s", limit, c.Lost, c.MaxLoss, c.List[0].Level, want)
		}
	}
	for _, bad := range []string{"", "-1", "many", "101%", "-1%", "NaN%", "1.5", "%"} {
		if m, err := site.ParseMaxLoss(bad); err == nil {
			t.Errorf("ParseMaxLoss(%q): got %v, want an error", bad, m)
		}
	}
}

// TestCompareRandomLists compares random lists. Each old URL must be unchanged or have one class,
// and each URL that is only in the new list must be added. The changes must be sorted by class.
func TestCompareRandomLists(t *testing.T) {
	names := strings.Fields("a b c d e f g h i j k l")
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 12))
		some := func() (lines []string) {
			for _, n := range names {
				if rnd.IntN(2) == 0 {
					lines = append(lines, n+[]string{"", " 2024-01-02", " 2024-01-03", " #1", " #2"}[rnd.IntN(5)])
				}
			}
			return lines
		}
		o := compareOptions{Old: parseEntries(t, some()...), New: parseEntries(t, some()...)}
		as := answers{}
		for _, n := range names {
			as[n] = []explain.Response{{Status: 404}, {Status: 410}, excludedAnswer(page.NoIndex), redirectAnswer(301, names[rnd.IntN(12)]), redirectAnswer(302, names[rnd.IntN(12)])}[rnd.IntN(5)]
		}
		for _, u := range o.New {
			as[strings.TrimPrefix(u.Loc, own)] = listedAnswer
		}
		o.Site = as.site(nil)
		c := compareLists(o)
		seen, added, last := map[string]bool{}, 0, 0
		for _, change := range c.List {
			if seen[change.URL] {
				t.Errorf("seed %d: got two changes of %s, want one", seed, change.URL)
			}
			if r := classRank(change.Class); r < last {
				t.Errorf("seed %d: got class %s after %s, want it before", seed, change.Class, Classes[last])
			} else {
				last = r
			}
			if seen[change.URL] = true; change.Class == Added {
				added++
			}
		}
		if c.Unchanged+len(c.List)-added != len(o.Old) {
			t.Errorf("seed %d: got %d unchanged URLs and %d changes, %d of them added; want %d old URLs in total", seed, c.Unchanged, len(c.List), added, len(o.Old))
		}
		for _, u := range o.New {
			before := slices.ContainsFunc(o.Old, func(v datedURL) bool { return v.Loc == u.Loc })
			if !before && !seen[u.Loc] {
				t.Errorf("seed %d: got no change of the new URL %s, want it added", seed, u.Loc)
			}
		}
	}
}
