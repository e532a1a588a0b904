package links

import (
	"bytes"
	"hash/maphash"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
)

// A linker brings the addresses on one page to the numbers of their targets. It
// remembers what it found: most pages link to what other pages link to, and to bring
// an address into the site's own spelling costs more than all else that is done for
// a link. It belongs to one worker, so that none waits for another.
type linker struct {
	resolver
	bases   []mapping.Base
	origin  string // scheme and host of the site
	targets *targets
	memo    []known
	folder  string // path of what addresses on the page are relative to; "" on another origin
	self    uint32 // the page itself
	path    []byte
}

// A known address is a path as pages write it, joined to the page's folder where it
// is relative. It has its place by its hash, and loses it to the next that has the
// same, so that the room does not grow with the site.
type known struct {
	path string
	id   uint32
}

const memoBits = 15

// elsewhere is the number of what is not the site's.
const elsewhere = ^uint32(0)

func newLinker(bases []mapping.Base, t *targets) linker {
	return linker{bases: bases, origin: bases[0].Origin(), targets: t, memo: make([]known, 1<<memoBits)}
}

// begin takes in the URL of the page that is at hand from now on.
func (l *linker) begin(loc string) {
	l.resolver.begin(loc)
	l.enter()
	l.self = l.number([]byte(loc), nil)
}

// rebase takes in the base element.
func (l *linker) rebase(href []byte) {
	l.resolver.rebase(l.bases[0], href)
	l.enter()
}

// enter finds the folder.
func (l *linker) enter() {
	l.folder = ""
	if rest, ok := strings.CutPrefix(l.from, l.origin); ok && strings.HasPrefix(rest, "/") {
		l.folder = rest[:strings.LastIndexByte(rest, '/')+1]
	}
}

// target returns the number of what an address stands for, or elsewhere, and its
// fragment with the #.
func (l *linker) target(ref []byte) (id uint32, fragment []byte) {
	if i := bytes.IndexByte(ref, '#'); i >= 0 {
		ref, fragment = ref[:i], ref[i:]
	}
	if i := bytes.IndexByte(ref, '?'); i >= 0 {
		ref = ref[:i]
	}
	if len(ref) == 0 && !l.empty {
		return l.self, fragment
	}
	return l.find(ref, nil), fragment
}

// place returns the number of a place in what an address stands for.
func (l *linker) place(ref, fragment []byte) uint32 {
	ref = ref[:len(ref)-len(fragment)]
	if i := bytes.IndexByte(ref, '?'); i >= 0 {
		ref = ref[:i]
	}
	return l.find(ref, fragment)
}

func (l *linker) find(ref, fragment []byte) uint32 {
	path, ok := l.joined(ref)
	if !ok {
		return l.resolved(ref, fragment)
	}
	if fragment != nil {
		l.path = append(append(l.path[:0], path...), fragment...)
		path = l.path
	}
	k := &l.memo[maphash.Bytes(l.targets.seed, path)>>(64-memoBits)]
	if k.path != string(path) {
		id := l.resolved(ref, fragment)
		if !isLiteral(path) {
			return id
		}
		k.path, k.id = string(path), id
	}
	return k.id
}

// joined returns the path that an address without query and fragment names, as it is
// written, where that alone decides what it stands for.
func (l *linker) joined(ref []byte) ([]byte, bool) {
	switch {
	case l.folder == "" || len(ref) == 0:
		return nil, false
	case ref[0] == '/':
		return ref, len(ref) == 1 || ref[1] != '/'
	case bytes.IndexByte(ref, ':') >= 0:
		rest := ref[min(len(l.origin), len(ref)):]
		return rest, len(rest) > 0 && rest[0] == '/' && string(ref[:len(l.origin)]) == l.origin
	}
	end := len(l.folder)
	for len(ref) >= 3 && string(ref[:3]) == "../" {
		if ref = ref[3:]; end > 1 {
			end = strings.LastIndexByte(l.folder[:end-1], '/') + 1
		}
	}
	l.path = append(append(l.path[:0], l.folder[:end]...), ref...)
	return l.path, true
}

// isLiteral reports whether a path stands for itself: browsers take a backslash for
// a slash, and leave out tabs and line breaks.
func isLiteral(path []byte) bool {
	for _, c := range path {
		if c < ' ' || c == '\\' {
			return false
		}
	}
	return true
}

// resolved returns the number of what an address without query stands for, by the
// rules.
func (l *linker) resolved(ref, fragment []byte) uint32 {
	key, _, ok := l.resolve(l.bases, ref)
	if !ok {
		return elsewhere
	}
	return l.number(key, fragment)
}

func (l *linker) number(key, fragment []byte) uint32 {
	l.key = append(append(l.key[:0], key...), fragment...)
	return l.targets.id(l.key)
}
