package audit

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
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

// A linkChecker checks the links that a LinkCollector collected.
type linkChecker struct {
	*LinkCollector
	res      *site.Result
	o        *site.Options
	found    *diag.Report
	unknown  []string // folders such as "static/" whose files are not in the publish directory
	endPages []int32  // by target: index of the page at the end of all redirects, or noPage

	mu       sync.Mutex
	problems map[uint32]*linkProblem // mistake of each broken target, by its number
}

// noPage is the page index for a URL that does not lead to a known page.
const noPage = -1

// A linkProblem describes a broken target, and the links to it. A target is broken if it is dead,
// permanently redirected or without the linked element. The message, such as "is answered 404",
// follows the text "the link to URL" in the finding.
type linkProblem struct {
	diag.Diagnostic
	on     int     // number of pages with a link to the target
	first  int32   // index of the first of these pages
	places []place // positions of links to report, in the order of pages
}

// A place is the position of a link. page is the index of the page in LinkCollector.pages.
type place struct {
	page int32
	pos  diag.Pos
}

// Check adds findings about broken links, and about listed pages that no other page links to. Call
// Check after Sort. Check returns an error only if ctx ends.
func (l *LinkCollector) Check(ctx context.Context, res *site.Result, o *site.Options, found *diag.Report) error {
	l.pages = slices.DeleteFunc(l.pages, func(p *pageLinks) bool {
		r := res.Page(p.file)
		return res.World.Included[p.file] != nil || r != nil && (r.Facts.OwnReason == page.Fragment || r.Facts.OwnReason == page.NotHTML)
	})
	j := &linkChecker{LinkCollector: l, res: res, o: o, found: found, problems: map[uint32]*linkProblem{}, unknown: findUnknownFolders(o.Pages.Dir)}
	j.followTargets(ctx)
	if l.o.Fragments {
		j.checkFragments(ctx)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	j.reportLinkProblems(ctx)
	j.reportOrphans()
	return ctx.Err()
}

// followTargets follows the redirects of all targets, in several goroutines. It sets l.endPages,
// and records a problem for each broken target.
func (l *linkChecker) followTargets(ctx context.Context) {
	l.endPages = make([]int32, len(l.locs))
	files.ParallelWorkers(ctx, len(l.locs), func() func(id int) {
		answers := explain.New(l.res)
		answers.Reread = func(file string) bool { // read a page again only if it has a meta refresh
			i := l.pageIndex(file)
			return i == noPage || l.pages[i].moves
		}
		return func(id int) { l.endPages[id] = l.followTarget(ctx, answers, uint32(id)) }
	})
}

// followTarget follows the redirects of the target with the number id. It returns the index of the
// page at the end, or noPage. If the target is broken, followTarget records a problem; a permanent
// redirect also counts as broken. It skips fragments, targets for which Ignore returns true, and
// targets in an unknown folder.
func (l *linkChecker) followTarget(ctx context.Context, answers *explain.Answers, id uint32) (endPage int32) {
	loc := l.locs[id]
	if strings.Contains(loc, "#") || l.isInUnknownFolder(loc) || l.LinkCollector.o.Ignore != nil && l.LinkCollector.o.Ignore(loc) {
		return noPage // fragments are checked later
	}
	t := newRedirectTrail(func(loc string) explain.Answer { return l.lenientAnswer(ctx, answers, loc) }, loc)
	if wrong := trailMistake(&t); wrong.Code != "" {
		l.addLinkProblem(id, wrong)
	}
	if t.loop || t.end.Status != http.StatusOK {
		return noPage
	}
	return l.pageIndex(strings.TrimPrefix(t.end.File, l.displayName("")+"/"))
}

// addLinkProblem records the mistake wrong for the target with the number id. It is safe for
// concurrent use.
func (l *linkChecker) addLinkProblem(id uint32, wrong diag.Diagnostic) {
	wrong.Subject = l.locs[id]
	l.mu.Lock()
	defer l.mu.Unlock()
	l.problems[id] = &linkProblem{Diagnostic: wrong}
}

// isInUnknownFolder reports whether loc is in one of the folders in l.unknown.
func (l *linkChecker) isInUnknownFolder(loc string) bool {
	rest := strings.TrimPrefix(loc, l.bases[max(0, baseIndex(l.bases, []byte(loc)))].String())
	return slices.ContainsFunc(l.unknown, func(folder string) bool { return strings.HasPrefix(rest, folder) })
}

// submodulePath matches the line with the folder of a submodule in a .gitmodules file.
var submodulePath = regexp.MustCompile(`(?m)^\s*path\s*=\s*(\S+)\s*$`)

// maxSubmodulesFile is the maximum number of bytes to read of a .gitmodules file.
const maxSubmodulesFile = 1 << 20

// findUnknownFolders returns the folders that a site may serve although its publish directory dir
// does not contain their files. They are folders of hosting platforms, such as ".netlify/", and
// empty folders of Git submodules, such as "static/".
func findUnknownFolders(dir string) []string {
	folders := []string{".netlify/", "cdn-cgi/", "_vercel/"}
	if dir == "" {
		return folders
	}
	src, _ := files.ReadHead(dir, ".gitmodules", maxSubmodulesFile)
	for _, m := range submodulePath.FindAllStringSubmatch(string(src), -1) {
		content, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(m[1])))
		if err == nil && len(content) == 0 {
			folders = append(folders, m[1]+"/")
		}
	}
	return folders
}

