package config

import (
	"fmt"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
)

// gone are the globs of the URLs that are meant to be gone, and of those that are
// answered without a file.
func (r *resolver) gone() {
	r.s.Gone = r.urlGlobs("diff.gone", "/old/**", r.file.Diff.Gone)
	r.s.Answered = r.urlGlobs("links.ignore", "/api/**", r.file.Links.Ignore)
}

// urlGlobs returns the globs of URLs under a key.
func (r *resolver) urlGlobs(key, example string, list texts) *mapping.Rules {
	var rules []mapping.Rule
	for i, g := range list.V {
		c := choice{text: g, who: fmt.Sprintf("%s[%d]", key, i+1), by: "file"}
		rule := mapping.Rule{Match: g.V, Pos: g.Pos}
		if _, err := mapping.NewRules([]mapping.Rule{rule}); err != nil {
			r.reject(c, "bad-glob", "%v", err)
		} else if !strings.HasPrefix(g.V, "/") {
			r.reject(c, "bad-glob", `%q does not begin with a slash; it is matched against URLs: write %q`, g.V, example)
		} else {
			rules = append(rules, rule)
		}
	}
	all, _ := mapping.NewRules(rules) // each was tried
	return all
}
