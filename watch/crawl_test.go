package watch

import "testing"

// TestBelow names what an event is about as Unix and as Windows spell it.
func TestBelow(t *testing.T) {
	for _, test := range []struct {
		sep             byte
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
		if got, ok := below(test.dir, test.name, test.sep); got != test.want || ok != (test.want != "") {
			t.Errorf("%q below %q: %q %v, want %q", test.name, test.dir, got, ok, test.want)
		}
	}
}
