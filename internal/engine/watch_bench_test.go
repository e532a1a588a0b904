package engine

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

// benchPages returns the number of pages of the sites to measure. SITEWALK_BENCH_PAGES=100000 gives
// the number in docs/watch.md.
func benchPages(b *testing.B) int {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("SITEWALK_BENCH_PAGES"), "1000"))
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// BenchmarkWatchEdit measures the time from the end of the quiet period to the report, after one
// page or its content file was edited in a large site. It reports the median of each step: learn
// reads files, fold decides about all pages, publish writes, and tell computes the changes.
// BenchmarkListPagesAfterChange in package site divides the first two steps further.
func BenchmarkWatchEdit(b *testing.B) {
	for row, bm := range []struct {
		name, config string
		languages    int
	}{
		{"pages", "", 0},
		{"pages and content", "content: {dir: content}\n", 0},
		{"ledger", "ledger: sitemap.ledger\n", 0},
		{"content and ledger", "content: {dir: content}\nledger: sitemap.ledger\nlastmod: [ledger]\n", 0},
		{"four languages", "", 4},
	} {
		b.Run(bm.name, func(b *testing.B) {
			g := testsite.SyntheticSite{Pages: benchPages(b), Size: 1200, Head: 700}
			g.Shares.Languages = bm.languages
			dir := b.TempDir()
			if err := g.Write(filepath.Join(dir, "public")); err != nil {
				b.Fatal(err)
			}
			if err := g.WriteContent(filepath.Join(dir, "content")); err != nil {
				b.Fatal(err)
			}
			text := "base_url: https://example.com/\npages: {dir: public}\n" + bm.config
			if err := os.WriteFile(filepath.Join(dir, "sitemap.yaml"), []byte(text), 0o644); err != nil {
				b.Fatal(err)
			}
			measureEdits(b, dir, g, row)
		})
	}
}

// measureEdits edits one page of g in each iteration, and reports the median time of each step. row
// makes the edits of each benchmark different.
func measureEdits(b *testing.B, dir string, g testsite.SyntheticSite, row int) {
	s := newSession(WatchOptions{
		Build: Options{Dir: dir}, Input: config.Input{Dir: dir, Getenv: func(string) string { return "" }, Now: time.Now()},
		Now: time.Now, Tell: silentTeller{},
	})
	start := time.Now()
	if err := s.loadAndBuild(b.Context()); err != nil {
		b.Fatal(err)
	}
	defer s.batches.Close()
	b.Logf("the first build and the start of the watch take %v", time.Since(start))
	laps := map[string][]float64{}
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		runtime.GC()
		p := g.Page((100 + 20*i) % g.Pages)
		p.Title, p.Modified = fmt.Sprint("another title ", row, i), p.Modified.AddDate(0, 0, -row-i-1)
		write := func(tree, file string, text []byte) []string {
			if err := os.WriteFile(filepath.Join(dir, tree, file), text, 0o644); err != nil {
				b.Fatal(err)
			}
			return []string{file}
		}
		change := facts.Change{Pages: write("public", p.Path(), g.AppendHTML(nil, p))}
		if s.build.Settings.Site.Content != nil {
			change.Content = write("content", p.ContentPath(), g.AppendMarkdown(nil, p))
		}
		b.StartTimer()
		if err := s.edit(b.Context(), change, laps); err != nil {
			b.Fatal(err)
		}
	}
	for name, took := range laps {
		slices.Sort(took)
		b.ReportMetric(took[len(took)/2], name+"-ms")
	}
}

// silentTeller is a Teller that ignores all events.
type silentTeller struct{}

func (silentTeller) HandleSettings(*Build, error)         {}
func (silentTeller) HandleBuild(*Build, Changes)          {}
func (silentTeller) HandleError(error, []diag.Kind, bool) {}
func (silentTeller) HandleNote(string)                    {}

// edit does the same as rebuild, and appends the time of each step to laps in milliseconds.
func (s *session) edit(ctx context.Context, change facts.Change, laps map[string][]float64) error {
	start := time.Now()
	at := start
	lap := func(name string) {
		laps[name] = append(laps[name], time.Since(at).Seconds()*1000)
		at = time.Now()
	}
	now := s.build.NextBuild()
	world, err := s.readWorld(ctx, change)
	if err != nil {
		return err
	}
	lap("learn")
	now.computeResult(world, s.buildTime())
	lap("fold")
	if err := now.Write(ctx); err != nil {
		return err
	}
	lap("publish")
	laps["median"] = append(laps["median"], time.Since(start).Seconds()*1000)
	s.reportBuild(ctx, now)
	lap("tell")
	return nil
}
