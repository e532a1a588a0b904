package config

import (
	"slices"
	"strings"
	"testing"
)

// settingsWithAllKeys is a settings file that sets all keys except keysWithoutOrigin.
const settingsWithAllKeys = `
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

// keysWithoutOrigin contains the lists without an Origin. These lists may have thousands of
// items, and only the settings file can set them.
var keysWithoutOrigin = []string{"rules", "extra", "languages", "sites", "output.sitemaps"}

// TestOriginsListEveryKey checks that each key in the settings file has an Origin, which -v
// prints. A map such as "output" has no Origin, but the keys in the map have one.
func TestOriginsListEveryKey(t *testing.T) {
	s := newTestProject(t, map[string]string{"sitemap.yaml": settingsWithAllKeys, builtPage: "", "docs/a.md": ""}).mustResolve()
	var keys []string
	for _, o := range s.Origins {
		if o.By != "file" || !strings.HasPrefix(o.Pos.String(), "sitemap.yaml:") {
			t.Errorf("origin of %s: got %q at %v, want the settings file", o.Key, o.By, o.Pos)
		}
		keys = append(keys, o.Key)
	}
	isBelow := func(key string) func(string) bool {
		return func(other string) bool { return strings.HasPrefix(other, key+".") }
	}
	for _, key := range Keys() {
		isExempt := slices.ContainsFunc(keysWithoutOrigin, func(list string) bool { return key == list || isBelow(list)(key) })
		if !isExempt && !slices.Contains(keys, key) && !slices.ContainsFunc(keys, isBelow(key)) {
			t.Errorf("key %s has no Origin; add it to settingsWithAllKeys, and resolve it as resolveOutput does", key)
		}
	}
}
