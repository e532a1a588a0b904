package audit

import (
	"sync/atomic"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/parallel"
	"github.com/sitewalk/sitewalk/page"
)

// graph reports the listed pages that no link leads to, or only many links.
func (j *judge) graph() {
	linked := j.linked()
	var alone []int // listed pages, by their number in the list
	of := 0
	for i, at := range j.list {
		if at == noPage {
			continue
		}
		of++
		if !linked[at].Load() && !j.isHome(j.res.List[i].Entry.Loc) {
			alone = append(alone, i)
		}
	}
	scripted := of >= 20 && len(alone) > of/2
	if scripted {
		j.note("orphan-page", "give the pages links that crawlers can follow",
			"no page links to %d of %s; links that scripts write are not seen", len(alone), diag.Count(of, "listed page"))
	} else {
		for _, i := range alone {
			j.page(i, "orphan-page", "link to it, or remove it from the sitemap", "no other page links to %s")
		}
	}
	if j.LinkCollector.o.Depth > 0 && !scripted {
		j.depth(linked)
	}
}

// note reports what is true of the site as a whole.
func (j *judge) note(code, hint, format string, args ...any) {
	j.found.Add(diag.Notef(diag.Pos{File: j.shown(".")}, code, hint, format, args...))
}

// page reports page i of the list.
func (j *judge) page(i int, code, hint, format string, args ...any) {
	r, w := j.res.List[i], j.res.World
	d := diag.Warnf(diag.Pos{File: w.Pos(r).File}, code, hint, format, append([]any{r.Entry.Loc}, args...)...)
	d.Subject, d.Source = r.Entry.Loc, w.ContentPos(r)
	j.found.Add(d)
}

func (j *judge) isHome(loc string) bool {
	for _, b := range j.bases {
		if b.String() == loc {
			return true
		}
	}
	return false
}

// linked says of each page whether another one links to it. A page that only leads
// on to another does not count.
func (j *judge) linked() []atomic.Bool {
	linked := make([]atomic.Bool, len(j.pages))
	parallel.Each(len(j.pages), func(i int) {
		if j.pages[i].moves {
			if p := j.res.Page(j.pages[i].file); p != nil && p.Reason() == page.Redirect {
				return
			}
		}
		for _, l := range j.pages[i].links {
			if to := j.ends[l.target()]; to != noPage && to != int32(i) && !linked[to].Load() {
				linked[to].Store(true)
			}
		}
	})
	return linked
}

// depth reports the listed pages that are too many links away from a home page.
func (j *judge) depth(linked []atomic.Bool) {
	away := make([]int32, len(j.pages)) // one more than the number of links
	var next []int32
	for _, b := range j.bases {
		if i, ok := j.res.List.Find(b.String()); ok {
			if at := j.list[i]; at != noPage && away[at] == 0 {
				away[at] = 1
				next = append(next, at)
			}
		}
	}
	if len(next) == 0 {
		return
	}
	for len(next) > 0 {
		at := next[0]
		next = next[1:]
		for _, l := range j.pages[at].links {
			if to := j.ends[l.target()]; l.leads() && to != noPage && away[to] == 0 {
				away[to] = away[at] + 1
				next = append(next, to)
			}
		}
	}
	most := j.LinkCollector.o.Depth
	for i, at := range j.list {
		const hint = "link to it from a page that is nearer to the home page"
		switch {
		case at == noPage:
		case away[at] == 0 && linked[at].Load():
			j.page(i, "deep-page", hint, "no links lead from the home page to %s")
		case int(away[at])-1 > most:
			j.page(i, "deep-page", hint, "%s is %d links away from the home page, more than %d", away[at]-1, most)
		}
	}
}
