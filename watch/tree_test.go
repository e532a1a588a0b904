package watch

import (
	"path/filepath"
	"testing"
)

// TestRelative names what an event is about as Unix and as Windows spell it, each
// on its own system.
func TestRelative(t *testing.T) {
	for _, test := range []struct {
		sep             rune
		dir, name, want string // want is "" for what does not lie below
	}{
		{'/', "/site", "/site/a/b.html", "a/b.html"},
		{'/', "/site", "/site", ""},
		{'/', "/site", "/site/", ""},
		{'/', "/site", "/sites/a.html", ""},
		{'/', "/", "/a.html", "a.html"},
		{'/', "/", "/", ""},
		{'/', "", "/site/a.html", ""}, // of a tree that is not there
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
			t.Errorf("%q below %q: %q %v, want %q", test.name, test.dir, got, ok, test.want)
		}
	}
}
