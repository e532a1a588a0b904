package ledger

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// site yields n pages. Every hundredth page has a changed fingerprint.
func site(n, run int) func(yield func(Page) bool) {
	return func(yield func(Page) bool) {
		for i := range n {
			changed := 0
			if i%100 == 0 {
				changed = run
			}
			if !yield(Page{fmt.Sprintf("/section-%03d/page-%07d/", i/1000, i), fmt.Sprintf("%016x", uint64(i)+uint64(changed)<<32)}) {
				return
			}
		}
	}
}

func BenchmarkLedger(b *testing.B) {
	const n = 100_000
	o := UpdateOptions{FingerprintVersion: "1"}
	l := (&Ledger{}).Update(site(n, 0), dayOf(b, "01-01"), o)
	file := l.AppendTo(nil)
	b.Run("Decode", func(b *testing.B) {
		b.SetBytes(int64(len(file)))
		for b.Loop() {
			if _, err := parseLedger(string(file)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Update", func(b *testing.B) {
		for b.Loop() {
			l.Update(site(n, 1), dayOf(b, "01-02"), o)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/page")
	})
	b.Run("Append", func(b *testing.B) {
		b.SetBytes(int64(len(file)))
		buffer := make([]byte, 0, len(file))
		for b.Loop() {
			l.AppendTo(buffer)
		}
	})
	b.Run("Date", func(b *testing.B) {
		for b.Loop() {
			l.Date("/section-042/page-0042042/")
		}
	})
}

func TestUpdateOfMillionPagesUsesLittleMemory(t *testing.T) {
	n := testsite.Repeat(100_000, 1_000_000)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	l := (&Ledger{}).Update(site(n, 0), dayOf(t, "01-01"), UpdateOptions{})
	runtime.GC()
	runtime.ReadMemStats(&after)
	if perPage := float64(after.HeapAlloc-before.HeapAlloc) / float64(n); perPage > 160 {
		t.Errorf("got %.0f bytes per page, want at most 160", perPage)
	}
	if _, why := l.Date(fmt.Sprintf("/section-%03d/page-%07d/", (n-1)/1000, n-1)); why != "not changed since the ledger first saw it" {
		t.Error(why)
	}
}
