// Package config resolves the settings of a site from flags, the environment, the settings file,
// and the files of generators and platforms.
//
// File and Flags contain the values that the user typed, and Settings contains the checked values.
// Resolve converts File and Flags into Settings. Other packages do not check settings again.
//
// The main decisions are in three functions: findProjectRoot chooses the project, resolvePublishDir
// the publish directory, and resolveBaseURL the base URL.
package config

import (
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// Load decodes src, the content of the settings file called name. It reports syntax errors, unknown
// keys and values of the wrong type. Resolve reports other invalid values later. Load leaves all
// dates unset, because the time zone of the site is not yet known; see decodeDates.
func Load(name string, src []byte) (*File, diag.List) {
	n, diags := strict.ReadYAML(name, src)
	f := &File{Name: name, node: n}
	return f, append(diags, f.decode(nil)...).Sorted()
}

// Keys returns the paths of all keys of a settings file, sorted, such as "output" and
// "output.max_urls".
func Keys() []string { return strict.Options{Types: strict.SitemapTypes(nil)}.Keys(File{}) }

// foreignKeys maps keys of other sitemap tools, and keys that users guess, to the paths of
// sitewalk's keys with the same meaning.
var foreignKeys = map[string]string{
	"hostname": "base_url", "siteurl": "base_url", "site": "base_url", "url": "base_url", "domain": "base_url",
	"changefreq": "defaults.changefreq", "priority": "defaults.priority",
	"dir": "pages.dir", "ignore": "pages.exclude", "ignorepatterns": "pages.exclude", "directory": "pages.dir", "public": "pages.dir",
	"filename": "output.name", "publishdir": "pages.dir", "customurls": "extra", "additionalpaths": "extra",
}

// suggestKey returns the path of the key that an unknown key probably means: "pages.exclude" for
// "ignore", which is a key of another tool, or for "exclude" at the top level. It returns "" if it
// finds none.
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
