package audit

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

// A silentSite is a fake site whose index lists the given number of sitemaps. Only the first of
// them gets a response.
type silentSite int

func (n silentSite) RoundTrip(r *http.Request) (*http.Response, error) {
	var body strings.Builder
	switch r.URL.Path {
	case "/sitemap.xml":
		body.WriteString(`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
		for i := range int(n) {
			fmt.Fprintf(&body, "<sitemap><loc>https://example.com/%d.xml</loc></sitemap>", i)
		}
		body.WriteString("</sitemapindex>")
	case "/0.xml":
		body.WriteString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/</loc></url></urlset>`)
	default:
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return &http.Response{StatusCode: 200, Request: r, Body: io.NopCloser(strings.NewReader(body.String()))}, nil
}

// TestCheckEndsAtTimeLimit checks that check and diff end at the time limit of the command if
// requests get no response. check must report the findings so far.
func TestCheckEndsAtTimeLimit(t *testing.T) {
	for name, tt := range map[string]struct {
		children      silentSite
		timeout, want time.Duration
		wantErr       string
	}{
		"few sitemaps":    {5, 0, 2 * time.Minute, ""}, // four requests without a response, 30 s each
		"default timeout": {silentSite(testsite.Repeat(1000, 50_000)), 0, 10 * time.Minute, "more than 10m0s have passed in all"},
		"--timeout":       {silentSite(testsite.Repeat(1000, 50_000)), time.Minute, time.Minute, "more than 1m0s have passed in all"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				o := Options{Client: &http.Client{Transport: tt.children}, Build: engine.Options{Timeout: tt.timeout}, Input: config.Input{Now: start, Getenv: func(string) string { return "" }, Dir: t.TempDir()}}
				c, err := RunCheck(t.Context(), o, "https://example.com/sitemap.xml")
				if took := time.Since(start); took != tt.want || fmt.Sprint(err) != tt.wantErr && (err != nil || tt.wantErr != "") {
					t.Errorf("got error %v after %v, want %q after %v", err, took, tt.wantErr, tt.want)
				}
				if text := fmt.Sprint(c.Findings.Kinds()); c.URLs != 1 || !strings.Contains(text, "out-of-scope") || !strings.Contains(text, "no complete answer within 30s") {
					t.Errorf("got %d URLs and findings %.500s, want 1 URL and two findings", c.URLs, text)
				}
				if tt.wantErr == "" {
					return
				}
				start = time.Now()
				if _, err := RunDiff(t.Context(), o, "https://example.com/sitemap.xml", "https://example.com/sitemap.xml"); fmt.Sprint(err) != tt.wantErr || time.Since(start) != tt.want {
					t.Errorf("diff: got error %v after %v, want %q after %v", err, time.Since(start), tt.wantErr, tt.want)
				}
			})
		})
	}
}
