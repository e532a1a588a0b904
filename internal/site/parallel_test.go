package site

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// manyPages returns n pages that are listed, excluded, moved by a rule, expired, about to expire,
// or have an impossible date.
func manyPages(n int) map[string]string {
	pages := map[string]string{}
	for i := range n {
		head := ""
		switch i % 7 {
		case 1:
			head = `<meta name="robots" content="noindex">`
		case 2:
			head = `<meta property="article:modified_time" content="2025-02-0` + fmt.Sprint(1+i%9) + `">`
		case 3:
			head = `<meta property="article:modified_time" content="2099-01-01">`
		case 4:
			head = `<meta name="robots" content="unavailable_after: ` + noon.Add(time.Duration(i-n/2)*time.Hour).Format(time.RFC3339) + `">`
		}
		pages[fmt.Sprintf("s%d/p%05d.html", i%5, i)] = head + "<p>" + fmt.Sprint(i)
	}
	return pages
}

// TestManyProcessors compares the results of ListPages on one and on several processors.
func TestManyProcessors(t *testing.T) {
	rules, err := mapping.NewRules([]mapping.Rule{
		{Match: "s1/**", Set: sitemap.URL{LastMod: sitemap.DayOf(noon)}},
		{Match: "/s2/p0001*", Exclude: true},
		{Match: "s3/p00003*", Set: sitemap.URL{Loc: "/elsewhere/"}},
		{Match: "nowhere/**", Exclude: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Options: facts.Options{
			MaxKept: 5,
			Page:    page.Options{ContentHash: true},
		},
		LastMod: []string{"rule", "html", "ledger"},
		Rules:   rules,
		Ledger:  &ledger.Ledger{},
	}
	s, _ := build(t, o, manyPages(3*files.MinParallel), nil)
	fold := func(processors int) *Result {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		return ListPages(s, noon)
	}
	want, got := fold(1), fold(3)
	if !reflect.DeepEqual(locs(got), locs(want)) {
		t.Errorf("%d pages are listed, %d by one processor", len(got.List), len(want.List))
	}
	if got.ReasonCounts != want.ReasonCounts || got.Dated != want.Dated || !reflect.DeepEqual(got.Dates, want.Dates) {
		t.Errorf("got  %v %v %v\nwant %v %v %v", got.ReasonCounts, got.Dated, got.Dates, want.ReasonCounts, want.Dated, want.Dates)
	}
	if g, w := got.Findings.Kinds(), want.Findings.Kinds(); !reflect.DeepEqual(g, w) {
		t.Errorf("got  %+v\nwant %+v", g, w)
	}
	if got.Next != want.Next || got.Next.IsZero() {
		t.Errorf("it holds until %v, and by one processor until %v", got.Next, want.Next)
	}
	if !reflect.DeepEqual(got.Hits, want.Hits) || want.Hits[0] == 0 || want.Hits[3] != 0 {
		t.Errorf("the rules match %v pages, and by one processor %v", got.Hits, want.Hits)
	}
	for code, n := range map[string]int{"doubtful-date": files.MinParallel / 4} {
		count := 0
		for _, k := range want.Findings.Kinds() {
			if k.Code == code {
				count = k.Count
			}
		}
		if count < n {
			t.Errorf("%d findings of %s, want %d", count, code, n)
		}
	}
	for _, why := range []page.Reason{page.NoIndex, page.ByRule, page.Expired} {
		if want.ReasonCounts[why] == 0 {
			t.Errorf("no page is out as %v", why)
		}
	}
}
