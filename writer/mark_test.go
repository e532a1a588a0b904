package writer

import (
	"slices"
	"strings"
	"testing"
)

const markComment = "<!-- " + markText + " -->"

// headOf returns the beginning of a file with a key.
func headOf(key string) []byte {
	return []byte("<?xml version='1.0'?>\n<!-- " + strings.Join(markComments("", key), " -->\n<!-- ") + " -->\n<?xml-stylesheet href='a'?>\n<urlset>")
}

func TestMarkNamesKey(t *testing.T) {
	for _, key := range []string{"0123456789abcdef", "a--b--c-", "--------", "-->", "straße & more"} {
		head := headOf(key)
		if got := markerValue(head, keyMarker); got != key || !IsMarked(head) || markerValue(head, indexMarker) != "" {
			t.Errorf("%q is read as %q, marked %v, with the index %q", key, got, IsMarked(head), markerValue(head, indexMarker))
		}
		if slices.ContainsFunc(markComments(key, key), func(c string) bool { return strings.Contains(c, "--") }) {
			t.Errorf("%q ends a comment", key)
		}
	}
	for _, head := range []string{"", markComment, markComment + "<!-- " + keyMarker + "a", markComment + "<!-- " + keyMarker + "%zz -->"} {
		if got := markerValue([]byte(head), keyMarker); got != "" {
			t.Errorf("%q names the key %q", head, got)
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
			t.Errorf("IsMarked(%q) = %v", head, got)
		}
	}
}
