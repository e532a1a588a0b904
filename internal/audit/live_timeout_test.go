package audit

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
)

// A deadlineRecorder is a fake site that records the deadlines of the requests.
type deadlineRecorder struct {
	requests map[time.Time]int // number of requests by deadline
}

func (d *deadlineRecorder) RoundTrip(r *http.Request) (*http.Response, error) {
	end, _ := r.Context().Deadline()
	d.requests[end]++
	body, kind := "<title>Page</title><p>text", "text/html"
	switch {
	case r.URL.Path == "/robots.txt":
		body, kind = "", "text/plain"
	case strings.HasSuffix(r.URL.Path, ".xml"):
		kind = "application/xml"
		body = fmt.Sprintf(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>%s</loc></url></urlset>`, "https://boats.internal/")
	}
	return &http.Response{
		StatusCode: http.StatusOK, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {kind}},
		Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}, nil
}

// TestTimeoutCoversSitemapAndPages checks that --timeout limits the requests for the sitemap and
// for the pages together. It also checks that --google looks up a live sitemap.
func TestTimeoutCoversSitemapAndPages(t *testing.T) {
	site := &deadlineRecorder{map[time.Time]int{}}
	o := Options{
		Client: &http.Client{Transport: site}, Live: &LiveOptions{},
		Build: engine.Options{Timeout: 5 * time.Second}, Input: config.Input{Now: time.Now(), Getenv: func(string) string { return "" }, Dir: t.TempDir()},
	}
	o.Live.Rate, o.Live.Concurrency = 1000, 1
	c, err := RunCheck(t.Context(), o, "https://boats.internal/sitemap.xml")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"https://boats.internal/sitemap.xml"}; !slices.Equal(c.ForGoogle, want) {
		t.Errorf("got sitemaps %q for Search Console, want %q", c.ForGoogle, want)
	}
	if len(site.requests) != 1 {
		t.Errorf("got %d different deadlines, want 1: %v", len(site.requests), site.requests)
	}
}
