package audit

import (
	"context"
	"net/http"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// siteChecker compares a list with the site that should be listed.
type siteChecker struct {
	*SitemapChecker
	world       *site.World
	list        site.List // pages that belong in the sitemap
	answers     *explain.Answers
	isListed    []bool             // by index in list: the sitemap lists the page
	equivalents map[int]*listedURL // by index in list: the page is listed at an equivalent URL
	nextIndex   int                // index after the last found page

	wrongDates []wrongDate
}

const servedTwice = "the page is served at both addresses"

// compareURL checks one URL of the sitemap. The site must list the URL in the spelling that the host
// serves.
func (a *siteChecker) compareURL(ctx context.Context, u *listedURL) {
	if loc, how := a.suggestOwnURL(u.loc); how != "" {
		if end, listed := a.followRedirects(ctx, loc); listed {
			a.reportMisspelling(u, end, how)
			return
		}
		u.loc = loc // check the corrected URL for other mistakes
	}
	bare, _, _ := strings.Cut(u.loc, "#")
	if i, ok := a.find(bare); ok {
		a.checkListed(u, i)
		return
	}
	answer := a.answers.Of(ctx, u.loc)
	switch {
	case answer.Status == 0: // a URL of another site, which checkScope reports
	case answer.Either && a.markListed(answer.At):
		i, _ := a.find(answer.At)
		a.equivalents[i] = u
	case answer.At != "":
		a.markListed(answer.At)
		a.reportDuplicate(u, answer.At, servedTwice)
	case answer.To != "" && answer.Exclusion.Reason == page.Redirect:
		a.checkRedirect(ctx, u, answer)
	case answer.Status == http.StatusOK:
		a.checkHidden(u, answer)
	default:
		a.reportMissing(u, answer)
	}
}

// find returns the index of a listed page. It first looks near the previous page, because most
// sitemaps are in the order of the list.
func (a *siteChecker) find(loc string) (i int, ok bool) {
	if i, ok = a.list.FindNear(loc, a.nextIndex); ok {
		a.nextIndex = i + 1
	}
	return i, ok
}

// markListed marks a page as listed by the sitemap. It reports false if the site does not list
// the page or the page was marked before.
func (a *siteChecker) markListed(loc string) bool {
	i, ok := a.find(loc)
	if !ok || a.isListed[i] {
		return false
	}
	a.isListed[i] = true
	return true
}

// checkListed handles the URL of a listed page.
func (a *siteChecker) checkListed(u *listedURL, i int) {
	a.isListed[i] = true
	if other := a.equivalents[i]; other != nil {
		a.reportDuplicate(other, u.loc, servedTwice)
	}
	if u.loc != u.text && sitemap.CheckLoc(u.text) == nil {
		a.checkEncoding(u)
	}
	if !u.lastmod.IsZero() {
		a.checkDate(u, i)
	}
}

// checkEncoding reports a URL that is only equivalent to the URL of the site (RFC 3986, section
// 6.2.2).
func (a *siteChecker) checkEncoding(u *listedURL) {
	if strings.EqualFold(u.loc, u.text) {
		return // only the case differs, as in %c3 and %C3
	}
	a.reportDuplicate(u, u.loc, "it is encoded otherwise")
}

// suggestOwnURL returns loc with the scheme and the host of the site if only the scheme or "www."
// differs, and the difference. Otherwise it returns "".
func (c *SitemapChecker) suggestOwnURL(loc string) (to, how string) {
	if to = c.Base.OwnScheme(loc); to != loc {
		how = "the site has another scheme"
	} else if host := sitemap.HostOf(loc); !c.Base.SameHost(loc) && strings.TrimPrefix(host, "www.") == strings.TrimPrefix(c.Base.Host(), "www.") {
		scheme, rest, _ := strings.Cut(c.Base.String(), "://")
		_, path, _ := strings.Cut(loc, "://"+host)
		to, how = scheme+"://"+rest[:len(c.Base.Host())]+path, "the site is on "+c.Base.Host()
	}
	if how == "" || c.Owns == nil || !c.Owns(to) {
		return "", ""
	}
	return to, how
}

// reportMisspelling reports a URL that does not serve the page, but that is close to the URL to.
func (a *siteChecker) reportMisspelling(u *listedURL, to, how string) {
	a.Findings.Add(diag.Errorf(u.pos, "misspelt-url", "list "+to, "%s is misspelt: %s; the page is at %s", u.text, how, to).About(u.text).Because(how))
}

// reportDuplicate reports a second URL of a page that is listed at the URL to.
func (a *siteChecker) reportDuplicate(u *listedURL, to, how string) {
	a.Findings.Add(diag.Warnf(u.pos, "misspelt-url", "list "+to, "%s is misspelt: %s; the page is listed at %s", u.text, how, to).About(u.text).Because(how))
}

// checkRedirect reports a URL that is redirected. If the host's own rule leads to a listed page
// in one step, the finding is a misspelling.
func (a *siteChecker) checkRedirect(ctx context.Context, u *listedURL, answer explain.Answer) {
	end, listed := a.followRedirects(ctx, answer.To)
	if listed && end == answer.To && answer.Exclusion.Pos.File == "" && !answer.Refresh {
		a.reportMisspelling(u, end, "the host redirects it")
		return
	}
	hint := "remove it from the sitemap"
	if listed {
		hint = "list " + end + " in its place"
	}
	a.Findings.Add(diag.Errorf(u.pos, "listed-redirect", hint, "%s redirects to %s%s", u.text, answer.To, ruleSuffix(answer)).About(u.text))
}

// followRedirects returns the URL at the end of all redirects, and reports whether the site lists that URL.
// It marks a listed page.
func (a *siteChecker) followRedirects(ctx context.Context, loc string) (end string, listed bool) {
	t := follow(func(loc string) explain.Answer { return a.answers.Of(ctx, loc) }, loc)
	end = t.endURL(loc)
	if listed = t.end.Listed || t.end.At != ""; listed {
		a.markListed(end)
	}
	return end, listed
}

func (a *siteChecker) checkHidden(u *listedURL, answer explain.Answer) {
	v := answer.Exclusion
	if v.Reason == page.Excluded && answer.File != "" && v.Pos.File == "" && !strings.HasSuffix(answer.File, ".html") {
		return // a document other than an HTML page may be listed
	}
	if v.Reason == page.Tool {
		return // another tool may list it
	}
	d := diag.Errorf(u.pos, "listed-hidden", "remove it from the sitemap, or let it be indexed",
		"%s may not be listed: %s%s", u.text, reasonText(v), ruleSuffix(answer))
	d.Subject, d.Source, d.Cause = u.text, diag.Pos{File: answer.Source}, v.Reason.String()
	a.Findings.Add(d)
}

// reportMissing reports a listed URL that the site does not serve, and suggests the page
// probably meant.
func (a *siteChecker) reportMissing(u *listedURL, answer explain.Answer) {
	hint := "remove it from the sitemap, or publish the page"
	if near := a.answers.Respelled(u.loc); near != "" {
		a.markListed(near)
		a.reportMisspelling(u, near, "nothing is served there")
		return
	}
	if a.Findings.CountOnly("listed-missing", "", diag.Error, u.pos) {
		return
	}
	why := reasonText(answer.Exclusion)
	if why != "" {
		why = ": " + why
	}
	d := diag.Errorf(u.pos, "listed-missing", hint, "%s is listed, but the site answers %d%s%s", u.text, answer.Status, why, ruleSuffix(answer))
	d.Subject, d.Source = u.text, diag.Pos{File: answer.Source}
	a.Findings.Add(d)
}

// checkMissing reports the pages that the sitemap does not list. It adds one finding for each
// page, or one for all pages if there are many.
func (a *siteChecker) checkMissing() {
	var out []*site.Page
	for i, r := range a.list {
		if !a.isListed[i] {
			out = append(out, r)
		}
	}
	if len(out) > diag.DefaultKept {
		a.reportManyMissing(out)
		return
	}
	for _, r := range out {
		d := diag.Warnf(diag.Pos{File: a.world.Pos(r).File}, "not-listed", "list it, or keep it out for crawlers, too",
			"%s is served and may be indexed, but the sitemap does not list it", r.Entry.Loc)
		d.Subject, d.Source = r.Entry.Loc, a.world.ContentPos(r)
		a.Findings.Add(d)
	}
}

func (a *siteChecker) reportManyMissing(out []*site.Page) {
	d := diag.Warnf(diag.Pos{File: a.first}, "not-listed", "list them, or keep them out for crawlers, too",
		"%d of %d pages are served and may be indexed, but the sitemap does not list them, as %s, %s and %s",
		len(out), len(a.list), out[0].Entry.Loc, out[1].Entry.Loc, out[2].Entry.Loc)
	addMany(a.Findings, d.About(a.first), out, func(r *site.Page) diag.Pos { return diag.Pos{File: a.world.Pos(r).File} })
}
