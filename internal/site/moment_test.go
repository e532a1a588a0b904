package site

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/page"
)

// dated returns a site with a date in nearly every hour of two days.
func dated(rnd *rand.Rand) (pages, content map[string]string) {
	pages, content = map[string]string{"index.html": "<title>Home</title><p>x"}, map[string]string{}
	moment := func() string {
		t := noon.Add(time.Duration(rnd.IntN(48))*time.Hour + time.Duration(rnd.IntN(2))*7*time.Second).In(time.FixedZone("", 3600*(rnd.IntN(20)-9)))
		return t.Format([]string{time.RFC3339, time.DateOnly}[rnd.IntN(2)])
	}
	for i := range 12 {
		name := fmt.Sprintf("p%d", i)
		meta := ""
		switch rnd.IntN(3) {
		case 0:
			meta = `<meta name=robots content="unavailable_after: ` + moment() + `">`
		case 1:
			meta = `<meta property="article:modified_time" content="` + moment() + `">`
		}
		pages[name+"/index.html"] = "<title>P</title>" + meta + "<p>" + name
		keys := "title: P\n"
		for _, key := range []string{"lastmod", "publishDate", "expiryDate", "date"} {
			if rnd.IntN(3) == 0 {
				keys += key + ": " + moment() + "\n"
			}
		}
		content[name+".md"] = "---\n" + keys + "---\n"
	}
	return pages, content
}

// TestResultNext calls ListPages at many times. Until Result.Next, the result does not change; at
// Result.Next, some results do.
func TestResultNext(t *testing.T) {
	changes := 0
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		pages, content := dated(rnd)
		o := Options{Options: facts.Options{Remember: true, MaxKept: -1, Page: page.Options{ContentHash: true}}, LastMod: []string{"frontmatter", "html", "date", "ledger"}}
		if seed%2 == 0 {
			o.Ledger = &ledger.Ledger{}
		}
		s, _ := build(t, o, pages, content)
		for now, end := noon.Add(-time.Hour), noon.Add(4*24*time.Hour); now.Before(end); {
			r := ListPages(s, now)
			if r.Next.IsZero() {
				break
			}
			if !now.Before(r.Next) {
				t.Fatalf("at %v the next moment is %v", now, r.Next)
			}
			last := r.Next.Add(-time.Nanosecond)
			if was, is := resultValueOf(r), resultValueOf(ListPages(s, last)); !reflect.DeepEqual(is, was) {
				t.Fatalf("at %v\n%+v\nat %v\n%+v", now, was, last, is)
			}
			now = r.Next
			if !reflect.DeepEqual(resultValueOf(ListPages(s, now)), resultValueOf(r)) {
				changes++
			}
		}
	}
	if changes < 100 {
		t.Errorf("only %d of the next moments change anything", changes)
	}
}
