package mark

import (
	"slices"
	"strings"
	"testing"
)

// headOf returns the beginning of a file with those comments.
func headOf(key, page string) []byte {
	return []byte("<?xml version='1.0'?>\n<!-- " + strings.Join(Comments(key, page), " -->\n<!-- ") + " -->\n<?xml-stylesheet href='a'?>\n<urlset>")
}

func TestPageIn(t *testing.T) {
	for _, name := range []string{"sitemap.html", "a/b.html", "the--list -.html", "-->.html", "straße & more.html"} {
		head := headOf("", name)
		if got := PageIn(head); got != name || !In(head) || KeyIn(head) != "" {
			t.Errorf("%q is read as %q, marked %v, with the key %q", name, got, In(head), KeyIn(head))
		}
	}
	for _, head := range []string{"", Comment, Comment + "<!-- " + page + "a.html", Comment + "<!-- " + page + "%zz -->"} {
		if got := PageIn([]byte(head)); got != "" {
			t.Errorf("%q names the page %q", head, got)
		}
	}
}

func TestKeyIn(t *testing.T) {
	for _, key := range []string{"0123456789abcdef", "a--b--c-", "--------"} {
		head := headOf(key, "sitemap.html")
		if got, page := KeyIn(head), PageIn(head); got != key || page != "sitemap.html" {
			t.Errorf("%q is read as %q, the page as %q", key, got, page)
		}
		if slices.ContainsFunc(Comments(key, key), func(c string) bool { return strings.Contains(c, "--") }) {
			t.Errorf("%q ends a comment", key)
		}
	}
}

func TestIn(t *testing.T) {
	for head, want := range map[string]bool{
		"":                                      false,
		Comment:                                 true,
		"\uFEFF<?xml version='1.0'?>" + Comment: true,
		"<!-- written by sitewalk 9 --><a>":     true,
		"<!DOCTYPE a><!-- b -->" + Comment:      true,
		"<urlset>" + Comment:                    false,
		"<?xml version='1.0'?><urlset><url><loc>a</loc>" + Comment: false,
		"<!-- written by hugo -->":                                 false,
		"https://example.com/":                                     false,
	} {
		if got := In([]byte(head)); got != want {
			t.Errorf("In(%q) = %v", head, got)
		}
	}
}
