package audit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/page"
)

// maxPlaces are as many places of one target as are named.
const maxPlaces = 3

// maxTroubles are as many troubles as are told one by one. A site whose every link is
// dead has one cause, and half a million lines are not read.
const maxTroubles = 10_000

// tell reports the troubles, each once, at the first place that has it.
func (j *judge) tell(ctx context.Context) {
	if len(j.troubles) == 0 {
		return
	}
	n := &nearest{judge: j, answers: j.answers()}
	j.repositories(n)
	told, marked := j.place()
	bad := make(map[string]*trouble, len(told))
	for _, t := range told {
		bad[t.Subject] = t
	}
	var body []byte
	for i, is := range marked {
		if is && ctx.Err() == nil {
			body, _ = j.o.Pages.Read(ctx, j.pages[i].file, body) // one that is gone says nothing
			j.locate(int32(i), body, bad)
		}
	}
	sortTroubles(told)
	for _, t := range told {
		j.report(ctx, n, t)
	}
}

// place finds the first pages that have each trouble, and marks them. It returns the
// troubles that are told one by one, and counts the others in a finding of each code.
func (j *judge) place() (told []*trouble, marked []bool) {
	marked = make([]bool, len(j.pages))
	of := make([]*trouble, len(j.targets.keys))
	for id, t := range j.troubles {
		of[id] = t
	}
	more := map[string]*trouble{}
	for i := range j.pages {
		for _, l := range j.pages[i].links {
			t := of[l.target()]
			if t == nil {
				continue
			}
			if t.on == 0 && len(told) == maxTroubles {
				of[l.target()] = nil
				if more[t.Code] == nil {
					more[t.Code] = t
				}
				more[t.Code].on++
				continue
			}
			if t.on++; t.on == 1 {
				t.first = int32(i)
				told = append(told, t)
			}
			marked[i] = marked[i] || j.LinkCollector.o.Places || t.on <= maxPlaces
		}
	}
	for _, code := range slices.Sorted(maps.Keys(more)) {
		t := more[code]
		j.found.Add(diag.Diagnostic{
			Pos: diag.Pos{File: j.shown(".")}, Severity: t.Severity, Code: code, Hint: "fix what is reported, and check again",
			Message: fmt.Sprintf("more links like these lead to %s addresses; the first %s are reported one by one", diag.Number(t.on), diag.Number(maxTroubles)),
		})
	}
	return told, marked
}

// locate finds the places on one page.
func (j *judge) locate(i int32, body []byte, bad map[string]*trouble) {
	var refs page.Refs
	var on resolver
	on.begin(j.targets.loc(j.pages[i].self))
	refs.Find(body, func(r page.Ref) {
		switch r.Kind {
		case page.Base:
			on.rebase(j.bases[0], r.Value)
			return
		case page.Names:
			return
		}
		path, fragment := cutRef(r.Value)
		if !on.resolve(j.bases, path) {
			return
		}
		found := []*trouble{bad[string(on.key)]}
		if len(fragment) > 0 {
			found = append(found, bad[string(on.key)+string(fragment)])
		}
		for _, t := range found {
			if t != nil && j.wants(t, i) {
				t.places = append(t.places, place{i, refs.Pos(r.At)})
				t.written = cmp.Or(t.written, string(r.Value))
			}
		}
	})
}

// wants reports whether one more place of a trouble is to be told: the first ones of the
// first pages, or all.
func (j *judge) wants(t *trouble, page int32) bool {
	n := len(t.places)
	return j.LinkCollector.o.Places || n < maxPlaces && (n == 0 || t.places[n-1].page != page)
}

// sortTroubles sorts troubles by their first places.
func sortTroubles(all []*trouble) {
	for _, t := range all {
		if len(t.places) == 0 { // the page has changed since it was read
			t.places = []place{{page: t.first}}
		}
	}
	slices.SortFunc(all, func(a, b *trouble) int {
		p, q := a.places[0], b.places[0]
		return cmp.Or(cmp.Compare(p.page, q.page), cmp.Compare(p.pos.Line, q.pos.Line), cmp.Compare(p.pos.Col, q.pos.Col), cmp.Compare(a.Subject, b.Subject))
	})
}

func (j *judge) report(ctx context.Context, n *nearest, t *trouble) {
	d, first := t.Diagnostic, t.places[0]
	if d.Code == "dead-link" && d.Hint == "" {
		d.Hint = "fix the address, or remove the link"
		if near := n.to(d.Subject); near != "" {
			d.Hint = "link to " + near + " if that was meant"
		}
	}
	d.Pos, d.Anywhere = j.pos(first), true
	d.Cause = d.Pos.String() // of a srcset, all candidates stand at one place
	d.Message = "the link to " + d.Subject + " " + d.Message + j.also(t)
	if p := j.res.Page(j.pages[first.page].file); p != nil {
		if source := j.res.World.ContentPos(p).File; source != "" {
			d.Source = j.inContent(ctx, source, t.written)
		}
	}
	if j.LinkCollector.o.Places {
		for _, p := range t.places[1:] {
			d.Places = append(d.Places, j.pos(p))
		}
	}
	j.found.Add(d)
}

func (j *judge) pos(p place) diag.Pos {
	return diag.Pos{File: j.shown(j.pages[p.page].file), Line: p.pos.Line, Col: p.pos.Col}
}

// also names the next pages that have a target.
func (j *judge) also(t *trouble) string {
	var names []string
	last := t.places[0].page
	for _, p := range t.places {
		if p.page != last && len(names)+1 < maxPlaces {
			names, last = append(names, j.pos(p).String()), p.page
		}
	}
	if more := t.on - len(names) - 1; more > 0 {
		names = append(names, fmt.Sprintf("on %s more", diag.Count(more, "page")))
	}
	if len(names) == 0 {
		return ""
	}
	return "; also " + strings.Join(names, ", ")
}
