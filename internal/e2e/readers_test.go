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

// serveFolder serves a folder below a path prefix and returns the URL of the server.
func serveFolder(t *testing.T, dir, prefix string) string {
	t.Helper()
	files := http.StripPrefix(strings.TrimSuffix(prefix, "/"), http.FileServer(http.Dir(dir)))
	s := httptest.NewServer(files)
	t.Cleanup(s.Close)
	return s.URL
}

// parseList parses a JSON list of strings and sorts it.
func parseList(t *testing.T, src string) []string {
	t.Helper()
	var out []string
	if err := json.Unmarshal([]byte(src), &out); err != nil {
		t.Fatalf("%v: %q", err, src)
	}
	slices.Sort(out)
	return out
}

// scrapySpider follows a sitemap with Scrapy. It prints the URLs of the pages and does not fetch them.
const scrapySpider = `
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

// scrapyURLs returns the URLs that Scrapy finds from a sitemap.
func scrapyURLs(t *testing.T, dir, url string) []string {
	t.Helper()
	writeFile(t, dir, "walk_spider.py", scrapySpider)
	out := strings.Fields(run(t, dir, "/usr/bin/python3", filepath.Join(dir, "walk_spider.py"), url))
	slices.Sort(out)
	return out
}

// sitemapJS prints the URLs that the npm package sitemap reads from a file.
const sitemapJS = `
const { createReadStream } = require('node:fs');
const { parseSitemap } = require('sitemap');
(async () => {
  const items = await parseSitemap(createReadStream(process.argv[2]));
  console.log(JSON.stringify(items.map((i) => i.url)));
})().catch((e) => { console.error(e); process.exit(1); });
`

func npmSitemapURLs(t *testing.T, file string) []string {
	t.Helper()
	return runNode(t, "sitemap.cjs", sitemapJS, file)
}

// sitemapperJS prints the URLs that the npm package sitemapper finds from the URL of a sitemap.
const sitemapperJS = `
(async () => {
  const { default: Sitemapper } = await import('sitemapper');
  const { sites, errors } = await new Sitemapper({ url: process.argv[2], timeout: 20000 }).fetch();
  if (errors && errors.length) throw new Error(JSON.stringify(errors));
  console.log(JSON.stringify(sites));
})().catch((e) => { console.error(e); process.exit(1); });
`

func sitemapperURLs(t *testing.T, url string) []string {
	t.Helper()
	return runNode(t, "sitemapper.cjs", sitemapperJS, url)
}

// crawleeJS prints the URLs that Crawlee finds from the robots.txt of a host.
const crawleeJS = `
const { RobotsTxtFile } = require('@crawlee/utils');
(async () => {
  const robots = await RobotsTxtFile.find(process.argv[2]);
  console.log(JSON.stringify(await robots.parseUrlsFromSitemaps()));
})().catch((e) => { console.error(e); process.exit(1); });
`

func crawleeURLs(t *testing.T, url string) []string {
	t.Helper()
	return runNode(t, "crawlee.cjs", crawleeJS, url)
}

// runNode runs a script in the folder of the npm packages and returns the list that it prints.
func runNode(t *testing.T, name, script, arg string) []string {
	t.Helper()
	dir := npmDir(t)
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	return parseList(t, run(t, dir, toolPath(t, "node"), file, arg))
}
