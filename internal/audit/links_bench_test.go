package audit

import (
	"hash/maphash"
	"testing"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/gensite"
	"github.com/sitewalk/sitewalk/mapping"
)

// BenchmarkPage takes in pages of fifty links of a site of a hundred thousand; what
// it measures lies on top of reading their bytes.
func BenchmarkPage(b *testing.B) {
	g := gensite.Site{Pages: 100_000, Seed: 1, Links: 50}
	pages := make([]facts.Body, 1000)
	loc := func(i int) string { return "https://example.com/" + g.Page(i).Dir + "/" }
	for i := range pages {
		n := i * g.Pages / len(pages)
		pages[i] = facts.Body{File: g.Page(n).Path(), Loc: loc(n), Src: g.AppendHTML(nil, g.Page(n))}
	}
	base, err := mapping.ParseBase("https://example.com/")
	if err != nil {
		b.Fatal(err)
	}
	c := newLinkCollector(LinkOptions{}, &facts.Options{Base: base})
	for i := range g.Pages {
		key := []byte(short(&c.targets, loc(i)))
		c.targets.add(maphash.Bytes(c.targets.seed, key), key)
	}
	var src []byte // as one that was just read
	for b.Loop() {
		for _, p := range pages {
			src = append(src[:0], p.Src...)
			c.Page(0, facts.Body{File: p.File, Loc: p.Loc, Src: src})
		}
		for _, w := range c.workers {
			w.pages = nil
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(pages)), "ns/page")
}
