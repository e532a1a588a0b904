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

// urls returns an entry for each line, such as "a", "b 2024-01-02" with a date, "c #1" with a
// fingerprint, and "d =Title" with a title.
func urls(t *testing.T, lines ...string) (all []datedURL) {
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

func out(reason page.Reason) explain.Response {
	return explain.Response{Status: 200, Exclusion: site.Exclusion{Reason: reason}}
}

var listed = explain.Response{Status: 200, Listed: true}

// TestClassifyRemovedURL checks the class of a removed URL for each answer of the site.
func TestClassifyRemovedURL(t *testing.T) {
	for _, tt := range []struct {
		name, want string // want: class, severity and new path
		as         answers
	}{
		{"nothing", "lost error", answers{}},
		{"an error", "lost error", answers{"x": {Status: 500}}},
		{"noindex", "hidden error", answers{"x": out(page.NoIndex)}},
		{"410", "gone on purpose note", answers{"x": {Status: 410}}},
		{"expired", "gone on purpose note", answers{"x": {Status: 404, Exclusion: site.Exclusion{Reason: page.Expired}}}},
		{"served at two addresses", "moved note n, served", answers{"x": {Status: 200, ListedURL: own + "n"}}},
		{"for good", "moved note n", answers{"x": redirectAnswer(301, "n"), "n": listed}},
		{"for good, with the method", "moved note n", answers{"x": redirectAnswer(308, "n"), "n": listed}},
		{"to a fragment", "moved note n#y", answers{"x": redirectAnswer(301, "n#y"), "n": listed}},
		{"a refresh", "moved note n", answers{"x": {Status: 200, To: own + "n", Refresh: true, Exclusion: site.Exclusion{Reason: page.Redirect}}, "n": listed}},
		{"for a while", "badly moved warning n", answers{"x": redirectAnswer(302, "n"), "n": listed}},
		{"for a while, with the method", "badly moved warning n", answers{"x": redirectAnswer(307, "n"), "n": listed}},
		{"a chain", "badly moved warning n", answers{"x": redirectAnswer(301, "y"), "y": redirectAnswer(301, "n"), "n": listed}},
		{"a loop", "badly moved error x", answers{"x": redirectAnswer(301, "y"), "y": redirectAnswer(301, "x")}},
		{"to itself", "badly moved error x", answers{"x": redirectAnswer(301, "x")}},
		{"a dead end", "badly moved error y", answers{"x": redirectAnswer(301, "y")}},
		{"to what is out", "badly moved error y", answers{"x": redirectAnswer(301, "y"), "y": out(page.NoIndex)}},
		{"to another site", "moved note elsewhere", answers{"x": redirectAnswer(301, "elsewhere"), "elsewhere": {}}},
		{"respelled and noindex", "hidden error", answers{"x": {Status: 308, To: own + "x/", Exclusion: site.Exclusion{Reason: page.Redirect}}, "x/": out(page.NoIndex)}},
		{"only respelled", "lost error", answers{"x": {Status: 308, To: own + "x/", Exclusion: site.Exclusion{Reason: page.Redirect}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := compareLists(compareOptions{Old: urls(t, "x"), New: nil, Site: tt.as.site(nil)})
			got := c.List[0]
			said := strings.TrimSpace(fmt.Sprintf("%s %v %s", got.Class, got.Level, strings.TrimPrefix(got.To, own)))
			if got.Served {
				said += ", served"
			}
			if said != tt.want || len(c.List) != 1 {
				t.Errorf("it is %q, want %q: %+v", said, tt.want, c.List)
			}
		})
	}
}

// TestCompareEntriesOfBothLists checks the class of a URL that both lists contain.
func TestCompareEntriesOfBothLists(t *testing.T) {
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
		c := compareLists(compareOptions{Old: urls(t, tt.old), New: urls(t, tt.now)})
		got := "same"
		if len(c.List) > 0 {
			got = c.List[0].Class
		}
		if got != tt.want || c.Unchanged+len(c.List) != 1 {
			t.Errorf("%q, now %q, is %s, want %s", tt.old, tt.now, got, tt.want)
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
		{"nothing like it", []string{"x/lakes"}, []string{"y/rivers"}, nil, ""},
		{"its name", []string{"x/lakes"}, []string{"y/lakes"}, nil, "y/lakes"},
		{"its name, otherwise spelt", []string{"x/lakes"}, []string{"y/Lakes.html"}, nil, "y/Lakes.html"},
		{"its date alone", []string{"x/lakes 2024-01-02"}, []string{"y/seas 2024-01-02", "y/ponds 2024-02-03"}, nil, ""},
		{"its folder alone", []string{"x/lakes"}, []string{"x/seas", "y/rivers"}, nil, ""},
		{"its name twice", []string{"x/lakes"}, []string{"y/lakes", "z/lakes"}, nil, ""},
		{"two of that name lost", []string{"x/lakes", "w/lakes"}, []string{"y/lakes"}, nil, ""},
		{"its title", []string{"x/lakes =L"}, []string{"y/seas =L"}, nil, "y/seas"},
		{"its title twice", []string{"x/lakes =L"}, []string{"y/seas =L", "y/ponds =L"}, nil, ""},
		{"its content", []string{"x/lakes #1"}, []string{"y/seas #1"}, nil, "y/seas"},
		{"its content, before a name", []string{"x/lakes #1"}, []string{"y/seas #1", "y/lakes #2"}, nil, "y/seas"},
		{"two contents, before a name", []string{"x/lakes #1"}, []string{"y/seas #1", "y/ponds #1", "y/lakes #2"}, nil, ""},
		{"an alias, before all", []string{"x/lakes #1"}, []string{"y/seas #1", "y/coasts"}, map[string][]string{"x/lakes": {own + "y/coasts"}}, "y/coasts"},
		{"two aliases", []string{"x/lakes #1"}, []string{"y/seas #1"}, map[string][]string{"x/lakes": {own + "a", own + "b"}}, ""},
		{"what was there before", []string{"x/lakes", "y/lakes"}, []string{"y/lakes"}, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := compareLists(compareOptions{Old: urls(t, tt.old...), New: urls(t, tt.now...), Site: answers{}.site(tt.aliases)})
			i := slices.IndexFunc(c.List, func(c report.Change) bool { return c.URL == own+"x/lakes" })
			got := c.List[i]
			if strings.TrimPrefix(got.To, own) != tt.want || (got.Fix != "") != (tt.want != "") {
				t.Errorf("offered %q with %q, want %q", got.To, got.Fix, tt.want)
			}
		})
	}
	for _, little := range []string{"x/1", "x/2024-01", "x/ab", "x/index.html", ""} {
		if s := pageSlug(&datedURL{Loc: own + little}); s != "" {
			t.Errorf("%q is known by %q", little, s)
		}
	}
}

// TestSuggestOtherSpelling checks that a page without a name of its own is known by another spelling
// of its URL.
func TestSuggestOtherSpelling(t *testing.T) {
	c := compareLists(compareOptions{Old: urls(t, "x/1.html"), New: urls(t, "x/1/"), Site: answers{}.site(nil)})
	if got := c.List[0]; got.To != own+"x/1/" {
		t.Errorf("x/1.html is %s, offered %q, want its new spelling", got.Class, got.To)
	}
}

// TestApplyMaxLoss checks that losses up to the limit are warnings.
func TestApplyMaxLoss(t *testing.T) {
	old := urls(t, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j")
	for limit, want := range map[string]string{
		"0": "0 errors", "3": "3 errors", "4": "4 warnings", "39%": "3 errors", "40%": "4 warnings", "100%": "4 warnings",
	} {
		most, err := site.ParseMaxLoss(limit)
		if err != nil {
			t.Fatal(err)
		}
		c := compareLists(compareOptions{Old: old, New: old[4:], Max: most.Limit(len(old), 0)})
		level := diag.Error
		if strings.HasSuffix(want, "warnings") {
			level = diag.Warning
		}
		if !strings.HasPrefix(want, fmt.Sprint(c.MaxLoss)) && level == diag.Error || c.Lost != 4 || c.List[0].Level != level {
			t.Errorf("--max-loss %s: %d of %d lost, %v; want %s", limit, c.Lost, c.MaxLoss, c.List[0].Level, want)
		}
	}
	for _, bad := range []string{"", "-1", "many", "101%", "-1%", "NaN%", "1.5", "%"} {
		if m, err := site.ParseMaxLoss(bad); err == nil {
			t.Errorf("ParseMaxLoss(%q) = %v", bad, m)
		}
	}
}

// TestCompareRandomLists compares random lists and sites. Each old URL is unchanged or has one
// class, each new URL is known or added, and the changes are sorted by class.
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
		o := compareOptions{Old: urls(t, some()...), New: urls(t, some()...)}
		as := answers{}
		for _, n := range names {
			as[n] = []explain.Response{{Status: 404}, {Status: 410}, out(page.NoIndex), redirectAnswer(301, names[rnd.IntN(12)]), redirectAnswer(302, names[rnd.IntN(12)])}[rnd.IntN(5)]
		}
		for _, u := range o.New {
			as[strings.TrimPrefix(u.Loc, own)] = listed
		}
		o.Site = as.site(nil)
		c := compareLists(o)
		seen, added, last := map[string]bool{}, 0, 0
		for _, change := range c.List {
			if seen[change.URL] {
				t.Errorf("seed %d: %s is named twice", seed, change.URL)
			}
			if r := classRank(change.Class); r < last {
				t.Errorf("seed %d: %s stands behind %s", seed, change.Class, Classes[last])
			} else {
				last = r
			}
			if seen[change.URL] = true; change.Class == Added {
				added++
			}
		}
		if c.Unchanged+len(c.List)-added != len(o.Old) {
			t.Errorf("seed %d: %d as before and %d changes, %d of them added, make no %d old URLs", seed, c.Unchanged, len(c.List), added, len(o.Old))
		}
		for _, u := range o.New {
			before := slices.ContainsFunc(o.Old, func(v datedURL) bool { return v.Loc == u.Loc })
			if !before && !seen[u.Loc] {
				t.Errorf("seed %d: %s is not said to be added", seed, u.Loc)
			}
		}
	}
}
