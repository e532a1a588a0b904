package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/config"
	"github.com/sitewalk/sitewalk/internal/gensite"
	"github.com/sitewalk/sitewalk/site"
)

// benchPages is the size of the sites to measure with;
// SITEWALK_BENCH_PAGES=100000 makes it the one that docs/watch.md tells of.
func benchPages(b *testing.B) int {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("SITEWALK_BENCH_PAGES"), "10000"))
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// BenchmarkWatchEdit measures what follows the quiet period when one page of a
// large site was edited, in parts.
func BenchmarkWatchEdit(b *testing.B) {
	for _, bm := range []struct{ name, config string }{
		{"pages", ""},
		{"pages and content", "content: {dir: content}\n"},
		{"ledger", "ledger: sitemap.ledger\n"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			g := gensite.Site{Pages: benchPages(b), Size: 1200, Head: 700}
			dir := b.TempDir()
			text := "base_url: https://example.com/\npages: {dir: public}\n" + bm.config
			if err := os.WriteFile(filepath.Join(dir, "sitemap.yaml"), []byte(text), 0o644); err != nil {
				b.Fatal(err)
			}
			if err := g.Write(filepath.Join(dir, "public")); err != nil {
				b.Fatal(err)
			}
			if err := g.WriteContent(filepath.Join(dir, "content")); err != nil {
				b.Fatal(err)
			}
			edits(b, dir, g)
		})
	}
}

func edits(b *testing.B, dir string, g gensite.Site) {
	env := Env{Dir: dir, Now: time.Now, Getenv: func(string) string { return "" }, Stdout: io.Discard, Stderr: io.Discard}
	s := newSession(&watchFlags{}, env, &printer{out: io.Discard, err: io.Discard}, config.Input{Dir: dir, Getenv: env.Getenv, Now: time.Now()})
	start := time.Now()
	if err := s.begin(b.Context()); err != nil {
		b.Fatal(err)
	}
	defer s.watcher.Close()
	b.Logf("the first build and watching take %v", time.Since(start))
	var parts [4]time.Duration
	for i := 0; b.Loop(); i++ {
		p := g.Page(100 + 20*i%g.Pages)
		b.StopTimer()
		p.Title, p.Modified = fmt.Sprint("another title ", i), p.Modified.AddDate(0, 0, i+1)
		if err := os.WriteFile(filepath.Join(dir, "public", p.Path()), g.AppendHTML(nil, p), 0o644); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		now := *s.built
		now.findings = s.buildFlags.begin().findings
		at := time.Now()
		lap := func(i int) { parts[i] += time.Since(at); at = time.Now() }
		err := s.learnAgain(b.Context(), &site.Change{Pages: []string{p.Path()}})
		lap(0)
		now.fold(s.site)
		lap(1)
		if err == nil {
			err = s.put(b.Context(), &now)
		}
		lap(2)
		s.told(&now)
		lap(3)
		if err != nil {
			b.Fatal(err)
		}
	}
	for i, name := range []string{"learn", "fold", "write", "tell"} {
		b.ReportMetric(float64(parts[i].Microseconds())/1000/float64(b.N), name+"-ms")
	}
}
