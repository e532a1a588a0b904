package submit

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
)

// maxDownloadDelay is the time that Google may take to download a sitemap. After that, the
// finding is a warning instead of a note. Google itself retries for some days.
// See https://support.google.com/webmasters/answer/7451001
const maxDownloadDelay = 7 * 24 * time.Hour

// findings returns findings about the data of s, such as errors that Google found in the sitemap.
func (s *GoogleSitemap) findings(now time.Time) (all diag.List) {
	if !s.isAnswered {
		return nil
	}
	add := func(d diag.Diagnostic) { all = append(all, d.About(s.URL)) }
	look := "see it in Search Console, under Sitemaps; sitewalk check " + s.URL + " says what the protocol has against it"
	read := ""
	if !s.Downloaded.IsZero() {
		read = ", as downloaded on " + s.Downloaded.Format(time.DateOnly)
	}
	switch {
	case !s.Known:
		add(diag.Warnf(diag.Pos{}, "google-unknown", "sitewalk submit --google submits it", "Google does not know %s as a sitemap of %s", s.URL, s.Property))
		return all
	case s.Downloaded.IsZero() && !s.LastSubmit.IsZero() && now.Sub(s.LastSubmit) > maxDownloadDelay:
		add(diag.Warnf(diag.Pos{}, "google-unread", "open it with the URL inspection of Search Console, Test live URL; for a new property Google may take weeks", "Google has not downloaded %s since it was submitted on %s", s.URL, s.LastSubmit.Format(time.DateOnly)))
	case s.Downloaded.IsZero():
		add(diag.Notef(diag.Pos{}, "google-unread", "", "Google has not downloaded %s yet", s.URL))
	}
	if s.Errors > 0 {
		add(diag.Errorf(diag.Pos{}, "google-errors", look, "Google counts %s in %s%s", diag.Count(int(s.Errors), "error"), s.URL, read))
	}
	if s.Warnings > 0 {
		add(diag.Warnf(diag.Pos{}, "google-warnings", look, "Google counts %s in %s%s", diag.Count(int(s.Warnings), "warning"), s.URL, read))
	}
	return all
}

// String returns a summary of the data of s in one line. It returns "" if Search Console does not
// know the sitemap.
func (s *GoogleSitemap) String() string {
	if !s.Known {
		return ""
	}
	day := func(t time.Time) string { return t.Format(time.RFC3339) }
	var parts []string
	if !s.LastSubmit.IsZero() {
		parts = append(parts, "last submitted "+day(s.LastSubmit))
	}
	if s.Downloaded.IsZero() {
		parts = append(parts, "not downloaded yet")
	} else {
		parts = append(parts, "last downloaded "+day(s.Downloaded))
	}
	if s.Pending {
		parts = append(parts, "pending")
	}
	parts = append(parts, diag.Count(int(s.Errors), "error"), diag.Count(int(s.Warnings), "warning"))
	return fmt.Sprintf("%s in %s: %s", s.URL, cmp.Or(s.Property, "Search Console"), strings.Join(parts, ", "))
}
