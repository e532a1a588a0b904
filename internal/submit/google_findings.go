package submit

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
)

// maxDownloadDelay is the time that Google may take to download a submitted sitemap. After this
// time, the finding about the missing download is a warning instead of a note. Google itself
// retries for some days. See https://support.google.com/webmasters/answer/7451001
const maxDownloadDelay = 7 * 24 * time.Hour

// newFindings returns findings about the data of g, such as errors that Google found in the
// sitemap.
func (g *GoogleSitemap) newFindings(now time.Time) (all diag.List) {
	add := func(d diag.Diagnostic) { all = append(all, d.About(g.URL)) }
	look := "see it in Search Console, under Sitemaps; sitewalk check " + g.URL + " shows what is wrong with it"
	read := ""
	if !g.Downloaded.IsZero() {
		read = ", as downloaded on " + g.Downloaded.Format(time.DateOnly)
	}
	switch {
	case !g.Known:
		add(diag.Warnf(diag.Pos{}, "google-unknown", "sitewalk submit --google submits it", "Google does not know %s as a sitemap of %s", g.URL, g.Property))
		return all
	case g.Downloaded.IsZero() && !g.LastSubmit.IsZero() && now.Sub(g.LastSubmit) > maxDownloadDelay:
		add(diag.Warnf(diag.Pos{}, "google-unread", "open it with the URL inspection of Search Console, Test live URL; for a new property Google may take weeks", "Google has not downloaded %s since it was submitted on %s", g.URL, g.LastSubmit.Format(time.DateOnly)))
	case g.Downloaded.IsZero():
		add(diag.Notef(diag.Pos{}, "google-unread", "", "Google has not downloaded %s yet", g.URL))
	}
	if g.Errors > 0 {
		add(diag.Errorf(diag.Pos{}, "google-errors", look, "Google counts %s in %s%s", diag.Count(int(g.Errors), "error"), g.URL, read))
	}
	if g.Warnings > 0 {
		add(diag.Warnf(diag.Pos{}, "google-warnings", look, "Google counts %s in %s%s", diag.Count(int(g.Warnings), "warning"), g.URL, read))
	}
	return all
}

// String returns a summary of the data of g in one line. It returns "" if Search Console does not
// know the sitemap.
func (g *GoogleSitemap) String() string {
	if !g.Known {
		return ""
	}
	day := func(t time.Time) string { return t.Format(time.RFC3339) }
	var parts []string
	if !g.LastSubmit.IsZero() {
		parts = append(parts, "last submitted "+day(g.LastSubmit))
	}
	if g.Downloaded.IsZero() {
		parts = append(parts, "not downloaded yet")
	} else {
		parts = append(parts, "last downloaded "+day(g.Downloaded))
	}
	if g.Pending {
		parts = append(parts, "pending")
	}
	parts = append(parts, diag.Count(int(g.Errors), "error"), diag.Count(int(g.Warnings), "warning"))
	return fmt.Sprintf("%s in %s: %s", g.URL, cmp.Or(g.Property, "Search Console"), strings.Join(parts, ", "))
}
