package config

import (
	"slices"
	"strings"
	"testing"
)

// allKeys is a settings file with a value for each key.
const allKeys = `
base_url: https://example.internal/
pages: {dir: public, include: ["**/*.html"], exclude: ["drafts/**"]}
content: {dir: docs, edit_links: true}
host: nginx
generator: none
urls: {html: keep, slash: keep}
obey_robots: true
lastmod: [git, ledger]
timezone: UTC
git_date: author
ledger: {read: a.ledger, write: b.ledger, new: today, on_error: fail, fingerprint: {include: main, exclude: nav}}
defaults: {changefreq: weekly, priority: 0.5}
images: true
versions: latest
previews: keep
output:
  name: sitemap.xml
  formats: [xml, llms, rss]
  gzip: also
  split: auto
  max_urls: 10
  max_bytes: 10000
  index: [https://example.com/sitemap.xml]
  robots: true
  feed: {items: 10, title: News}
  llms: {title: Example, summary: About us., first_sentence: true, copies: auto}
  page: list.html
  stylesheet: true
  indexnow: 7e3f6e8bc47b4f2380ba54aab6088521
diff: {gone: /old/}
links: {ignore: /search}
check: {heads: true}
submit: {google: true}
findings: {bad-date: off}
max_loss: 5%
`

// listsOfMaps are the keys that need no Origin. Such a list may have thousands of items, and only the
// settings file can set it.
var listsOfMaps = []string{"rules", "extra", "languages", "sites", "output.sitemaps"}

// TestOriginsNameEachKey checks that each key in the settings file has an Origin, so that -v prints
// it. A key with keys below it, such as "output", has none itself.
func TestOriginsNameEachKey(t *testing.T) {
	s := newWorld(t, map[string]string{"sitemap.yaml": allKeys, built: "", "docs/a.md": ""}).settings()
	var named []string
	for _, o := range s.Origins {
		if o.By != "file" || !strings.HasPrefix(o.Pos.String(), "sitemap.yaml:") {
			t.Errorf("%s comes from %q at %v, not from the file", o.Key, o.By, o.Pos)
		}
		named = append(named, o.Key)
	}
	isBelow := func(key string) func(string) bool {
		return func(other string) bool { return strings.HasPrefix(other, key+".") }
	}
	for _, key := range Keys() {
		hasReason := slices.ContainsFunc(listsOfMaps, func(list string) bool { return key == list || isBelow(list)(key) })
		if !hasReason && !slices.Contains(named, key) && !slices.ContainsFunc(named, isBelow(key)) {
			t.Errorf("no Origin has the key %s", key)
		}
	}
}
