package audit

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
)

// target returns the number of what an address stands for, or elsewhere, and its
// fragment with the #.
func (w *worker) target(ref []byte) (id uint32, fragment []byte) {
	path, fragment := cutRef(ref)
	if len(path) > 0 && path[0] == '/' && short(w.targets, w.from) != w.from {
		if id, ok := w.known[maphash.Bytes(w.targets.seed, path)]; ok { // most links are spelled as their target is
			w.key = append(w.key[:0], path...)
			return id, fragment
		}
	}
	if !w.resolve(w.bases, path) {
		return elsewhere, nil
	}
	return w.number(short(w.targets, w.key)), fragment
}

// place returns the number of a place in what the last address stands for.
func (w *worker) place(fragment []byte) uint32 {
	w.path = append(append(w.path[:0], short(w.targets, w.key)...), fragment...)
	return w.number(w.path)
}

func (w *worker) number(key []byte) uint32 {
	hash := maphash.Bytes(w.targets.seed, key)
	id, ok := w.known[hash]
	if !ok {
		id = w.targets.add(hash, key)
		w.known[hash] = id
	}
	return id
}

// A resolver brings the addresses on one page into the spelling of the site's own.
type resolver struct {
	loc   string // of the page
	from  string // what its addresses are relative to
	key   []byte
	empty bool // an address without a path stands for from, not for the page
}

func (r *resolver) begin(loc string) { r.loc, r.from, r.empty = loc, loc, false }

// rebase takes in the base element.
func (r *resolver) rebase(b mapping.Base, href []byte) {
	if to, err := b.Resolve(string(href), r.loc, ""); err == nil {
		r.from, _, _ = strings.Cut(to, "?")
		r.empty = r.from != r.loc
	}
}

// cutRef returns an address without its query, and its fragment with the #.
func cutRef(ref []byte) (path, fragment []byte) {
	if i := bytes.IndexByte(ref, '#'); i >= 0 {
		ref, fragment = ref[:i], ref[i:]
	}
	if i := bytes.IndexByte(ref, '?'); i >= 0 {
		ref = ref[:i]
	}
	return ref, fragment
}

// resolve sets key to the URL that an address without query and fragment stands
// for. It is false for what is not below one of the bases.
func (r *resolver) resolve(bases []mapping.Base, ref []byte) bool {
	if len(ref) == 0 {
		r.key = append(r.key[:0], r.from...)
		return !r.empty || owner(bases, r.key) >= 0
	}
	var ok bool
	if r.key, ok = bases[0].AppendJoined(r.key[:0], ref, r.from); !ok {
		if isForeign(bases, ref) {
			return false
		}
		to, err := bases[0].Resolve(string(ref), r.from, "")
		if err != nil {
			return false
		}
		to = bases[0].OwnScheme(to)
		r.key = append(r.key[:0], to...)
	}
	return owner(bases, r.key) >= 0
}

// isForeign reports whether an address plainly is none of the site: it has another
// scheme, or another host.
func isForeign(bases []mapping.Base, ref []byte) bool {
	rest, found := bytes.CutPrefix(ref, []byte("//"))
	for _, scheme := range []string{"https://", "http://", "mailto:", "tel:", "data:", "javascript:"} {
		if !found && len(ref) >= len(scheme) && strings.EqualFold(string(ref[:len(scheme)]), scheme) {
			if rest, found = ref[len(scheme):], true; scheme[0] != 'h' {
				return true
			}
		}
	}
	host, _, _ := bytes.Cut(rest, []byte("/"))
	if !found || !isPlainHost(host) {
		return false
	}
	return !slices.ContainsFunc(bases, func(b mapping.Base) bool { return strings.EqualFold(b.Host(), string(host)) })
}

// isPlainHost reports whether a host has neither port nor encodings.
func isPlainHost(host []byte) bool {
	for _, c := range host {
		if c != '-' && c != '.' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return len(host) > 0
}

// owner returns the base that a URL lies below, or -1.
func owner(bases []mapping.Base, loc []byte) int {
	for i, b := range bases {
		if s := b.String(); s != "" && len(loc) >= len(s) && string(loc[:len(s)]) == s {
			return i
		}
	}
	return -1
}
