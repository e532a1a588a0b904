package links

import (
	"bytes"

	"github.com/sitewalk/sitewalk/mapping"
)

// A linker brings the addresses on one page to the numbers of their targets. An
// address that has a number as it stands, joined to the page's folder where it is
// relative, is that target: what is kept is spelled as the site spells it. So most
// addresses are neither taken apart nor copied.
type linker struct {
	resolver
	bases   []mapping.Base
	targets *targets
	folder  string // path of what addresses on the page are relative to; "" on another origin
	ends    []int  // of the folder's ancestors in it, and its own
	self    uint32 // the page itself
	path    []byte
}

// begin takes in the URL of the page that is at hand from now on.
func (l *linker) begin(loc string) {
	l.resolver.begin(loc)
	l.enter()
	l.self = l.targets.add(l.targets.short(loc))
}

// rebase takes in the base element.
func (l *linker) rebase(href []byte) {
	l.resolver.rebase(l.bases[0], href)
	l.enter()
}

// enter finds the folder.
func (l *linker) enter() {
	l.folder, l.ends = "", l.ends[:0]
	path := l.targets.short(l.from)
	if path[0] != '/' {
		return
	}
	for i := range len(path) {
		if path[i] == '/' {
			l.ends = append(l.ends, i+1)
		}
	}
	l.folder = path[:l.ends[len(l.ends)-1]]
}

// target returns the number of what an address stands for, or elsewhere, and its
// fragment with the #.
func (l *linker) target(ref []byte) (id uint32, fragment []byte) {
	ref, fragment = cut(ref)
	if len(ref) == 0 && !l.empty {
		return l.self, fragment
	}
	return l.find(ref, nil), fragment
}

// place returns the number of a place in what an address stands for.
func (l *linker) place(ref []byte) uint32 { return l.find(cut(ref)) }

// cut cuts an address before its query and its fragment.
func cut(ref []byte) (path, fragment []byte) {
	if i := bytes.IndexByte(ref, '#'); i >= 0 {
		ref, fragment = ref[:i], ref[i:]
	}
	if i := bytes.IndexByte(ref, '?'); i >= 0 {
		ref = ref[:i]
	}
	return ref, fragment
}

func (l *linker) find(ref, fragment []byte) uint32 {
	if path, ok := l.joined(ref); ok {
		if len(fragment) > 0 {
			l.path = append(append(l.path[:0], path...), fragment...)
			path = l.path
		}
		if id := l.targets.find(path); id != elsewhere {
			return id
		}
	}
	key, _, ok := l.resolve(l.bases, ref)
	if !ok {
		return elsewhere
	}
	l.path = append(append(l.path[:0], l.targets.shortBytes(key)...), fragment...)
	if id := l.targets.find(l.path); id != elsewhere {
		return id
	}
	return l.targets.add(string(l.path))
}

// joined returns the path that an address without query and fragment names, as it is
// written, where that alone decides what it stands for.
func (l *linker) joined(ref []byte) ([]byte, bool) {
	switch origin := l.targets.origin; {
	case l.folder == "" || len(ref) == 0:
		return nil, false
	case ref[0] == '/':
		return ref, len(ref) == 1 || ref[1] != '/'
	case ref[0] != '.' && bytes.IndexByte(ref, ':') >= 0:
		rest := ref[min(len(origin), len(ref)):]
		return rest, len(rest) > 0 && rest[0] == '/' && string(ref[:len(origin)]) == origin
	}
	up := len(l.ends) - 1
	for len(ref) >= 2 && ref[0] == '.' {
		if ref[1] == '/' {
			ref = ref[2:]
			continue
		}
		if len(ref) < 3 || string(ref[:3]) != "../" {
			break
		}
		ref, up = ref[3:], max(up-1, 0)
	}
	l.path = append(append(l.path[:0], l.folder[:l.ends[up]]...), ref...)
	return l.path, true
}
