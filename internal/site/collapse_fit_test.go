package site

import "testing"

// TestMayFit has addresses of which some end serves a file below some base, and such
// as can have none.
func TestMayFit(t *testing.T) {
	for _, c := range []struct {
		file, to string
		want     bool
	}{
		{"a/b/index.html", "https://example.com/x/a/b/", true},
		{"a/b/index.html", "https://example.com/b", true},
		{"a/b/index.html", "https://example.com/b/index.html", true},
		{"a/b/index.html", "https://example.com/index.html", true}, // the folder a/b is the site
		{"a/b/index.html", "https://example.com/missing/", false},
		{"a/page.html", "https://example.com/page", true},
		{"a/page.html", "https://example.com/page/", true},
		{"a/page.html", "https://example.com/page.html", true},
		{"a/page.html", "https://example.com/a/", false},
		{"a/ä.html", "https://example.com/%C3%A4", true},
		{"a/ä.html", "https://example.com/a", false},
		{"a.htm", "https://example.com/a.htm", true},
		{"index.html", "https://example.com/x/", true},
	} {
		if got := mayFit(c.file, c.to); got != c.want {
			t.Errorf("%s, %s: %v, want %v", c.file, c.to, got, c.want)
		}
	}
}
