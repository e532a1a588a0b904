package site

import (
	"hash/fnv"
	"io"
	"strconv"

	"github.com/sitewalk/sitewalk/internal/ledger"
)

// updateLedger sets r.Ledger to the ledger of the last build, updated with the fingerprints of the
// listed pages. r.Ledger stays nil if no ledger is configured.
func (r *Result) updateLedger(c *clock) {
	o := &r.World.Options
	if o.Ledger == nil {
		return
	}
	r.Ledger = o.Ledger.Update(r.ledgerPages, c.today(o.Zone), o.LedgerUpdate)
}

// ledgerPages yields the ledger key and the fingerprint of each listed page that has a file and a
// URL below the base URL.
func (r *Result) ledgerPages(yield func(ledger.Page) bool) {
	for _, p := range r.List {
		if p.Facts.File == "" {
			continue
		}
		key, ok := r.World.LedgerKey(p.Loc)
		if ok && !yield(ledger.Page{Path: key, Fingerprint: r.World.fingerprint(p)}) {
			return
		}
	}
}

// fingerprint returns the fingerprint of a page's content for the ledger, or "" if it is unknown.
// If the page's canonical link names another URL, a hyphen and a hash of that URL follow. For a URL
// below the base URL, only the path is hashed, so the hash survives a move to another domain.
func (w *World) fingerprint(p *Page) string {
	if p.Facts.Fingerprint == nil {
		return ""
	}
	content := string(p.Facts.Fingerprint[:])
	to := w.otherCanonicalURL(p)
	if to == "" || to == p.Loc {
		return content
	}
	if path, ok := w.Options.Base.Path(to); ok {
		to = path
	}
	h := fnv.New64a()
	io.WriteString(h, to)
	return content + "-" + strconv.FormatUint(h.Sum64(), 36)
}

// LedgerKey returns the key in the ledger for the URL loc: its path below the base URL of its part,
// with the part's folder before it, such as "/de/a/". The key has no domain, so it survives a move
// to another domain. ok is false if loc is in no part, or if no file can have its path.
func (w *World) LedgerKey(loc string) (key string, ok bool) {
	part, urlPath, ok := w.FindPart(loc)
	if part.Dir == "" || !ok {
		return urlPath, ok
	}
	return "/" + part.Dir + urlPath, true
}
