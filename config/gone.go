package config

import (
	"fmt"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
)

// gone are the globs of the URLs that are meant to be gone.
func (r *resolver) gone() {
	var rules []mapping.Rule
	for i, g := range r.file.Diff.Gone.V {
		c := choice{text: g, who: fmt.Sprintf("diff.gone[%d]", i+1), by: "file"}
		rule := mapping.Rule{Match: g.V, Pos: g.Pos}
		if _, err := mapping.NewRules([]mapping.Rule{rule}); err != nil {
			r.reject(c, "bad-glob", "%v", err)
		} else if !strings.HasPrefix(g.V, "/") {
			r.reject(c, "bad-glob", `%q does not begin with a slash; it is matched against URLs: write "/old/**"`, g.V)
		} else {
			rules = append(rules, rule)
		}
	}
	r.s.Gone, _ = mapping.NewRules(rules) // each was tried
}
