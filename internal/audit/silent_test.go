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

// A silent is a fake site whose index lists the given number of sitemaps. Only the first of them
// gets a response.
type silent int

func (n silent) RoundTrip(r *http.Request) (*http.Response, error) {
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

// TestCheckEndsWithSilentChildren reads sitemaps that never respond until the time limit of the
// command. Findings up to then are reported.
func TestCheckEndsWithSilentChildren(t *testing.T) {
	for name, tt := range map[string]struct {
		children     silent
		online, took time.Duration
		fails        string
	}{
		"a few":     {5, 0, 2 * time.Minute, ""}, // the four without a response take 30 s each
		"all":       {silent(testsite.Repeat(1000, 50_000)), 0, 10 * time.Minute, "more than 10m0s have passed in all"},
		"--timeout": {silent(testsite.Repeat(1000, 50_000)), time.Minute, time.Minute, "more than 1m0s have passed in all"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				o := Options{Client: &http.Client{Transport: tt.children}, Build: engine.Options{Timeout: tt.online}, Input: config.Input{Now: start, Getenv: func(string) string { return "" }, Dir: t.TempDir()}}
				c, err := RunCheck(t.Context(), o, "https://example.com/sitemap.xml")
				if took := time.Since(start); took != tt.took || fmt.Sprint(err) != tt.fails && (err != nil || tt.fails != "") {
					t.Errorf("%v after %v", err, took)
				}
				if text := fmt.Sprint(c.Findings.Kinds()); c.URLs != 1 || !strings.Contains(text, "out-of-scope") || !strings.Contains(text, "no complete answer within 30s") {
					t.Errorf("%d URLs, %.500s", c.URLs, text)
				}
				if tt.fails == "" {
					return
				}
				start = time.Now()
				if _, err := RunDiff(t.Context(), o, "https://example.com/sitemap.xml", "https://example.com/sitemap.xml"); fmt.Sprint(err) != tt.fails || time.Since(start) != tt.took {
					t.Errorf("diff: %v after %v", err, time.Since(start))
				}
			})
		})
	}
}
