package audit

import (
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/mapping"
)

// TestResolveLinkTargets resolves references on a page, with and without a base element.
func TestResolveLinkTargets(t *testing.T) {
	base, err := mapping.ParseBase("https://example.com/docs/")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ base, ref, want string }{
		{"", "b/", "/docs/a/b/"},
		{"", "./b/", "/docs/a/b/"},
		{"", "../b/?x=/y#z", "/docs/b/"},
		{"", "../../../../docs/b/", "/docs/b/"},
		{"", "/docs/b/", "/docs/b/"},
		{"", "/other/", ""},
		{"", "https://example.com/docs/b/", "/docs/b/"},
		{"", "HTTP://EXAMPLE.com:80/docs/b/", "/docs/b/"},
		{"", "https://example.com.evil.example/docs/b/", ""},
		{"", "https://user@example.com/docs/b/", ""},
		{"", "//example.com/docs/b/", "/docs/b/"},
		{"", `\\example.com\docs\b\`, "/docs/b/"},
		{"", "//cdn.example/docs/b/", ""},
		{"", "mailto:x@example.com", ""},
		{"", "javascript:b/", ""},
		{"", "b:c", ""},
		{"", "{{ link }}", ""},
		{"", "/docs/{% url %}", ""},
		{"", "${base}/b/", ""},
		{"", "./b:c", "/docs/a/b:c"},
		{"", "b c", "/docs/a/b%20c"},
		{"", "b%20c", "/docs/a/b%20c"},
		{"", "%62", "/docs/a/b"},
		{"", "x/../b", "/docs/a/b"},
		{"", "b\tc", "/docs/a/bc"},
		{"", "#x", "/docs/a/"},
		{"", "?x", "/docs/a/"},
		{"/docs/z/", "b/", "/docs/z/b/"},
		{"/docs/z/", "#x", "/docs/z/"},
		{"https://cdn.example/", "b/", ""},
		{"https://cdn.example/", "/docs/b/", ""},
		{"https://cdn.example/", "https://example.com/docs/b/", "/docs/b/"},
	}
	for _, tt := range tests {
		r := newResolver([]mapping.Base{base}, "https://example.com/docs/a/")
		if tt.base != "" {
			r.setBaseHref([]byte(tt.base))
		}
		got := ""
		if loc, _, ok := r.resolve([]byte(tt.ref)); ok {
			got = strings.TrimPrefix(string(loc), "https://example.com")
		}
		if got != tt.want {
			t.Errorf("reference %q with base %q: got %q, want %q", tt.ref, tt.base, got, tt.want)
		}
	}
}

// TestLinksSurviveHostilePages reads pages with extreme links: a URL with NUL bytes, a URL of many
// kilobytes, and a hundred thousand links to one target.
func TestLinksSurviveHostilePages(t *testing.T) {
	dir := newTree(t, map[string]string{
		"index.html": "<!doctype html><title>x</title><a href=\"a\x00b\"><a href=\"" + strings.Repeat("../", 5000) + "\"><a href=\"" + strings.Repeat("a/", 5000) + "\"><a href=\"\xff\">" +
			strings.Repeat("<a href=/gone/>x</a>\n", 100_000),
	})
	ds := linkFindings(t, dir, "https://example.com/", "nginx", false)
	if got := findingPaths(t, ds, "dead-link"); !slices.Contains(got, "/gone/") {
		t.Fatalf("dead links: got %q, want /gone/", got)
	}
	for _, d := range ds {
		if strings.HasSuffix(d.Subject, "/gone/") && len(d.Places) != 99_999 {
			t.Errorf("got %d further places, want 99,999", len(d.Places))
		}
	}
}
