package audit

import (
	"context"
	"net/http"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A pageComparer compares the URLs of a checked sitemap with the pages that the site lists.
type pageComparer struct {
	*sitemapChecker
	world       *site.World
	list        site.List          // pages that belong in the sitemap, sorted by URL
	isListed    []bool             // by index in list: whether the checked sitemap lists the page
	equivalents map[int]*listedURL // by index in list: the entry that lists the page at an equivalent URL
}

// servedTwice is the explanation in findings about a page that the site serves at two URLs.
const servedTwice = "the page is served at both addresses"

// compareURL compares the entry u of the checked sitemap with the site, and reports a misspelt,
// redirected, hidden or missing URL. If the site lists the URL, compareURL checks the lastmod of u.
// It accepts /a for a page that the site lists at /a/, unless a setting of the site prefers one of
// the two. It skips URLs of other sites; checkScope reports those.
func (a *pageComparer) compareURL(ctx context.Context, u *listedURL) {
	if loc, how := suggestOwnURL(u.loc, a.Base, a.Owns); how != "" {
		if end, listed := a.followRedirects(ctx, loc); listed {
			a.reportMisspelling(u, end, how)
			return
		}
		u.loc = loc // check the corrected URL for other mistakes
	}
	bare, _, _ := strings.Cut(u.loc, "#")
	if i, ok := a.list.Find(bare); ok {
		a.checkListed(u, i)
		return
	}
	answer := a.explainer.PredictResponse(ctx, u.loc)
	switch {
	case answer.Status == 0: // a URL of another site, which checkScope reports
	case answer.IsArbitrary && a.markListed(answer.ListedURL):
		i, _ := a.list.Find(answer.ListedURL)
		a.equivalents[i] = u
	case answer.ListedURL != "":
		a.markListed(answer.ListedURL)
		a.reportEquivalentURL(u, answer.ListedURL)
	case answer.To != "" && answer.Exclusion.Reason == page.Redirect:
		a.checkRedirect(ctx, u, answer)
	case answer.Status == http.StatusOK:
		a.checkHidden(u, answer)
	default:
		a.reportMissing(u, answer)
	}
}

// markListed records that the checked sitemap lists the page at the URL loc. isNew is false if
// a.list has no page at this URL, or if the page was already recorded.
func (a *pageComparer) markListed(loc string) (isNew bool) {
	i, ok := a.list.Find(loc)
	if !ok || a.isListed[i] {
		return false
	}
	a.isListed[i] = true
	return true
}

// checkListed records that the entry u lists the page a.list[i], and checks the lastmod of u. If an
// earlier entry lists the same page at an equivalent URL, checkListed reports the earlier entry.
func (a *pageComparer) checkListed(u *listedURL, i int) {
	a.isListed[i] = true
	if other := a.equivalents[i]; other != nil {
		a.reportEquivalentURL(other, u.loc)
	}
	if !u.lastmod.IsZero() {
		a.checkDate(u, i)
	}
}

// suggestOwnURL returns the URL of the site that loc probably means: "https://example.com/a" for
// "http://example.com/a" or for "https://www.example.com/a". base is the base URL of the site, and
// owns reports whether a URL belongs to the site. reason is text for a finding, such as "the site
// has another scheme". Both results are "" if loc needs no correction, if the corrected URL does
// not belong to the site, or if owns is nil.
func suggestOwnURL(loc string, base mapping.Base, owns func(loc string) bool) (correctURL, reason string) {
	if correctURL = base.WithOwnScheme(loc); correctURL != loc {
		reason = "the site has another scheme"
	} else if host := sitemap.HostOf(loc); !base.HasSameHost(loc) && strings.TrimPrefix(host, "www.") == strings.TrimPrefix(base.Host(), "www.") {
		correctURL, reason = base.Origin()+mapping.PathOf(loc), "the site is on "+base.Host()
	}
	if reason == "" || owns == nil || !owns(correctURL) {
		return "", ""
	}
	return correctURL, reason
}

// reportMisspelling reports the entry u as an error: the page is at correctURL, and not at the URL
// of u. reason is part of the message, such as "the site has another scheme".
func (a *pageComparer) reportMisspelling(u *listedURL, correctURL, reason string) {
	a.Findings.Add(diag.Errorf(u.pos, "misspelt-url", "list "+correctURL, "%s is misspelt: %s; the page is at %s", u.text, reason, correctURL).About(u.text).Because(reason))
}

// reportEquivalentURL reports the entry u as a warning: its URL works, but the site lists the page
// at correctURL.
func (a *pageComparer) reportEquivalentURL(u *listedURL, correctURL string) {
	a.Findings.Add(diag.Warnf(u.pos, "misspelt-url", "list "+correctURL, "%s is misspelt: %s; the page is listed at %s", u.text, servedTwice, correctURL).About(u.text).Because(servedTwice))
}

// checkRedirect reports the entry u, whose URL redirects. The finding is "misspelt-url" if the host
// itself redirects directly to a listed page, for example to add a slash. Otherwise it is
// "listed-redirect", for example if a rule of the user or a meta refresh redirects.
func (a *pageComparer) checkRedirect(ctx context.Context, u *listedURL, answer explain.Response) {
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

// followRedirects follows all redirects from loc. listed reports whether the site lists the page at
// the last URL. end is the URL at which the site lists the page; if listed is false, end is the
// last URL. If listed is true, followRedirects also marks the page as listed in the checked
// sitemap.
func (a *pageComparer) followRedirects(ctx context.Context, loc string) (end string, listed bool) {
	t := newRedirectTrail(func(loc string) explain.Response { return a.explainer.PredictResponse(ctx, loc) }, loc)
	end = t.endURL(loc)
	if listed = t.end.Listed || t.end.ListedURL != ""; listed {
		a.markListed(end)
	}
	return end, listed
}

// checkHidden reports the entry u, whose page the site serves but must not list, for example
// because of a noindex. It accepts tool pages of the generator, such as its search page. It also
// accepts a file that is not a page, such as a PDF file, unless its name ends like that of a page.
func (a *pageComparer) checkHidden(u *listedURL, answer explain.Response) {
	v := answer.Exclusion
	if v.Reason == page.Excluded && answer.File != "" && v.Pos.File == "" && !page.IsHTML(answer.File) {
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

// reportMissing reports the entry u, whose URL the site does not serve. If a listed URL differs
// only in spelling, such as case, a slash or ".html", reportMissing reports u as misspelt and
// suggests that URL.
func (a *pageComparer) reportMissing(u *listedURL, answer explain.Response) {
	hint := "remove it from the sitemap, or publish the page"
	if near := a.explainer.FindRespelled(u.loc); near != "" {
		a.markListed(near)
		a.reportMisspelling(u, near, "nothing is served there")
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

// reportUnlistedPages reports the pages that belong in the sitemap, but that the checked sitemap
// does not list.
func (a *pageComparer) reportUnlistedPages() {
	for i, p := range a.list {
		if a.isListed[i] {
			continue
		}
		d := diag.Warnf(diag.Pos{File: a.world.Pos(p).File}, "not-listed", "list it, or forbid indexing it",
			"%s is served and may be indexed, but the sitemap does not list it", p.Loc)
		d.Subject, d.Source, d.Cause = p.Loc, a.world.ContentPos(p), "not listed"
		a.Findings.Add(d)
	}
}
