// Package config resolves the settings of a site from flags, the environment, sitemap.yaml, and
// the files of generators and platforms.
//
// File and Flags contain what the user typed. Settings contain checked values only. Resolve
// turns one into the other, and nothing else validates settings.
//
// findRoot chooses the project, resolvePublishDir the publish directory, resolveBase the address.
package config

import (
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// Load reads the settings file called name. The findings are the mistakes in the file alone,
// with line and column. Resolve finds the others.
func Load(name string, src []byte) (*File, diag.List) {
	n, diags := strict.YAML(name, src)
	f := &File{Name: name, node: n}
	return f, append(diags, f.decode(nil)...).Sorted()
}

// Keys returns the paths of all keys of a settings file, sorted: "output", "output.max_urls".
func Keys() []string { return strict.Options{Types: strict.SitemapTypes(nil)}.Keys(File{}) }

// foreignKeys maps keys of other tools, and words that come to mind, to keys of sitewalk.
var foreignKeys = map[string]string{
	"hostname": "base_url", "siteurl": "base_url", "site": "base_url", "url": "base_url", "domain": "base_url",
	"changefreq": "defaults.changefreq", "priority": "defaults.priority",
	"dir": "pages.dir", "ignore": "pages.exclude", "ignorepatterns": "pages.exclude", "directory": "pages.dir", "public": "pages.dir",
	"filename": "output.name", "publishdir": "pages.dir", "customurls": "extra", "additionalpaths": "extra",
}

// suggestKey returns the path of the known key that a misplaced key, or one of another tool,
// probably means. It returns "" without a guess.
func suggestKey(key string) string {
	word := strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(key))
	if path, ok := foreignKeys[word]; ok {
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
