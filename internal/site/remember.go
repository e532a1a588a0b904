package site

import (
	"hash/fnv"
	"io"
	"slices"
	"strconv"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/ledger"
)

// remember returns the ledger brought up to date with the listed pages, nil without
// one.
func remember(w *World, listed []*Page, c *clock) *ledger.Ledger {
	if w.Options.Ledger == nil {
		return nil
	}
	prints := slices.Concat(files.ParallelParts(len(listed), func(from, to int) []ledger.Page { return w.fingerprints(listed[from:to]) })...)
	return w.Options.Ledger.Update(slices.Values(prints), c.today(w.Options.Zone), w.Options.LedgerUpdate)
}

// fingerprints returns what the ledger is told of pages.
func (w *World) fingerprints(pages []*Page) []ledger.Page {
	prints := make([]ledger.Page, 0, len(pages))
	for _, r := range pages {
		if r.Facts.File == "" {
			continue
		}
		if key, ok := w.key(r); ok {
			prints = append(prints, ledger.Page{Path: key, Fingerprint: w.fingerprint(r)})
		}
	}
	return prints
}

// fingerprint joins a canonical that is not the page's own address to the
// fingerprint of its content. On the site itself only the path counts, so that
// another domain changes nothing.
func (w *World) fingerprint(r *Page) string {
	if r.Facts.Fingerprint == nil {
		return ""
	}
	content := string(r.Facts.Fingerprint[:])
	to := w.Canonical(r)
	if to == "" || to == r.Entry.Loc {
		return content
	}
	if path, ok := w.Options.Base.Path(to); ok {
		to = path
	}
	h := fnv.New64a()
	io.WriteString(h, to)
	return content + "-" + strconv.FormatUint(h.Sum64(), 36)
}
