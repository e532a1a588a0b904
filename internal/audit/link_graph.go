package audit

import (
	"slices"
	"sync/atomic"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// reportOrphans reports listed pages that no page links to.
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
	if of >= 20 && len(alone) > of/2 {
		j.found.Add(diag.Notef(diag.Pos{File: j.displayName(".")}, "orphan-page", "give the pages links that crawlers can follow",
			"no page links to %d of %s; links that scripts write are not seen", len(alone), diag.Count(of, "listed page")))
		return
	}
	w := j.res.World
	for _, i := range alone {
		r := j.res.List[i]
		d := diag.Warnf(diag.Pos{File: w.Pos(r).File}, "orphan-page", "link to it, or remove it from the sitemap", "no other page links to %s", r.Entry.Loc)
		d.Subject, d.Source = r.Entry.Loc, w.ContentPos(r)
		j.found.Add(d)
	}
}

func (j *judge) isHome(loc string) bool {
	return slices.ContainsFunc(j.bases, func(b mapping.Base) bool { return b.String() == loc })
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
		for _, target := range j.pages[i].links {
			if to := j.ends[target]; to != noPage && to != int32(i) && !linked[to].Load() {
				linked[to].Store(true)
			}
		}
	})
	return linked
}
