package site

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// TestNewsYear publishes articles during a year, with times in all zones and with days only. It
// calls ListPages at each time that Result.Next names. An article is in the news for exactly 48 hours,
// and its page stays listed.
func TestNewsYear(t *testing.T) {
	const articles = 150
	rnd := rand.New(rand.NewPCG(28, 3))
	pages, content, published := map[string]string{}, map[string]string{}, map[string]time.Time{}
	for i := range articles {
		at := noon.Add(time.Duration(rnd.Int64N(int64(365 * 24 * time.Hour)))).Truncate(time.Second)
		name, text := fmt.Sprintf("p%d", i), at.In(time.FixedZone("", 1800*(rnd.IntN(53)-24))).Format(time.RFC3339)
		if i%4 == 0 {
			at = at.Truncate(24 * time.Hour)
			text = at.Format(time.DateOnly)
		}
		published["https://example.com/"+name+"/"] = at
		pages[name+"/index.html"] = "<title>P</title><p>" + name
		content[name+".md"] = "---\ntitle: P\nnews: {publication: {name: The Lake, language: en}, publication_date: " + text + "}\n---\n"
	}
	w, _ := build(t, Options{Options: facts.Options{Page: page.Options{}}}, pages, content)
	moments := 0
	for now := noon.Add(-time.Hour); !now.IsZero(); moments++ {
		r := ListPages(w, now)
		if len(r.List) != articles {
			t.Fatalf("at %v %d of %d pages are listed", now, len(r.List), articles)
		}
		last := r.Next.Add(-time.Nanosecond) // of this list
		if r.Next.IsZero() {
			last = now
		}
		for i := range r.List {
			var e sitemap.Entry
			r.Entries(r.List).Entry(i, &e)
			at := published[e.Loc]
			if old := last.Sub(at); e.News != nil && old > 48*time.Hour {
				t.Fatalf("at %v the news entry of %s is %v old", last, e.Loc, old)
			}
			if young := now.Sub(at); e.News == nil && young < 48*time.Hour {
				t.Fatalf("at %v %s has no news entry, %v after its publication", now, e.Loc, young)
			}
		}
		now = r.Next
	}
	if moments < articles/2 {
		t.Errorf("the year has only %d moments", moments)
	}
}
