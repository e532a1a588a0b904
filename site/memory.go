package site

import (
	"hash/fnv"
	"io"
	"iter"
	"strconv"

	"github.com/sitewalk/sitewalk/internal/ledger"
)

// remember brings the ledger up to date with the listed pages.
func (f *fold) remember() {
	f.memory = nil
	if f.o.Ledger == nil {
		return
	}
	f.ledger = f.o.Ledger.Update(f.fingerprints(), f.today(), f.o.LedgerUpdate)
	f.memory = f.ledger.Lookup()
}

func (f *fold) fingerprints() iter.Seq[ledger.Page] {
	return func(yield func(ledger.Page) bool) {
		for _, r := range f.listed {
			if r.file == "" {
				continue
			}
			key, ok := f.key(r)
			if ok && !yield(ledger.Page{Path: key, Fingerprint: f.fingerprint(r)}) {
				return
			}
		}
	}
}

// fingerprint joins a canonical that is not the page's own address to the
// fingerprint of its content. On the site itself only the path counts, so that
// another domain changes nothing.
func (f *fold) fingerprint(r *record) string {
	if r.fingerprint == nil {
		return ""
	}
	content := string(r.fingerprint[:])
	if r.rest == nil || r.rest.canonical == "" || r.rest.canonical == r.loc {
		return content
	}
	to := r.rest.canonical
	if path, ok := f.o.Base.Path(to); ok {
		to = path
	}
	h := fnv.New64a()
	io.WriteString(h, to)
	return content + "-" + strconv.FormatUint(h.Sum64(), 36)
}

func (s *Site) ledgerDate(r *record) answer {
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
	case r.fingerprint == nil:
		why = "only a built page has content to compare"
	}
	return answer{date: date, note: why}
}
