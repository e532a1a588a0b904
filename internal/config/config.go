// Package config reads sitemap.yaml and joins it with flags, environment and
// what is detected.
//
// It refuses to pass on a value that it has not checked: what the user typed
// (File, Flags) and what the program needs (Settings) are different types, and
// the way from one to the other is the only validation.
package config

import (
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// Load reads a sitemap.yaml called name. Every mistake that can be seen in the
// file alone is a finding at its line and column; Resolve finds the others.
func Load(name string, src []byte) (*File, diag.List) {
	n, diags := strict.YAML(name, src)
	f := &File{Name: name, node: n}
	return f, append(diags, f.decode(nil)...).Sorted()
}

// Keys returns the paths of all keys that a sitemap.yaml may have, sorted:
// "output", "output.max_urls".
func Keys() []string { return strict.Options{Types: strict.SitemapTypes(nil)}.Keys(File{}) }

// foreign are keys of other tools, and words that come to mind, for keys of
// ours.
var foreign = map[string]string{
	"hostname": "base_url", "siteurl": "base_url", "site": "base_url", "url": "base_url", "domain": "base_url",
	"changefreq": "defaults.changefreq", "priority": "defaults.priority",
	"dir": "pages.dir", "ignore": "pages.exclude", "ignorepatterns": "pages.exclude", "directory": "pages.dir", "public": "pages.dir",
	"filename": "output.name", "publishdir": "pages.dir", "customurls": "extra", "additionalpaths": "extra",
}

// suggest returns the path of the key that one in the wrong place, or one of
// another tool, stands for.
func suggest(key string) string {
	word := strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(key))
	if path, ok := foreign[word]; ok {
		return path
	}
	best := ""
	for _, path := range Keys() {
		last := path[strings.LastIndexByte(path, '.')+1:]
		if strings.ReplaceAll(last, "_", "") == word && (best == "" || strings.Count(path, ".") < strings.Count(best, ".")) {
			best = path
		}
	}
	return best
}
