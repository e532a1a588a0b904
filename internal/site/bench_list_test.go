package site

import (
	"cmp"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/walker"
)

// BenchmarkListPagesAfterChange measures the work after one page of a large site has changed:
// reading this page again, and each pass of ListPages. It reports medians. SITEWALK_BENCH_PAGES is
// the number of pages.
func BenchmarkListPagesAfterChange(b *testing.B) {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("SITEWALK_BENCH_PAGES"), "10000"))
	if err != nil {
		b.Fatal(err)
	}
	g := testsite.SyntheticSite{Pages: n, Size: 1200, Head: 700}
	dir := b.TempDir()
	if err := g.Write(filepath.Join(dir, "public")); err != nil {
		b.Fatal(err)
	}
	if err := g.WriteContent(filepath.Join(dir, "content")); err != nil {
		b.Fatal(err)
	}
	for _, bm := range []struct {
		name string
		set  func(*Options)
	}{
		{"pages", func(*Options) {}},
		{"content", func(o *Options) { o.Content = folder(b, filepath.Join(dir, "content"), walker.ContentFiles) }},
		{"ledger", func(o *Options) { o.Ledger, o.Page.ContentHash, o.LastMod = &ledger.Ledger{}, true, []string{"ledger"} }},
	} {
		b.Run(bm.name, func(b *testing.B) {
			s := benchSite(b, filepath.Join(dir, "public"), bm.set)
			rebuildOnce(b, s, facts.Change{Pages: []string{g.Page(n / 2).Path()}})
		})
	}
}

// benchSite returns the World of a site and, if it has a ledger, updates the ledger.
func benchSite(b *testing.B, public string, set func(*Options)) *World {
	base, err := mapping.ParseBase("https://example.com/")
	if err != nil {
		b.Fatal(err)
	}
	o := Options{Options: facts.Options{Base: base, Pages: folder(b, public, walker.HTMLFiles), Remember: true}, LastMod: SourceNames(), Now: time.Now()}
	set(&o)
	s := known(b, o)
	s.Options.Ledger = ListPages(s, o.Now).Ledger
	return s
}

// rebuildOnce measures a build after a change, and reports the times of its two stages.
func rebuildOnce(b *testing.B, s *World, edited facts.Change) {
	var learning, listing time.Duration
	for b.Loop() {
		start := time.Now()
		s = s.again(b, edited)
		learned := time.Now()
		ListPages(s, learned)
		learning, listing = learning+learned.Sub(start), listing+time.Since(learned)
	}
	b.ReportMetric(learning.Seconds()*1000/float64(b.N), "learn-ms")
	b.ReportMetric(listing.Seconds()*1000/float64(b.N), "list-ms")
}

func folder(b *testing.B, dir string, files []string) *facts.Tree {
	filter, err := walker.NewFilter(files, nil)
	if err != nil {
		b.Fatal(err)
	}
	return &facts.Tree{Files: walker.Dir(dir), Filter: filter, Name: filepath.Base(dir), Dir: dir}
}
