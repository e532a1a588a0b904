package live

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sitewalk/sitewalk/diag"
)

// formatURLSet returns a sitemap. Each item of locs is a path, and optionally a space and a date.
func formatURLSet(locs ...string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, loc := range locs {
		loc, date, _ := strings.Cut(loc, " ")
		fmt.Fprintf(&b, "<url><loc>https://example.com/%s</loc>", loc)
		if date != "" {
			fmt.Fprintf(&b, "<lastmod>%s</lastmod>", date)
		}
		b.WriteString("</url>")
	}
	return b.String() + "</urlset>"
}

// TestWaitForDeploy waits for the deploy of two pages with a fake clock. The sitemap must be read
// every ten seconds. After the time limit, WaitForDeploy must return the last difference.
func TestWaitForDeploy(t *testing.T) {
	const deploy = 95 * time.Second // time of the deploy after the start
	built := Listing{"https://example.com/a": "2026-01-02", "https://example.com/b": ""}
	live := formatURLSet("a 2026-01-02", "b")
	serve := func(text string) fakeSite {
		return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) }
	}
	for name, tt := range map[string]struct {
		before     fakeSite // answers before the deploy
		wait       time.Duration
		wantTime   time.Duration
		wantReads  int
		wantErr    string // "" if the deploy is live in time
		wantReason string // difference before the first pause; "" without a pause
	}{
		"live immediately":      {serve(live), 5 * time.Minute, 0, 1, "", ""},
		"live after 95 s":       {serve(formatURLSet("a 2026-01-02")), 5 * time.Minute, 100 * time.Second, 11, "", "does not list https://example.com/b yet"},
		"live too late":         {serve(formatURLSet("a 2026-01-02")), 65 * time.Second, 65 * time.Second, 8, "does not list https://example.com/b yet", "does not list"},
		"no time to wait":       {serve(formatURLSet("a 2026-01-02")), 0, 0, 1, "does not list https://example.com/b yet", ""},
		"older date":            {serve(formatURLSet("a 2026-01-01", "b")), 20 * time.Second, 20 * time.Second, 3, `gives https://example.com/a another date: "2026-01-01", built "2026-01-02"`, "another date"},
		"additional URL":        {serve(formatURLSet("a 2026-01-02", "b", "old")), 20 * time.Second, 20 * time.Second, 3, "still lists https://example.com/old", "still lists"},
		"missing sitemap":       {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, 20 * time.Second, 20 * time.Second, 3, "https://example.com/sitemap.xml answers 404 Not Found", "answers 404"},
		"web page for sitemap":  {serve(validPage), 20 * time.Second, 20 * time.Second, 3, "https://example.com/sitemap.xml is answered with a web page", "a web page"},
		"missing child sitemap": {serve(`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://example.com/late.xml</loc></sitemap></sitemapindex>`), 20 * time.Second, 20 * time.Second, 3, "does not list https://example.com/a yet", "does not list"},
		"forbidden": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(403)
		}, 10 * time.Second, 10 * time.Second, 2, "answers 403", "answers 403"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start, reads, reason := time.Now(), 0, ""
				s := fakeSite(func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Type", "application/xml")
					if r.URL.Path == "/sitemap.xml" {
						reads++
					}
					if time.Since(start) >= deploy {
						io.WriteString(w, live)
						return
					}
					tt.before(w, r)
				})
				var report diag.Report
				err := New(s.options(&report)).WaitForDeploy(t.Context(), Deploy{
					Sitemaps: []string{"https://example.com/sitemap.xml"}, Until: start.Add(tt.wait),
					Compare: func(l Listing) error { return l.Compare(built) },
					Waiting: func(differs error) { reason += differs.Error() },
				})
				if (err == nil) != (tt.wantErr == "") || err != nil && !strings.Contains(err.Error(), tt.wantErr) {
					t.Errorf("error: got %v, want %q", err, tt.wantErr)
				}
				if !strings.Contains(reason, tt.wantReason) || (reason == "") != (tt.wantReason == "") || strings.Count(reason, "sitemap") > 2 {
					t.Errorf("Waiting: got %q, want %q", reason, tt.wantReason)
				}
				if took := time.Since(start).Round(time.Second); took != tt.wantTime || reads != tt.wantReads || formatCodes(&report) != "" {
					t.Errorf("got %d reads in %v, want %d in %v; findings %s", reads, took, tt.wantReads, tt.wantTime, formatCodes(&report))
				}
			})
		})
	}
}
