package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkStart measures New for a tree of 12,000 folders with seven files each.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	for i := range 12_000 {
		folder := filepath.Join(dir, fmt.Sprint(i/100), fmt.Sprint(i))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			b.Fatal(err)
		}
		for j := range 7 {
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprint(j)), nil, 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	for _, backend := range []Options{{}, {Poll: time.Hour}} {
		b.Run(fmt.Sprint("poll ", backend.Poll > 0), func(b *testing.B) {
			backend.Trees = []Tree{{Dir: dir}}
			for b.Loop() {
				w := New(backend)
				b.StopTimer()
				if isPolling(w) != (backend.Poll > 0) {
					b.Fatal("the system cannot watch so many folders")
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
		})
	}
}
