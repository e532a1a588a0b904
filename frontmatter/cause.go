package frontmatter

import (
	"io"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// causes says from which keys, in lower case, templates make what findings on a
// built page are about.
var causes = func() map[string][]string {
	canonical := []string{"canonical", "canonicalurl", "canonical_url"}
	dates := slices.Concat(dateKeys["date"], dateKeys["lastmod"])
	return map[string][]string{
		"bad-canonical": canonical, "canonical-ignored": canonical, "canonical-out": canonical, "canonical-cycle": canonical, "two-canonicals": canonical,
		"bad-date": dates, "doubtful-date": dates, "early-date": dates, "other-date": dates,
		"listed-hidden": {"robots"},
	}
}()

// Blamed reports whether a finding on a built page may come from front matter.
func Blamed(code string) bool { return causes[code] != nil }

// Cause returns where the value stands from which a finding on the page that is
// built of a file comes: that of the only key for it, in any map, that the
// message quotes; 0 when none or several are such.
func (r *Reader) Cause(src io.Reader, code, message string) (line, col int) {
	b, _, err := r.block(src)
	if err != nil || b.notation == 0 {
		return 0, 0
	}
	n, _ := r.nodes(b)
	var places []*yaml.Node
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n == nil || n.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, v := n.Content[i], n.Content[i+1]
			if v.Kind == yaml.ScalarNode && len(v.Value) > 3 && strings.Contains(message, v.Value) && slices.Contains(causes[code], strings.ToLower(key.Value)) {
				places = append(places, v)
			}
			walk(v)
		}
	}
	if walk(n); len(places) != 1 {
		return 0, 0
	}
	return places[0].Line, places[0].Column
}
