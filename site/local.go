package site

import (
	"fmt"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/mapping"
)

// resolve returns the absolute URL that a reference on the page stands for. One
// on a local server stands for the site: that is how pages are built while a
// person works on them.
func (l *learner) resolve(r *fact, ref, loc string) (string, error) {
	to, err := l.s.o.Base.Resolve(ref, loc, l.said.Base)
	if err != nil || !mapping.LocalHost(to) || l.s.parts.hosts(to) != nil {
		return to, err
	}
	r.more().local = to[:len(to)-len(mapping.PathOf(to))]
	return l.s.parts[r.part].Base.Move(to), nil
}

// locals reports, once for all, the pages that name a local server.
func (f *fold) locals() {
	var first *fact
	n := 0
	for _, r := range f.pages {
		if r.rest == nil || r.rest.local == "" {
			continue
		}
		if n++; first == nil {
			first = r
		}
	}
	if n == 0 {
		return
	}
	more := ""
	if n > 1 {
		more = fmt.Sprintf("; so do %s", diag.Count(n-1, "more page"))
	}
	var ds diag.List
	ds.Warnf(f.pos(&record{fact: first}), "local-address", "build the site for production before you publish it",
		"it names %s, as a development server writes addresses%s; they are read as %s", first.rest.local, more, f.parts[first.part].Base).Subject = first.rest.local
	f.found.Add(ds...)
}
