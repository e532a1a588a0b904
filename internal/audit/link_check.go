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

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// Report adds findings about broken links, and about listed pages that no other page links to.
func (l *linkCollector) Report(ctx context.Context, c *CheckRun) error {
	l.pages = slices.DeleteFunc(l.pages, func(p *pageLinks) bool {
		sitePage := c.Result.Page(p.file)
		return c.Result.World.Included[p.file] != nil || sitePage != nil && (sitePage.Facts.OwnReason == page.Fragment || sitePage.Facts.OwnReason == page.NotHTML)
	})
	slices.SortFunc(l.pages, func(a, b *pageLinks) int { return strings.Compare(a.file, b.file) })
	broken, endFiles := c.followTargets(ctx, l.locs)
	if l.fragments {
		l.addDeadFragments(broken, endFiles)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if len(broken) > 0 {
		near := c.newSuggester()
		c.dropOtherRepositories(broken, near)
		for _, b := range l.brokenLinks(c, broken) {
			c.addBrokenLink(b, near)
		}
	}
	l.reportOrphans(c, endFiles)
	return nil
}

// followTargets follows the redirects of the URLs in locs. broken contains a finding about each
// broken URL, without a position; a permanent redirect also counts as broken. endFiles[i] is the
// file of the page at the end of the redirects of locs[i], or "" if there is no such page.
// followTargets skips URLs with a fragment, and URLs that the server may answer without a file;
// their endFiles are "".
func (c *CheckRun) followTargets(ctx context.Context, locs []string) (broken map[string]diag.Diagnostic, endFiles []string) {
	var mu sync.Mutex
	broken, endFiles = map[string]diag.Diagnostic{}, make([]string, len(locs))
	files.ParallelEach(len(locs), func(i int) {
		loc := locs[i]
		if ctx.Err() != nil || strings.Contains(loc, "#") || c.isIgnored(loc) || isAnsweredByPlatform(loc) {
			return
		}
		t := newRedirectTrail(func(loc string) explain.Response { return c.lenientAnswer(ctx, loc) }, loc)
		if wrong := trailMistake(&t); wrong.Code != "" {
			mu.Lock()
			defer mu.Unlock()
			broken[loc] = wrong
		}
		if !t.loop && t.end.Status == http.StatusOK {
			endFiles[i] = strings.TrimPrefix(t.end.File, c.pageName("")+"/")
		}
	})
	return broken, endFiles
}

// isIgnored reports whether links.ignore of the configuration matches loc. A program on the server
// answers requests for such a URL.
func (c *CheckRun) isIgnored(loc string) bool {
	return c.Settings.ServedByCode.FirstMatch(pathOf(loc, c.Settings.Site.Base)) >= 0
}

// isAnsweredByPlatform reports whether the hosting platform itself answers requests for the URL
// loc, such as "https://example.com/cdn-cgi/l/email-protection".
func isAnsweredByPlatform(loc string) bool {
	urlPath := mapping.PathOf(loc)
	return slices.ContainsFunc([]string{"/.netlify/", "/cdn-cgi/", "/_vercel/"}, func(folder string) bool { return strings.HasPrefix(urlPath, folder) })
}

// pageName returns the name that the user would type for a file in the publish directory.
func (c *CheckRun) pageName(file string) string { return path.Join(c.Settings.Site.Pages.Name, file) }

// lenientAnswer returns what the site serves at loc. If the answer is a 404 but the real host may
// serve something at loc, lenientAnswer returns another answer. For an unknown host, it tries loc
// with and without ".html", and without repeated slashes. For Apache, it accepts what settings
// outside of .htaccess may permit: /a for a.html (MultiViews), //a for a (MergeSlashes), and a
// folder with an automatic index. It also accepts a path that a RewriteRule may give to a script. It
// returns a 404 unchanged if a rule or an unbuilt content file is the reason.
func (c *CheckRun) lenientAnswer(ctx context.Context, loc string) explain.Response {
	answer := c.explainer.PredictResponse(ctx, loc)
	if answer.Status != http.StatusNotFound || answer.Source != "" || answer.Exclusion.Pos.File != "" {
		return answer
	}
	others := []string{loc + ".html", strings.TrimSuffix(loc, ".html"), strings.TrimSuffix(loc, "/") + ".html"}
	switch host := c.Settings.Site.Hosting; {
	case host.Name() == "apache":
		name, _, _ := strings.Cut(strings.TrimPrefix(loc, c.Settings.Site.Base.String()), "?")
		name, err := url.PathUnescape(name)
		if err == nil && (c.isPublished(path.Clean("/"+name)) || host.MayRunScript("/"+name)) {
			return explain.Response{Status: http.StatusOK}
		}
		others = others[:1]
	case host.IsKnown():
		return answer
	default:
		others = append(others, mergeSlashes(loc))
	}
	for _, other := range others {
		if a := c.explainer.PredictResponse(ctx, other); a.Status == http.StatusOK {
			return a
		}
	}
	return answer
}

// mergeSlashes returns loc with one slash for each sequence of slashes in its path. By default, nginx
// merges slashes, too. Sphinx writes links such as ".//plot.png".
func mergeSlashes(loc string) string {
	scheme, rest, _ := strings.Cut(loc, "://")
	return scheme + "://" + repeatedSlashes.ReplaceAllString(rest, "/")
}

var repeatedSlashes = regexp.MustCompile("//+")

// isPublished reports whether the publish directory contains a file or folder called name.
func (c *CheckRun) isPublished(name string) bool {
	_, err := os.Lstat(filepath.Join(c.Settings.Site.Pages.Dir, name))
	return err == nil
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

// reportOrphans reports listed pages without a link from another page, except home pages. If at
// least 20 pages are listed and more than half of them are orphans, it adds a single finding. It
// reports nothing if pages include other files: the relative links in an included file lead to a
// different URL on each page. For endFiles, see followTargets.
func (l *linkCollector) reportOrphans(c *CheckRun, endFiles []string) {
	w := c.Result.World
	if len(w.Included) > 0 {
		return
	}
	linked := l.filesLinkedByOthers(c, endFiles)
	var orphans []*site.Page
	pages := 0
	for _, p := range c.Result.List {
		if _, ok := l.pageIndex(p.File()); !ok {
			continue
		}
		pages++
		isHome := slices.ContainsFunc(l.bases, func(b mapping.Base) bool { return b.String() == p.Loc })
		if !linked[p.File()] && !isHome {
			orphans = append(orphans, p)
		}
	}
	if pages >= 20 && len(orphans) > pages/2 {
		c.Findings.Add(diag.Notef(diag.Pos{File: c.pageName(".")}, "orphan-page", "give the pages links that crawlers can follow",
			"no page links to %d of %s; links that scripts write are not seen", len(orphans), diag.Count(pages, "listed page")))
		return
	}
	for _, p := range orphans {
		d := diag.Warnf(diag.Pos{File: w.Pos(p).File}, "orphan-page", "give it a link that crawlers can follow, or remove it from the sitemap", "no other page links to %s", p.Loc)
		d.Subject, d.Source = p.Loc, w.ContentPos(p)
		c.Findings.Add(d)
	}
}

// filesLinkedByOthers returns the set of the page files to which another page links. Links in
// redirect pages do not count. For endFiles, see followTargets.
func (l *linkCollector) filesLinkedByOthers(c *CheckRun, endFiles []string) map[string]bool {
	isLinked := make([]bool, len(l.locs)) // by target
	for _, p := range l.pages {
		if sitePage := c.Result.Page(p.file); sitePage != nil && sitePage.Reason() == page.Redirect {
			continue
		}
		for _, k := range p.links {
			if endFiles[k.target] != p.file {
				isLinked[k.target] = true
			}
		}
	}
	linked := map[string]bool{}
	for id, is := range isLinked {
		if is {
			linked[endFiles[id]] = true
		}
	}
	return linked
}
