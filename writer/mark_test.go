package writer

import (
	"slices"
	"strings"
	"testing"
)

// markedHead returns the beginning of a file with the comments of markComments.
func markedHead(page string) []byte {
	return []byte("<?xml version='1.0'?>\n<!-- " + strings.Join(markComments("", page), " -->\n<!-- ") + " -->\n<?xml-stylesheet href='a'?>\n<urlset>")
}

func TestMarkerValueOfPage(t *testing.T) {
	for _, name := range []string{"sitemap.html", "a/b.html", "the--list -.html", "-->.html", "straße & more.html"} {
		head := markedHead(name)
		if got := markerValue(head, pageMarker); got != name || !IsMarked(head) {
			t.Errorf("page %q: got %q, IsMarked %v", name, got, IsMarked(head))
		}
		if slices.ContainsFunc(markComments(name, name), func(c string) bool { return strings.Contains(c, "--") }) {
			t.Errorf("page %q: got a comment with --", name)
		}
	}
	for _, head := range []string{"", markComment, markComment + "<!-- " + pageMarker + "a.html", markComment + "<!-- " + pageMarker + "%zz -->"} {
		if got := markerValue([]byte(head), pageMarker); got != "" {
			t.Errorf("head %q: got page %q, want none", head, got)
		}
	}
}

func TestIsMarked(t *testing.T) {
	for head, want := range map[string]bool{
		"":          false,
		markComment: true,
		"\uFEFF<?xml version='1.0'?>" + markComment:                    true,
		"<!-- written by sitewalk 9 --><a>":                            true,
		"<!DOCTYPE a><!-- b -->" + markComment:                         true,
		"<urlset>" + markComment:                                       false,
		"<?xml version='1.0'?><urlset><url><loc>a</loc>" + markComment: false,
		"<!-- written by hugo -->":                                     false,
		"https://example.com/":                                         false,
	} {
		if got := IsMarked([]byte(head)); got != want {
			t.Errorf("IsMarked(%q) = %v, want %v", head, got, want)
		}
	}
}
