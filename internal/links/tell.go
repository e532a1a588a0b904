package links

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/walker"
)

// mostPlaces are as many places of one target as are named.
const mostPlaces = 3

// tell reports the troubles, each once, at the first place that has it.
func (j *judge) tell(ctx context.Context) {
	if len(j.troubles) == 0 {
		return
	}
	marked := j.place()
	bad := make(map[string]*trouble, len(j.troubles))
	for _, t := range j.troubles {
		bad[t.key] = t
	}
	var body []byte
	for i, is := range marked {
		if is && ctx.Err() == nil {
			body = j.read(ctx, j.pages[i].file, body)
			j.locate(int32(i), body, bad)
		}
	}
	n := &nearest{judge: j, answers: j.answers()}
	for _, t := range j.inOrder() {
		j.report(n, t)
	}
}

// place finds the first pages that have each trouble, and marks them.
func (j *judge) place() (marked []bool) {
	marked = make([]bool, len(j.pages))
	for i := range j.pages {
		last := ^uint32(0)
		for _, l := range j.pages[i].links {
			t := j.troubles[l.target()]
			if t == nil || l.target() == last {
				continue
			}
			last = l.target()
			if t.on++; len(t.places) < mostPlaces {
				t.places = append(t.places, place{page: int32(i)})
				marked[i] = true
			}
		}
	}
	return marked
}

// locate finds the places on one page, and the content file's own.
func (j *judge) locate(i int32, body []byte, bad map[string]*trouble) {
	var refs page.Refs
	var on resolver
	on.begin(j.pages[i].loc)
	refs.Find(body, func(r page.Ref) {
		if r.Kind == page.Base {
			on.rebase(j.bases[0], r.Value)
			return
		}
		key, fragment, ok := on.resolve(j.bases, r.Value)
		if !ok {
			return
		}
		for _, t := range []*trouble{bad[string(key)], bad[string(key)+string(fragment)]} {
			if t == nil {
				continue
			}
			at := slices.IndexFunc(t.places, func(p place) bool { return p.page == i })
			if at >= 0 && t.places[at].pos.Line == 0 {
				t.places[at].pos = refs.Pos(r.At)
			}
		}
	})
}

// read returns all bytes of a page, in the room of b.
func (j *judge) read(ctx context.Context, file string, b []byte) []byte {
	b = b[:0]
	_, _, err := j.o.Pages.Files.Visit(ctx, walker.Options{Filter: j.o.Pages.Filter, Jobs: 1}, file, func(f *walker.File) {
		for {
			b = slices.Grow(b, 32<<10)
			n, err := f.Read(b[len(b):cap(b)])
			if b = b[:len(b)+n]; err != nil {
				return
			}
		}
	})
	if err != nil {
		return nil
	}
	return b
}

// inOrder returns the troubles that a page has, in the order of their first places.
func (j *judge) inOrder() (all []*trouble) {
	for _, t := range j.troubles {
		if len(t.places) > 0 {
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b *trouble) int {
		p, q := a.places[0], b.places[0]
		return cmp.Or(cmp.Compare(p.page, q.page), cmp.Compare(p.pos.Line, q.pos.Line), cmp.Compare(p.pos.Col, q.pos.Col), cmp.Compare(a.key, b.key))
	})
	return all
}

func (j *judge) report(n *nearest, t *trouble) {
	hint := t.hint
	if t.code == "dead-link" && hint == "" {
		hint = "mend the address, or take the link away"
		if near := n.to(t.key); near != "" {
			hint = "link to " + near + " if that was meant"
		}
	}
	first := t.places[0]
	_, source, _ := j.res.Page(j.pages[first.page].file)
	j.found.Add(diag.Diagnostic{
		Pos: j.pos(first), Severity: t.severity, Code: t.code, Hint: hint, Subject: t.key, Source: diag.Pos{File: source},
		Message: "the link to " + t.key + " " + t.text + j.also(t),
	})
}

func (j *judge) pos(p place) diag.Pos {
	return diag.Pos{File: j.shown(j.pages[p.page].file), Line: p.pos.Line, Col: p.pos.Col}
}

// also names the further places of a target.
func (j *judge) also(t *trouble) string {
	var names []string
	for _, p := range t.places[1:] {
		names = append(names, j.pos(p).String())
	}
	if more := t.on - len(t.places); more > 0 {
		names = append(names, fmt.Sprintf("on %s more", diag.Count(more, "page")))
	}
	if len(names) == 0 {
		return ""
	}
	return "; also " + strings.Join(names, ", ")
}
