package links

import (
	"testing"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/gensite"
	"github.com/sitewalk/sitewalk/mapping"
)

// BenchmarkPage takes in pages of fifty links; what it measures lies on top of
// reading their bytes.
func BenchmarkPage(b *testing.B) {
	g := gensite.Site{Pages: 3000, Seed: 1, Links: 50}
	pages := make([]facts.Body, g.Pages)
	for i := range pages {
		p := g.Page(i)
		pages[i] = facts.Body{File: p.Path(), Loc: "https://example.com/" + p.Dir + "/", Src: g.AppendHTML(nil, p)}
	}
	base, err := mapping.ParseBase("https://example.com/")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		c := New(Options{}, &facts.Options{Base: base})
		for _, p := range pages {
			c.Page(0, p)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(pages)), "ns/page")
}
