package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestBuildsShareLedger has two builds of two folders with one ledger, in turns and at
// once, on a new day each time. The first page of each changes every day, and its
// second one never.
func TestBuildsShareLedger(t *testing.T) {
	for _, atOnce := range []bool{false, true} {
		t.Run(fmt.Sprint("at once ", atOnce), func(t *testing.T) {
			dir := testsite.MemoryDir(t)
			file := filepath.Join(dir, "sitemap.ledger")
			write(t, filepath.Join(dir, "sitemap.yaml"), "base_url: https://example.com/\nledger: sitemap.ledger\n")
			var never [2]string
			for round := range testsite.Repeat(20, 100) {
				day := time.Date(2026, 1, 1+round, 12, 0, 0, 0, time.UTC)
				var building sync.WaitGroup
				for _, site := range []string{"a", "b"} {
					write(t, filepath.Join(dir, site, site+"-daily.html"), fmt.Sprintf("<title>x</title><p>%s on day %d", site, round))
					write(t, filepath.Join(dir, site, site+"-never.html"), "<title>x</title><p>always "+site)
					building.Go(func() {
						if err := buildOne(t, dir, site, day); err != nil {
							t.Error(err)
						}
					})
					if !atOnce {
						building.Wait()
					}
				}
				building.Wait()
				var findings diag.Report
				l, err := ledger.Read(t.Context(), file, ledger.ReadOptions{}, &findings)
				if kinds := findings.Kinds(); err != nil || len(kinds) > 0 {
					t.Fatal(err, kinds)
				}
				for i, site := range []string{"a", "b"} {
					daily, _ := l.Date("/" + site + "-daily.html")
					constant, _ := l.Date("/" + site + "-never.html")
					if round == 0 {
						never[i] = constant.String()
						continue
					}
					if want := day.Format(time.DateOnly); daily.String() != want || constant.String() != never[i] {
						text, _ := os.ReadFile(file)
						t.Fatalf("round %d: %s has the days %q and %q, want %q and %q\n%s", round, site, daily, constant, want, never[i], text)
					}
				}
			}
		})
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func buildOne(t *testing.T, dir, site string, now time.Time) error {
	b := engine.New(engine.Options{Dir: dir})
	flags := config.Flags{"dir": []string{site}}
	err := b.Resolve(config.Input{Flags: flags, Dir: dir, Now: now, Getenv: func(string) string { return "" }})
	if err == nil {
		err = b.Learn(t.Context())
	}
	if err == nil {
		err = b.Write(t.Context())
	}
	return err
}
