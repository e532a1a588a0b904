//go:build e2e

package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
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

// sitemapJS prints the URLs that npm's sitemap reads in a file.
const sitemapJS = `
const { createReadStream } = require('node:fs');
const { parseSitemap } = require('sitemap');
(async () => {
  const items = await parseSitemap(createReadStream(process.argv[2]));
  console.log(JSON.stringify(items.map((i) => i.url)));
})().catch((e) => { console.error(e); process.exit(1); });
`

func npmSitemap(t *testing.T, file string) []string {
	t.Helper()
	return node(t, "sitemap.cjs", sitemapJS, file)
}

// sitemapperJS prints the URLs that npm's sitemapper finds from a URL.
const sitemapperJS = `
(async () => {
  const { default: Sitemapper } = await import('sitemapper');
  const { sites, errors } = await new Sitemapper({ url: process.argv[2], timeout: 20000 }).fetch();
  if (errors && errors.length) throw new Error(JSON.stringify(errors));
  console.log(JSON.stringify(sites));
})().catch((e) => { console.error(e); process.exit(1); });
`

func sitemapper(t *testing.T, url string) []string {
	t.Helper()
	return node(t, "sitemapper.cjs", sitemapperJS, url)
}

// crawleeJS prints the URLs that Crawlee finds from the robots.txt of a host.
const crawleeJS = `
const { RobotsTxtFile } = require('@crawlee/utils');
(async () => {
  const robots = await RobotsTxtFile.find(process.argv[2]);
  console.log(JSON.stringify(await robots.parseUrlsFromSitemaps()));
})().catch((e) => { console.error(e); process.exit(1); });
`

func crawlee(t *testing.T, url string) []string {
	t.Helper()
	return node(t, "crawlee.cjs", crawleeJS, url)
}

// node runs a script where the npm packages are, and returns the list it prints.
func node(t *testing.T, name, script, arg string) []string {
	t.Helper()
	dir := npmDir(t)
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	return list(t, do(t, dir, tool(t, "node"), file, arg))
}
