package audit

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
)

// A redirectTrail is the chain of redirects that starts at a URL.
type redirectTrail struct {
	hops []explain.Response // the redirects, in order
	loop bool               // the redirects form a loop, or there are more than maxHops
	end  explain.Response   // what the site serves at the last URL; zero if loop is true
}

// maxHops is the maximum number of redirects to follow. Google also follows up to 10.
const maxHops = 10

// newRedirectTrail follows the redirects from loc, up to the first URL that is listed or does not
// redirect. It stops at a loop, or if there are more than maxHops redirects. answer returns what
// the site serves at a URL.
func newRedirectTrail(answer func(loc string) explain.Response, loc string) (t redirectTrail) {
	start := loc
	for {
		a := answer(loc)
		if a.Listed || !isRedirect(a) {
			t.end = a
			return t
		}
		again := slices.ContainsFunc(t.hops, func(hop explain.Response) bool { return hop.To == a.To })
		t.hops = append(t.hops, a)
		loc, _, _ = strings.Cut(a.To, "#")
		if t.loop = again || loc == start || len(t.hops) > maxHops; t.loop {
			return t
		}
	}
}

// isRedirect reports whether a is an HTTP redirect or a page with a meta refresh.
func isRedirect(a explain.Response) bool {
	return a.To != "" && (a.Refresh || a.Status >= 300 && a.Status < 400)
}

// isTemporary reports whether the redirect a has a temporary status such as 302. A meta refresh
// counts as permanent.
func isTemporary(a explain.Response) bool {
	return !a.Refresh && a.Status != http.StatusMovedPermanently && a.Status != http.StatusPermanentRedirect
}

// fillOutcome describes the change of the URL where the trail starts. It sets the class, the
// reason, the position and the new URL of c. c.Level must be diag.Error; fillOutcome lowers it for
// a change that is not an error.
func (t *redirectTrail) fillOutcome(c *report.Change) {
	isUnlisted := t.end.Status != 0 && !t.end.Listed && t.end.ListedURL == ""
	if len(t.hops) == 0 || isUnlisted && t.hasOnlyHostRedirects() {
		t.fillWithoutRedirect(c)
		return
	}
	first, last := t.hops[0], t.hops[len(t.hops)-1]
	c.To, c.Pos, c.Reason = last.To, first.Exclusion.Pos, first.Exclusion.Text
	if first.Refresh {
		c.Reason = "the page refreshes to it"
	}
	c.Class = BadlyMoved
	switch {
	case t.loop:
		c.Reason = t.intermediateText() + "a loop without an end"
	case t.end.Status >= 400:
		c.Reason = fmt.Sprintf("%sa dead end, which answers %d", t.intermediateText(), t.end.Status)
	case isUnlisted:
		c.Reason = t.intermediateText() + "a page that is left out, too: " + whyUnlisted(t.end)
	case len(t.hops) > 1:
		c.Level, c.Reason = diag.Warning, fmt.Sprintf("%sa chain of %d redirects", t.intermediateText(), len(t.hops))
	case isTemporary(first):
		c.Level, c.Reason = diag.Warning, fmt.Sprintf("%sa temporary redirect, %d", t.intermediateText(), first.Status)
	default:
		c.Class, c.Level = Moved, diag.Note
		if t.end.Status == 0 {
			c.Reason = "to another site, which is not checked"
		}
	}
}

// hasOnlyHostRedirects reports whether the host caused all redirects by itself, for example by
// adding a slash. Hosts may do that even if no page exists.
func (t *redirectTrail) hasOnlyHostRedirects() bool {
	return !slices.ContainsFunc(t.hops, func(a explain.Response) bool { return a.Refresh || a.Exclusion.Pos.File != "" })
}

// intermediateText returns text that names the URLs between the start and the end of the trail,
// such as "by https://example.com/b, ". It returns "" for a single redirect.
func (t *redirectTrail) intermediateText() string {
	var b strings.Builder
	for _, hop := range t.hops[:len(t.hops)-1] {
		b.WriteString("by " + hop.To + ", ")
	}
	return b.String()
}

// fillWithoutRedirect sets the class, the severity and the reason of c for a URL that does not
// redirect to a page. The page may still be listed at another URL.
func (t *redirectTrail) fillWithoutRedirect(c *report.Change) {
	a := t.end
	c.Pos, c.Source, c.Reason = a.Exclusion.Pos, diag.Pos{File: a.Source}, whyUnlisted(a)
	switch {
	case a.ListedURL != "":
		c.Class, c.Level, c.To, c.Served = Moved, diag.Note, a.ListedURL, true
		c.Reason = "the page is served at both addresses, and listed at the new address"
	case a.Status == http.StatusOK:
		c.Class, c.To = Hidden, a.To
	case a.Status == http.StatusGone:
		c.Class, c.Level = Gone, diag.Note
	case a.Exclusion.Reason == page.Expired:
		c.Class, c.Level = Gone, diag.Note
	default:
		c.Class = Lost
	}
}

// endURL returns the URL at the end of the trail, which starts at loc. If the page there is listed
// at another URL, endURL returns the listed URL.
func (t *redirectTrail) endURL(loc string) string {
	if t.end.ListedURL != "" {
		return t.end.ListedURL
	}
	if len(t.hops) > 0 {
		loc, _, _ = strings.Cut(t.hops[len(t.hops)-1].To, "#")
	}
	return loc
}

// reasonText returns the reason of an exclusion, followed by a colon and its details if there are
// any. If there is no reason, or if the reason is a redirect, it returns only the details.
func reasonText(v site.Exclusion) string {
	if v.Reason == page.Listed || v.Reason == page.Redirect {
		return v.Text
	}
	return strings.TrimSuffix(v.Reason.String()+": "+v.Text, ": ")
}

// ruleSuffix returns the position of the cause of the answer a, such as " (_redirects:3)" for a
// rule. It returns "" if the position is unknown.
func ruleSuffix(a explain.Response) string {
	if pos := a.Exclusion.Pos.String(); pos != "" {
		return " (" + pos + ")"
	}
	return ""
}

// whyUnlisted returns text that explains why the site does not list the URL of a.
func whyUnlisted(a explain.Response) string {
	switch text := reasonText(a.Exclusion); {
	case text != "" && a.Exclusion.Pos.File == "" && a.File != "":
		return text + " (" + a.File + ")"
	case text != "":
		return text
	case a.Status == http.StatusNotFound:
		return "nothing is served there"
	}
	return fmt.Sprintf("it answers %d", a.Status)
}
