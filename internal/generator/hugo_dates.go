package generator

import (
	"slices"
	"strings"
)

// hugoAliases are further spellings that Hugo asks after a key.
// https://gohugo.io/configuration/front-matter/
var hugoAliases = map[string][]string{
	"lastmod":     {"modified"},
	"publishdate": {"pubdate", "published"},
	"expirydate":  {"unpublishdate"},
}

// hugoDates reads [frontmatter]: which keys to ask for each date, and which
// sources for the last change.
// https://gohugo.io/configuration/front-matter/#dates
func (p *Project) hugoDates(h *hugoRules, v *value, gitInfo bool) {
	orders := map[string][]string{}
	v.each(func(key string, w *value) {
		for _, k := range w.strs() {
			k = strings.ToLower(k)
			orders[key] = append(append(orders[key], k), hugoAliases[k]...)
		}
	})
	if len(orders) > 0 {
		p.Front.DateOrder = orders
	}
	for _, order := range orders { // whichever date takes it, the slug comes with it
		if i := slices.Index(order, ":filename"); i >= 0 {
			h.nameDate = true
			h.nameDateFirst = h.nameDateFirst || i == 0
		}
	}
	p.Sources = hugoSources(orders["lastmod"], gitInfo)
}

// hugoSources returns the sources that Hugo asks for lastmod, in its order.
// With enableGitInfo and no order of the site's own, git is the first.
func hugoSources(order []string, gitInfo bool) (out []string) {
	add := func(source string) {
		if !slices.Contains(out, source) && (source != "git" || gitInfo) {
			out = append(out, source)
		}
	}
	if order == nil {
		order = []string{":default"}
	}
	for _, key := range order {
		switch key {
		case ":default":
			add("git")
			add("frontmatter")
			add("date")
		case ":git":
			add("git")
		case "date", "publishdate", "pubdate", "published":
			add("date")
		case ":filemodtime": // a checkout gives all sources the same
		default:
			add("frontmatter")
		}
	}
	add("frontmatter")
	return out
}
