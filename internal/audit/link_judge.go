package audit

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// A linkChecker compares the links with the pages that the site serves.
type linkChecker struct {
	*LinkCollector
	res      *site.Result
	o        *site.Options
	found    *diag.Report
	endPages []int32 // the page at the end of each target's redirects, or noPage

	mu       sync.Mutex
	troubles map[uint32]*trouble // by target
}

const noPage = -1

// A trouble is a mistake in a target. In the finding, the message follows "the link to" and the
// URL of the target.
type trouble struct {
	diag.Diagnostic
	on     int // number of pages with the link
	first  int32
	places []place // in the order of pages; only those that are reported
}

// A place is the position of a link in a page.
type place struct {
	page int32
	pos  diag.Pos
}

// Check reports mistakes in the links of all pages. Call Check after Sort.
func (c *LinkCollector) Check(ctx context.Context, res *site.Result, o *site.Options, found *diag.Report) error {
	c.pages = slices.DeleteFunc(c.pages, func(p *pageLinks) bool {
		r := res.Page(p.file)
		return res.World.Included[p.file] != nil || r != nil && (r.Facts.Own == page.Fragment || r.Facts.Own == page.NotHTML)
	})
	j := &linkChecker{LinkCollector: c, res: res, o: o, found: found, troubles: map[uint32]*trouble{}}
	j.followAll(ctx)
	if c.o.Fragments {
		j.checkFragments(ctx)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	j.reportTroubles(ctx)
	j.reportOrphans()
	return ctx.Err()
}

// followAll sets ends for all targets. It uses all processors.
func (j *linkChecker) followAll(ctx context.Context) {
	j.endPages = make([]int32, len(j.locs))
	files.ParallelWorkers(ctx, len(j.locs), func() func(id int) {
		answers := explain.New(j.res)
		answers.Again = func(file string) bool { // read only pages with a meta refresh again
			i := j.pageIndex(file)
			return i == noPage || j.pages[i].moves
		}
		return func(id int) { j.endPages[id] = j.follow(ctx, answers, uint32(id)) }
	})
}

// follow returns the page at the end of a target's redirects, or noPage. It records a mistake
// in the target.
func (j *linkChecker) follow(ctx context.Context, answers *explain.Answers, id uint32) int32 {
	loc := j.locs[id]
	if strings.Contains(loc, "#") || j.isServedByHost(loc) || j.LinkCollector.o.Ignore != nil && j.LinkCollector.o.Ignore(loc) {
		return noPage // fragments are checked later
	}
	t := follow(func(loc string) explain.Answer { return j.answer(ctx, answers, loc) }, loc)
	if wrong := trailMistake(&t); wrong.Code != "" {
		j.addTrouble(id, wrong)
	}
	if t.loop || t.end.Status != http.StatusOK {
		return noPage
	}
	return j.pageIndex(strings.TrimPrefix(t.end.File, j.displayName("")+"/"))
}

// addTrouble records a mistake in a target.
func (j *linkChecker) addTrouble(id uint32, wrong diag.Diagnostic) {
	wrong.Subject = j.locs[id]
	j.mu.Lock()
	defer j.mu.Unlock()
	j.troubles[id] = &trouble{Diagnostic: wrong}
}

// isServedByHost reports whether the platform itself answers for a URL. Examples are Netlify
// functions and scripts of Cloudflare and Vercel.
func (j *linkChecker) isServedByHost(loc string) bool {
	rest := strings.TrimPrefix(loc, j.bases[max(0, baseIndex(j.bases, []byte(loc)))].String())
	return slices.ContainsFunc([]string{".netlify/", "cdn-cgi/", "_vercel/"}, func(own string) bool { return strings.HasPrefix(rest, own) })
}

// answer returns the site's answer for a URL. On an unknown host, /a and /a.html are the same
// page. The configuration of an Apache server, which may not be in .htaccess, lets it answer /a
// with a.html (MultiViews), //a with a (MergeSlashes), and a folder with the list of its files.
func (j *linkChecker) answer(ctx context.Context, answers *explain.Answers, loc string) explain.Answer {
	answer := answers.Of(ctx, loc)
	if answer.Status != http.StatusNotFound || answer.Source != "" || answer.Exclusion.Pos.File != "" {
		return answer
	}
	others := []string{loc + ".html", strings.TrimSuffix(loc, ".html"), strings.TrimSuffix(loc, "/") + ".html"}
	switch {
	case j.o.Host.Name() == "apache":
		name, err := url.PathUnescape(strings.TrimPrefix(loc, j.o.Base.String()))
		if err == nil && j.exists(path.Clean("/"+name)) {
			return explain.Answer{Status: http.StatusOK}
		}
		others = others[:1]
	case j.o.Host.IsKnown():
		return answer
	}
	for _, other := range others {
		if a := answers.Of(ctx, other); a.Status == http.StatusOK {
			return a
		}
	}
	return answer
}

// trailMistake returns the mistake in a link. The code is empty if nothing is wrong.
func trailMistake(t *trail) (wrong diag.Diagnostic) {
	at, rule, way, permanent := "", "", "", len(t.hops) > 0
	for _, hop := range t.hops {
		at, _, _ = strings.Cut(hop.To, "#")
		permanent = permanent && !isTemporary(hop)
	}
	if len(t.hops) > 0 {
		rule = ruleSuffix(t.hops[0])
		way = "is redirected to " + at + rule + ", which "
	}
	end := t.end
	switch {
	case t.loop:
		return diag.Errorf(diag.Pos{}, "dead-link", "link to the page itself", "is redirected in a circle, or too often%s", rule)
	case end.Status == http.StatusNotFound && end.Source != "":
		why := ""
		if end.Exclusion.Reason != page.Listed {
			why = ": " + end.Exclusion.Reason.String()
		}
		return diag.Errorf(diag.Pos{}, "unbuilt-link", "publish the page, or remove the link", "%sis not built from %s%s", way, end.Source, why)
	case end.Status == http.StatusNotFound || end.Status == http.StatusGone:
		return diag.Errorf(diag.Pos{}, "dead-link", "", "%sis answered %d%s", way, end.Status, ruleSuffix(end))
	case permanent:
		return diag.Warnf(diag.Pos{}, "redirected-link", "link to "+at, "is redirected to %s%s", at, rule)
	}
	return wrong
}

// displayName returns a file of the pages tree as the user would type it.
func (j *linkChecker) displayName(file string) string { return path.Join(j.o.Pages.Name, file) }

// reportOrphans reports listed pages that no page links to. It reports none if pages include
// files: a link in an included file leads elsewhere from each page.
func (j *linkChecker) reportOrphans() {
	if len(j.res.World.Included) > 0 {
		return
	}
	linked := j.linkedPages()
	listed := make([]int32, len(j.res.List)) // page number of each listed URL
	for i, r := range j.res.List {
		listed[i] = j.pageIndex(r.File())
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

func (j *linkChecker) isHome(loc string) bool {
	return slices.ContainsFunc(j.bases, func(b mapping.Base) bool { return b.String() == loc })
}

// linkedPages returns for each page whether another page links to it. Links from redirect pages
// do not count.
func (j *linkChecker) linkedPages() []atomic.Bool {
	linked := make([]atomic.Bool, len(j.pages))
	files.ParallelEach(len(j.pages), func(i int) {
		if j.pages[i].moves {
			if p := j.res.Page(j.pages[i].file); p != nil && p.Reason() == page.Redirect {
				return
			}
		}
		for _, target := range j.pages[i].links {
			if to := j.endPages[target]; to != noPage && to != int32(i) && !linked[to].Load() {
				linked[to].Store(true)
			}
		}
	})
	return linked
}
