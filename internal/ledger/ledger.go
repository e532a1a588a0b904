// Package ledger remembers the fingerprint of each page's visible content and
// the day on which it last changed, in a text file that can be committed,
// merged, edited by hand, or read back from the live site.
//
// It refuses to guess a date that it did not see change, and it never writes
// to disk: it gives bytes.
package ledger

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Ledger is the memory of one site. It does not change once it is made and
// is safe for concurrent use.
type Ledger struct{}

// ReadOptions say how to read a ledger, and what to do when it cannot be read.
type ReadOptions struct {
	Continue bool          // a ledger that cannot be read is a finding and a first run instead of an error (on_error: continue)
	Fallback string        // path of a local copy to use when a URL cannot be read; "" or a missing file is none
	Timeout  time.Duration // for the whole answer of a URL; 0 is 30 seconds
	MaxBytes int64         // after decompression; 0 is 256 MiB
	Client   *http.Client  // nil is the default; its redirect policy is replaced
}

// Read reads the ledger at from, a path or an http(s) URL. One that is not
// there is a first run: an empty ledger and a finding.
func Read(ctx context.Context, from string, o ReadOptions) (*Ledger, diag.List, error) {
	return &Ledger{}, nil, nil
}

// A Page is one page as it is now.
type Page struct {
	Path        string // decoded, below the base URL, with a leading "/"
	Fingerprint string // of its visible content; "" when it is not known
}

// UpdateOptions say how to bring a ledger up to date.
type UpdateOptions struct {
	Fingerprint string // version and options of the pages' fingerprints; others are adopted and re-date nothing
	NewUndated  bool   // a new page gets no date (new: none)
	Writer      string // who writes, for the header: "sitewalk 1.2.0"
}

// Update returns the ledger as it is after pages were seen today. The pages may
// come in any order. l stays as it is, and the same arguments give the same
// ledger.
func (l *Ledger) Update(pages iter.Seq[Page], today sitemap.Date, o UpdateOptions) *Ledger {
	return l
}

// Date returns the day on which the page's content last changed, or why the
// ledger does not know it.
func (l *Ledger) Date(urlPath string) (date sitemap.Date, why string) {
	return sitemap.Date{}, "not in the ledger"
}

// Removed yields the pages that are gone, in the order of their paths, with
// the day on which each was first missed. A page is remembered for 90 days.
func (l *Ledger) Removed() iter.Seq2[string, sitemap.Date] {
	return func(func(string, sitemap.Date) bool) {}
}

// AppendTo appends the ledger as its file holds it.
func (l *Ledger) AppendTo(b []byte) []byte { return b }
