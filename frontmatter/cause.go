package frontmatter

import (
	"io"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// causes lists, for the findings on a built page, the keys in lower case that templates may have
// copied into the page.
var causes = func() map[string][]string {
	canonical := []string{"canonical", "canonicalurl", "canonical_url"}
	dates := slices.Concat(dateKeys["date"], dateKeys["lastmod"])
	return map[string][]string{
		"bad-canonical": canonical, "canonical-ignored": canonical, "canonical-out": canonical, "canonical-cycle": canonical, "two-canonicals": canonical,
		"bad-date": dates, "doubtful-date": dates, "other-date": dates,
		"listed-hidden": {"robots"},
	}
}()

// MayBeFrontMatter reports whether front matter may be the cause of a finding on a built page.
func MayBeFrontMatter(code string) bool { return causes[code] != nil }

// Cause returns the place of the front matter value that is the cause of a finding on the built
// page: the only value that the message quotes and that has a fitting key. It returns 0 if there
// is no such value or more than one.
func (r *Reader) Cause(src io.Reader, code, message string) (line, col int) {
	b, _, err := r.o.split(src)
	if err != nil || b.notation == 0 {
		return 0, 0
	}
	n, _ := b.nodes()
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