// lenientAnswer returns what the site serves at loc. If the answer is a 404 but the real host may
// serve something at loc, lenientAnswer returns another answer. For an unknown host, it tries loc
// with and without ".html". For Apache, it accepts what settings outside of .htaccess may permit:
// /a for a.html (MultiViews), //a for a (MergeSlashes), and a folder with an automatic index.
func (l *linkChecker) lenientAnswer(ctx context.Context, answers *explain.Answers, loc string) explain.Answer {
	answer := answers.AnswerRequest(ctx, loc)
	if answer.Status != http.StatusNotFound || answer.Source != "" || answer.Exclusion.Pos.File != "" {
		return answer
	}
	others := []string{loc + ".html", strings.TrimSuffix(loc, ".html"), strings.TrimSuffix(loc, "/") + ".html"}
	switch {
	case l.o.Host.Name() == "apache":
		name, err := url.PathUnescape(strings.TrimPrefix(loc, l.o.Base.String()))
		if err == nil && l.isPublished(path.Clean("/"+name)) {
			return explain.Answer{Status: http.StatusOK}
		}
		others = others[:1]
	case l.o.Host.IsKnown():
		return answer
	}
	for _, other := range others {
		if a := answers.AnswerRequest(ctx, other); a.Status == http.StatusOK {
			return a
		}
	}
	return answer
}

// trailMistake returns the mistake of a link to the URL where the trail t starts: a dead end, a
// loop or a permanent redirect. If the link is correct, wrong.Code is "".
func trailMistake(t *redirectTrail) (wrong diag.Diagnostic) {
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

// displayName returns the name that the user would type for a file in the publish directory.
func (l *linkChecker) displayName(file string) string { return path.Join(l.o.Pages.Name, file) }

// reportOrphans reports listed pages without a link from another page, except home pages. If at
// least 20 pages are listed and more than half of them are orphans, it adds a single finding. It
// reports nothing if pages include other files: the relative links in an included file lead to a
// different URL on each page.
func (l *linkChecker) reportOrphans() {
	if len(l.res.World.Included) > 0 {
		return
	}
	linked := l.pagesLinkedByOthers()
	listed := make([]int32, len(l.res.List)) // index in l.pages of each listed page
	for i, r := range l.res.List {
		listed[i] = l.pageIndex(r.File())
	}
	var alone []int // indexes in l.res.List of pages without a link
	of := 0
	for i, at := range listed {
		if at == noPage {
			continue
		}
		of++
		if !linked[at].Load() && !l.isHome(l.res.List[i].Entry.Loc) {
			alone = append(alone, i)
		}
	}
	if of >= 20 && len(alone) > of/2 {
		l.found.Add(diag.Notef(diag.Pos{File: l.displayName(".")}, "orphan-page", "give the pages links that crawlers can follow",
			"no page links to %d of %s; links that scripts write are not seen", len(alone), diag.Count(of, "listed page")))
		return
	}
	w := l.res.World
	for _, i := range alone {
		r := l.res.List[i]
		d := diag.Warnf(diag.Pos{File: w.Pos(r).File}, "orphan-page", "link to it, or remove it from the sitemap", "no other page links to %s", r.Entry.Loc)
		d.Subject, d.Source = r.Entry.Loc, w.ContentPos(r)
		l.found.Add(d)
	}
}

// isHome reports whether loc is the base URL of the site or of one of its parts.
func (l *linkChecker) isHome(loc string) bool {
	return slices.ContainsFunc(l.bases, func(b mapping.Base) bool { return b.String() == loc })
}

// pagesLinkedByOthers returns a list with an element for each page in l.pages. The element is true
// if another page links to this page. Links in redirect pages do not count.
func (l *linkChecker) pagesLinkedByOthers() []atomic.Bool {
	linked := make([]atomic.Bool, len(l.pages))
	files.ParallelEach(len(l.pages), func(i int) {
		if l.pages[i].moves {
			if p := l.res.Page(l.pages[i].file); p != nil && p.Reason() == page.Redirect {
				return
			}
		}
		for _, target := range l.pages[i].links {
			if to := l.endPages[target]; to != noPage && to != int32(i) && !linked[to].Load() {
				linked[to].Store(true)
			}
		}
	})
	return linked
}
