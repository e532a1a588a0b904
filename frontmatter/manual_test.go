package frontmatter

import (
	"os"
	"strings"
	"testing"
)

// TestManualListsKeys checks that docs/front-matter.md lists every key, and the keys for each kind
// of date.
func TestManualListsKeys(t *testing.T) {
	src, err := os.ReadFile("../docs/front-matter.md")
	if err != nil {
		t.Fatal(err)
	}
	manual := string(src)
	for _, k := range Keys {
		item := "- `" + strings.Join(strings.Fields(k.Names), "`, `") + "`: " + k.Text + "\n"
		if !strings.Contains(manual, item) {
			t.Errorf("the manual lacks the item\n%s", item)
		}
	}
	for date, keys := range dateKeys {
		if row := "| `" + strings.Join(keys, "`, `") + "` |\n"; !strings.Contains(manual, row) {
			t.Errorf("the manual lacks the keys of %s:\n%s", date, row)
		}
	}
}
