package audit

import (
	"sync/atomic"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/page"
)

// reportOrphans reports listed pages that no page links to, and listed pages that are too many
// links away from the home page.
func (j *judge) reportOrphans() {
	linked := j.linkedPages()
	listed := make([]int32, len(j.res.List)) // page number of each listed URL
	for i, r := range j.res.List {
		listed[i] = j.index(r.File())
	}
	var alone []int // indexes in the list
	of := 0
	for i, at := range listed {
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
		j.reportDeep(linked, listed)
	}
}

// note reports a problem of the whole site.
func (j *judge) note(code, hint, format string, args ...any) {
	j.found.Add(diag.Notef(diag.Pos{File: j.displayName(".")}, code, hint, format, args...))
}

// page reports the page at index i of the list.
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

// linkedPages returns for each page whether another page links to it. Links from redirect pages
// do not count.
func (j *judge) linkedPages() []atomic.Bool {
	linked := make([]atomic.Bool, len(j.pages))
	files.ParallelEach(len(j.pages), func(i int) {
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

// reportDeep reports listed pages that are too many links away from a home page.
func (j *judge) reportDeep(linked []atomic.Bool, listed []int32) {
	away := make([]int32, len(j.pages)) // number of links plus one; 0 if not reached
	var next []int32
	for _, b := range j.bases {
		if i, ok := j.res.List.Find(b.String()); ok {
			if at := listed[i]; at != noPage && away[at] == 0 {
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
	for i, at := range listed {
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
