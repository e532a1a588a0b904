package live

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/sitemap"
)

const aSitemap = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>`

func packed(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, s)
	z.Close()
	return b.String()
}

// TestSitemapReportsFaultsLikeSearchConsole serves a sitemap with one fault at a time, and valid
// sitemaps. Each finding must quote the message that Search Console shows.
func TestSitemapReportsFaultsLikeSearchConsole(t *testing.T) {
	for name, tt := range map[string]struct {
		path, header, body string
		status             int
		robots             string
		says               string // "" is nothing
		urls               int
	}{
		"healthy":               {body: aSitemap, urls: 1},
		"noindex does no harm":  {body: aSitemap, header: "X-Robots-Tag: noindex", urls: 1},
		"text/xml":              {body: aSitemap, header: "Content-Type: text/xml; charset=UTF-8", urls: 1},
		"one byte order mark":   {body: "\ufeff" + aSitemap, urls: 1},
		"packed":                {path: "/sitemap.xml.gz", body: packed(aSitemap), urls: 1},
		"404":                   {status: 404, says: "Couldn't fetch"},
		"503":                   {status: 503, says: "Couldn't fetch"},
		"403":                   {status: 403, says: "Couldn't fetch"},
		"redirected elsewhere":  {status: 301, header: "Location: https://other.example/s.xml", says: "which is on another host"},
		"redirected for ever":   {status: 301, header: "Location: /sitemap.xml", says: "redirects again and again"},
		"a web page":            {body: "<!doctype html><title>Home</title>", says: "Sitemap is HTML"},
		"empty":                 {body: "\n", says: "Empty sitemap"},
		"text/html":             {body: aSitemap, header: "Content-Type: text/html", urls: 1, says: "served as HTML"},
		"latin1":                {body: aSitemap, header: "Content-Type: text/xml; charset=iso-8859-1", urls: 1, says: "Parsing error"},
		"a blank line":          {body: "\n" + aSitemap, urls: 1, says: "Leading whitespace"},
		"two byte order marks":  {body: "\ufeff\ufeff" + aSitemap, urls: 1, says: "Parsing error"},
		"packed twice":          {path: "/sitemap.xml.gz", body: packed(packed(aSitemap)), says: "Compression error"},
		"named, not packed":     {path: "/sitemap.xml.gz", body: aSitemap, urls: 1, says: "Compression error"},
		"packed, not said":      {body: packed(aSitemap), urls: 1, says: "Unsupported format"},
		"too large":             {body: packed(strings.Repeat(" ", fetch.MaxFileBytes+1)), path: "/sitemap.xml.gz", says: "File size error"},
		"forbidden":             {body: aSitemap, robots: "User-agent: *\nDisallow: /sitemap", urls: 1, says: "forbidden by robots.txt"},
		"too many URLs":         {body: strings.Replace(aSitemap, "<url>", strings.Repeat("<url><loc>https://example.com/</loc></url>", testsite.Repeat(sitemap.MaxURLs+10_000, 1_000_000))+"<url>", 1), urls: sitemap.MaxURLs},
		"an index of itself":    {body: `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://example.com/sitemap.xml</loc></sitemap></sitemapindex>`},
		"an index to elsewhere": {body: `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://other.example/s.xml</loc></sitemap></sitemapindex>`, says: "is on another host"},
		"an index to a site":    {body: `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://example.de/sitemap.xml</loc></sitemap></sitemapindex>`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var found diag.Report
				s := site(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Host != "example.com" {
						t.Errorf("%s was asked for", r.URL)
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
				o := s.options(&found)
				o.IgnoredSitemaps = []string{"https://example.de/sitemap.xml"}
				v, urls := New(o), 0
				if err := v.ReadRobots(t.Context(), loc, ""); err != nil {
					t.Fatal(err)
				}
				err := v.ReadSitemaps(t.Context(), loc, SitemapHandler{
					Budget: fetch.NewBudget(), OnFile: func(fetch.File) {},
					OnEntry: func(sitemap.Entry, diag.Pos, fetch.Referrer) { urls++ },
				})
				all := fmt.Sprint(found.Kinds())
				if err != nil || urls != tt.urls || tt.says == "" && len(found.Kinds()) > 0 || !strings.Contains(all, tt.says) || len(found.Kinds()) > 1 {
					t.Errorf("%v, %d URLs, %s; want %q", err, urls, all, tt.says)
				}
			})
		})
	}
}
