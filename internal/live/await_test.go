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

func urlset(locs ...string) string {
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

// TestWaitForDeploy waits for the deploy of two pages with a fake clock. It checks that the
// sitemap is read every ten seconds, and that the last difference is returned after the time
// limit.
func TestWaitForDeploy(t *testing.T) {
	const deploy = 95 * time.Second // when it becomes live
	built := Listing{"https://example.com/a": "2026-01-02", "https://example.com/b": ""}
	live := urlset("a 2026-01-02", "b")
	says := func(text string) site {
		return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) }
	}
	for name, tt := range map[string]struct {
		before  site // what is there until then
		wait    time.Duration
		took    time.Duration
		looks   int
		differs string // at last; "" is live
		said    string // when the wait began
	}{
		"live at once":    {says(live), 5 * time.Minute, 0, 1, "", ""},
		"after a while":   {says(urlset("a 2026-01-02")), 5 * time.Minute, 100 * time.Second, 11, "", "does not list https://example.com/b yet"},
		"never":           {says(urlset("a 2026-01-02")), 65 * time.Second, 65 * time.Second, 8, "does not list https://example.com/b yet", "does not list"},
		"no wait":         {says(urlset("a 2026-01-02")), 0, 0, 1, "does not list https://example.com/b yet", ""},
		"an older date":   {says(urlset("a 2026-01-01", "b")), 20 * time.Second, 20 * time.Second, 3, `gives https://example.com/a another date: "2026-01-01", built "2026-01-02"`, "another date"},
		"other files":     {says(urlset("a 2026-01-02", "b", "old")), 20 * time.Second, 20 * time.Second, 3, "still lists https://example.com/old", "still lists"},
		"nothing yet":     {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, 20 * time.Second, 20 * time.Second, 3, "https://example.com/sitemap.xml answers 404 Not Found", "answers 404"},
		"a web page":      {says(aPage), 20 * time.Second, 20 * time.Second, 3, "https://example.com/sitemap.xml is answered with a web page", "a web page"},
		"a child is late": {says(`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://example.com/late.xml</loc></sitemap></sitemapindex>`), 20 * time.Second, 20 * time.Second, 3, "does not list https://example.com/a yet", "does not list"},
		"a check for bots": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(403)
		}, 10 * time.Second, 10 * time.Second, 2, "answers 403", "answers 403"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start, looks, said := time.Now(), 0, ""
				s := site(func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Type", "application/xml")
					if r.URL.Path == "/sitemap.xml" {
						looks++
					}
					if time.Since(start) >= deploy {
						io.WriteString(w, live)
						return
					}
					tt.before(w, r)
				})
				var found diag.Report
				err := New(s.options(&found)).WaitForDeploy(t.Context(), Deploy{
					Sitemaps: []string{"https://example.com/sitemap.xml"}, Until: start.Add(tt.wait),
					Compare: func(l Listing) error { return l.Compare(built) },
					Waiting: func(differs error) { said += differs.Error() },
				})
				if (err == nil) != (tt.differs == "") || err != nil && !strings.Contains(err.Error(), tt.differs) {
					t.Errorf("error %v, want %q", err, tt.differs)
				}
				if !strings.Contains(said, tt.said) || (said == "") != (tt.said == "") || strings.Count(said, "sitemap") > 2 {
					t.Errorf("said %q, want %q", said, tt.said)
				}
				if took := time.Since(start).Round(time.Second); took != tt.took || looks != tt.looks || codesOf(&found) != "" {
					t.Errorf("took %v and %d looks, want %v and %d; found %s", took, looks, tt.took, tt.looks, codesOf(&found))
				}
			})
		})
	}
}
