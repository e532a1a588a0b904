package site

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestFieldsManual checks that docs/front-matter.md names the sources of each field in the order of
// visitSources. TestExplainEveryField checks which source sets which field.
func TestFieldsManual(t *testing.T) {
	b, err := os.ReadFile("../../docs/front-matter.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(b), "## Which source sets a field")
	row := func(name string) string {
		_, rest, _ := strings.Cut(text, "\n| `"+name+"` | ")
		line, _, _ := strings.Cut(rest, "\n")
		return line
	}
	for _, field := range EntryFields {
		want := []string{"extra", "rule", "frontmatter", "sitemap"}
		switch field.Name {
		case "changefreq", "priority":
			want = append(want, "defaults")
		case "alternate", "image":
			want = append(want, "html")
		}
		var names []string
		for _, m := range regexp.MustCompile("`([a-z]+)`").FindAllStringSubmatch(row(field.Name), -1) {
			names = append(names, m[1])
		}
		if len(names) < len(want) || !slices.Equal(names[:len(want)], want) {
			t.Errorf("%s: the manual names %q, want %q", field.Name, names, want)
		}
	}
}
