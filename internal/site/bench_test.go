package site

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/walker"
)

// BenchmarkLedger measures the cost of a ledger. It reports the time of a build with a ledger as a
// ratio to the time of a build without one, and to the time for reading the same files completely.
func BenchmarkLedger(b *testing.B) {
	dir := b.TempDir()
	const pages = 10_000
	if err := (testsite.SyntheticSite{Pages: pages, Seed: 1}).Write(dir); err != nil {
		b.Fatal(err)
	}
	filter, err := walker.NewFilter(walker.HTMLFiles, nil)
	if err != nil {
		b.Fatal(err)
	}
	tree := &facts.Tree{Files: walker.Dir(dir), Filter: filter, Name: "public", Dir: dir}
	var whole, without, with time.Duration
	since := func(d *time.Duration, work func()) {
		start := time.Now()
		work()
		*d += time.Since(start)
	}
	for b.Loop() {
		since(&whole, func() { readWhole(b, tree) })
		since(&without, func() { buildOnce(b, tree, nil) })
		since(&with, func() { buildOnce(b, tree, &ledger.Ledger{}) })
	}
	b.ReportMetric(with.Seconds()/without.Seconds(), "×without")
	b.ReportMetric(with.Seconds()/whole.Seconds(), "×reading")
	b.ReportMetric((with-without).Seconds()*1e6/float64(b.N)/pages, "µs-more/page")
}

func readWhole(b *testing.B, t *facts.Tree) {
	buffers := make([][]byte, walker.NumWorkers(walker.Options{}))
	for i := range buffers {
		buffers[i] = make([]byte, 64<<10)
	}
	_, err := t.Files.Walk(context.Background(), walker.Options{Filter: t.Filter}, func(w int, f *walker.File) {
		if _, err := io.CopyBuffer(io.Discard, struct{ io.Reader }{f}, buffers[w]); err != nil {
			b.Error(err)
		}
	})
	if err != nil {
		b.Fatal(err)
	}
}

func buildOnce(b *testing.B, t *facts.Tree, memory *ledger.Ledger) {
	base, err := mapping.ParseBase("https://example.com/")
	if err != nil {
		b.Fatal(err)
	}
	o := Options{Options: facts.Options{Base: base, Pages: t}, LastMod: []string{"ledger"}, Now: noon, Ledger: memory}
	o.Page.ContentHash = memory != nil
	s := known(b, o)
	if len(ListPages(s, noon).List) == 0 {
		b.Fatal("no page is listed")
	}
}
