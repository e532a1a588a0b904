package watch

import (
	"path/filepath"
	"testing"
)

// TestRelativePath checks relativePath with the paths of the system on which the test runs, Unix or
// Windows.
func TestRelativePath(t *testing.T) {
	for _, test := range []struct {
		sep             rune
		dir, name, want string // want: "" means that name is not below dir
	}{
		{'/', "/site", "/site/a/b.html", "a/b.html"},
		{'/', "/site", "/site", ""},
		{'/', "/site", "/site/", ""},
		{'/', "/site", "/sites/a.html", ""},
		{'/', "/", "/a.html", "a.html"},
		{'/', "/", "/", ""},
		{'/', "", "/site/a.html", ""}, // the tree is missing
		{'/', "/site", `/site/a\b.html`, `a\b.html`},
		{'\\', `C:\site`, `C:\site\a\b.html`, "a/b.html"},
		{'\\', `C:\site`, `C:\site/a\b.html`, "a/b.html"},
		{'\\', `C:\site`, `C:\site`, ""},
		{'\\', `C:\site`, `C:\sites\a.html`, ""},
		{'\\', `C:\`, `C:\a.html`, "a.html"},
		{'\\', `C:\`, `C:\`, ""},
		{'\\', "", `C:\site\a.html`, ""},
		{'\\', `\\server\share`, `\\server\share\a.html`, "a.html"},
		{'\\', `\\server\share\`, `\\server\share\a.html`, "a.html"},
		{'\\', `C:\site`, `D:\site\a.html`, ""},
	} {
		if test.sep != filepath.Separator {
			continue
		}
		if got, ok := relativePath(test.dir, test.name); ok != (test.want != "") || ok && got != test.want {
			t.Errorf("relativePath(%q, %q) = %q, %v, want %q", test.dir, test.name, got, ok, test.want)
		}
	}
}
