//go:build e2e

package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// serve serves a folder below a path prefix on the loopback.
func serve(t *testing.T, dir, prefix string) string {
	t.Helper()
	files := http.StripPrefix(strings.TrimSuffix(prefix, "/"), http.FileServer(http.Dir(dir)))
	s := httptest.NewServer(files)
	t.Cleanup(s.Close)
	return s.URL
}

func list(t *testing.T, src string) []string {
	t.Helper()
	var out []string
	if err := json.Unmarshal([]byte(src), &out); err != nil {
		t.Fatalf("%v in %q", err, src)
	}
	slices.Sort(out)
	return out
}

// spider follows a sitemap as a crawler does and prints the URLs that it would
// fetch, without fetching them.
const spider = `
import scrapy, sys
from scrapy.crawler import CrawlerProcess
from scrapy.spiders import SitemapSpider

class Walk(SitemapSpider):
    name = "walk"
    sitemap_urls = [sys.argv[1]]
    def sitemap_filter(self, entries):
        for e in entries:
            if "sitemap" in e["loc"]:
                yield e
            else:
                print(e["loc"], flush=True)

p = CrawlerProcess(settings={"LOG_LEVEL": "ERROR", "ROBOTSTXT_OBEY": False, "TELNETCONSOLE_ENABLED": False})
p.crawl(Walk)
p.start()
`

func scrapy(t *testing.T, dir, url string) []string {
	t.Helper()
	write(t, dir, "walk_spider.py", spider)
	out := strings.Fields(do(t, dir, "/usr/bin/python3", filepath.Join(dir, "walk_spider.py"), url))
	slices.Sort(out)
	return out
}
