package live

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/sitemap"
)

func TestMain(m *testing.M) {
	testsite.SpeedUp()
	m.Run()
}

const validSitemap = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>`

// gzipText returns s compressed by gzip.
func gzipText(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, s)
	z.Close()
	return b.String()
}

// TestReadSitemapsReportsFaults serves a sitemap with one fault at a time, and valid sitemaps.
// Each finding must quote the message of Google Search Console.
func TestReadSitemapsReportsFaults(t *testing.T) {
	for name, tt := range map[string]struct {
		path, header, body string
		status             int
		robots             string
		want               string // part of the only finding; "" if there is none
		wantURLs           int
	}{
		"valid":                            {body: validSitemap, wantURLs: 1},
		"noindex":                          {body: validSitemap, header: "X-Robots-Tag: noindex", wantURLs: 1},
		"text/xml":                         {body: validSitemap, header: "Content-Type: text/xml; charset=UTF-8", wantURLs: 1},
		"one byte order mark":              {body: "\ufeff" + validSitemap, wantURLs: 1},
		"gzip":                             {path: "/sitemap.xml.gz", body: gzipText(validSitemap), wantURLs: 1},
		"404":                              {status: 404, want: "Couldn't fetch"},
		"503":                              {status: 503, want: "Couldn't fetch"},
		"403":                              {status: 403, want: "Couldn't fetch"},
		"redirect to another host":         {status: 301, header: "Location: https://other.example/s.xml", want: "which is on another host"},
		"redirect loop":                    {status: 301, header: "Location: /sitemap.xml", want: "redirects again and again"},
		"web page":                         {body: "<!doctype html><title>Home</title>", want: "Sitemap is HTML"},
		"empty":                            {body: "\n", want: "Empty sitemap"},
		"text/html":                        {body: validSitemap, header: "Content-Type: text/html", wantURLs: 1, want: "served as HTML"},
		"latin1":                           {body: validSitemap, header: "Content-Type: text/xml; charset=iso-8859-1", wantURLs: 1, want: "Parsing error"},
		"leading blank line":               {body: "\n" + validSitemap, wantURLs: 1, want: "Leading whitespace"},
		"two byte order marks":             {body: "\ufeff\ufeff" + validSitemap, wantURLs: 1, want: "Parsing error"},
		"gzip twice":                       {path: "/sitemap.xml.gz", body: gzipText(gzipText(validSitemap)), want: "Compression error"},
		"gz name without gzip":             {path: "/sitemap.xml.gz", body: validSitemap, wantURLs: 1, want: "Compression error"},
		"gzip without gz name":             {body: gzipText(validSitemap), wantURLs: 1, want: "Unsupported format"},
		"too large":                        {body: strings.Repeat(gzipText(strings.Repeat(" ", 1<<20)), fetch.MaxFileBytes>>20+1), path: "/sitemap.xml.gz", want: "File size error"},
		"forbidden":                        {body: validSitemap, robots: "User-agent: *\nDisallow: /sitemap", wantURLs: 1, want: "forbidden by robots.txt"},
		"too many URLs":                    {body: strings.Replace(validSitemap, "<url>", strings.Repeat("<url><loc>https://example.com/</loc></url>", testsite.Repeat(sitemap.MaxURLs+10_000, 1_000_000))+"<url>", 1), wantURLs: sitemap.MaxURLs},
		"index that lists itself":          {body: `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://example.com/sitemap.xml</loc></sitemap></sitemapindex>`},
		"index with child on another host": {body: `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://other.example/s.xml</loc></sitemap></sitemapindex>`, want: "is on another host"},
		"index with ignored sitemap":       {body: `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://example.de/sitemap.xml</loc></sitemap></sitemapindex>`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var report diag.Report
				s := fakeSite(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Host != "example.com" {
						t.Errorf("unexpected request to %s", r.URL)
					}
					w.Header().Set("Content-Type", "application/xml")
					if r.URL.Path == "/robots.txt" {
						io.WriteString(w, tt.robots)
						return
					}
					if key, value, ok := strings.Cut(tt.header, ": "); ok {
						w.Header().Set(key, value)
					}
					if tt.status != 0 {
						w.WriteHeader(tt.status)
					}
					io.WriteString(w, tt.body)
				})
				loc := "https://example.com/sitemap.xml"
				if tt.path != "" {
					loc = "https://example.com" + tt.path
				}
				o := s.options(&report)
				o.IgnoredSitemaps = []string{"https://example.de/sitemap.xml"}
				v, urls := New(o), 0
				if err := v.ReadRobots(t.Context(), loc, ""); err != nil {
					t.Fatal(err)
				}
				err := v.ReadSitemaps(t.Context(), loc, SitemapHandler{
					Budget: fetch.NewBudget(), OnFile: func(fetch.File) {},
					OnEntry: func(sitemap.Entry, diag.Pos, fetch.Referrer) { urls++ },
				})
				findings := fmt.Sprint(report.Kinds())
				if err != nil || urls != tt.wantURLs || tt.want == "" && len(report.Kinds()) > 0 || !strings.Contains(findings, tt.want) || len(report.Kinds()) > 1 {
					t.Errorf("got error %v, %d URLs, findings %s, want %d URLs, finding %q", err, urls, findings, tt.wantURLs, tt.want)
				}
			})
		})
	}
}

// TestReadRobotsReportsBrokenAnswer serves a robots.txt that is shorter than its Content-Length.
func TestReadRobotsReportsBrokenAnswer(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		io.WriteString(w, "User-agent: *\n")
	}))
	defer server.Close()
	var report diag.Report
	v := New(Options{Findings: &report, Fetch: fetch.Options{Client: server.Client()}})
	if err := v.ReadRobots(t.Context(), server.URL+"/", ""); err != nil {
		t.Fatal(err)
	}
	if findings := fmt.Sprint(report.Kinds()); !strings.Contains(findings, "robots.txt cannot be read: ") {
		t.Errorf("got findings %s, want that robots.txt cannot be read", findings)
	}
}
