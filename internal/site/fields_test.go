package site

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestFieldsManual compares the table in docs/front-matter.md with Fields.
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
	for _, field := range AllEntryFields()[1:] { // the first is lastmod, whose sources docs/dates.md names
		var names []string
		for _, m := range regexp.MustCompile("`([a-z]+)`").FindAllStringSubmatch(row(field.Name), -1) {
			names = append(names, m[1])
		}
		if len(names) < len(field.By) || !slices.Equal(names[:len(field.By)], field.By) {
			t.Errorf("%s: the manual names %q, want %q", field.Name, names, field.By)
		}
	}
}
