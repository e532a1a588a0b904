package site

import (
	"hash/fnv"
	"io"
	"slices"
	"strconv"

	"github.com/sitewalk/sitewalk/internal/ledger"
)

// remember brings the ledger up to date with the listed pages.
func (f *fold) remember() {
	f.memory = nil
	if f.o.Ledger == nil {
		return
	}
	stretches(f, f.listed, (*fold).fingerprints)
	f.ledger = f.o.Ledger.Update(slices.Values(f.prints), f.today(), f.o.LedgerUpdate)
	f.prints = nil
	f.memory = f.ledger.Lookup()
}

func (f *fold) fingerprints(pages []*record) {
	f.prints = slices.Grow(f.prints, len(pages))
	for _, r := range pages {
		if r.File == "" {
			continue
		}
		if key, ok := f.key(r); ok {
			f.prints = append(f.prints, ledger.Page{Path: key, Fingerprint: f.fingerprint(r)})
		}
	}
}

// fingerprint joins a canonical that is not the page's own address to the
// fingerprint of its content. On the site itself only the path counts, so that
// another domain changes nothing.
func (f *fold) fingerprint(r *record) string {
	if r.Fingerprint == nil {
		return ""
	}
	content := string(r.Fingerprint[:])
	to := f.canonicalOf(r)
	if to == "" || to == r.loc {
		return content
	}
	if path, ok := f.o.Base.Path(to); ok {
		to = path
	}
	h := fnv.New64a()
	io.WriteString(h, to)
	return content + "-" + strconv.FormatUint(h.Sum64(), 36)
}

func (s *view) ledgerDate(r *record) answer {
	if s.memory == nil {
		return answer{note: "no ledger is configured"}
	}
	key, ok := s.key(r)
	if !ok {
		return answer{note: "the URL lies outside the base URL"}
	}
	date, why := s.memory.Date(key)
	switch {
	case !date.IsZero():
		why = "the day the content changed"
	case r.Fingerprint == nil:
		why = "only a built page has content to compare"
	}
	return answer{date: date, after: date, note: why}
}
