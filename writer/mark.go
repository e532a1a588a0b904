package writer

import (
	"bytes"
	"net/url"
	"strings"
)

// The mark is a comment at the beginning of each XML and HTML file that sitewalk writes. A later
// run recognizes the file by the mark.
const (
	markText   = "written by sitewalk, https://github.com/sitewalk/sitewalk"
	markPrefix = "<!-- written by sitewalk" // beginning of all marks, with which IsMarked finds them; the rest may change
	// indexMarker and pageMarker are the beginnings of further comments. The name of the index or
	// of the page for people follows, as in <!-- its index: sitemap.xml -->.
	indexMarker = "its index: "
	pageMarker  = "its page for people: "

	// markComment is the mark with the delimiters of a comment. It has no version and no time, so
	// equal input gives equal bytes.
	markComment = "<!-- " + markText + " -->"
)

// MarkSize is the number of bytes at the beginning of a file that [IsMarked] needs to find the
// mark.
const MarkSize = 1024

// markComments returns the texts of the comments at the beginning of a sitemap: the mark, the name
// of the sitemap's index, and the name of the HTML page for people. It leaves out a comment whose
// argument is "".
func markComments(index, page string) []string {
	comments := []string{markText}
	if index != "" {
		comments = append(comments, indexMarker+escapeComment(index))
	}
	if page != "" {
		comments = append(comments, pageMarker+escapeComment(page))
	}
	return comments
}

// escapeComment percent-encodes a name for an XML comment, which must not contain two hyphens in a
// row or end in a hyphen. For "my-map.xml" it returns "my%2Dmap.xml".
func escapeComment(name string) string {
	return strings.ReplaceAll(url.PathEscape(name), "-", "%2D")
}

// IsMarked reports whether sitewalk wrote a file. It returns true if the mark is before the first
// element. head contains the first [MarkSize] bytes of the file, or the whole file if it is
// shorter.
func IsMarked(head []byte) bool {
	before, _, ok := bytes.Cut(head, []byte(markPrefix))
	for ok {
		_, after, more := bytes.Cut(before, []byte("<"))
		if !more {
			return true
		}
		before, ok = after, len(after) > 0 && (after[0] == '?' || after[0] == '!')
	}
	return false
}

// markerValue returns the name that follows the given marker, such as pageMarker, in a
// comment. It returns "" if there is no such comment. head contains the first bytes of a file.
func markerValue(head []byte, marker string) string {
	_, rest, ok := bytes.Cut(head, []byte("<!-- "+marker))
	name, _, closed := bytes.Cut(rest, []byte(" -->"))
	plain, err := url.PathUnescape(string(name))
	if !ok || !closed || err != nil {
		return ""
	}
	return plain
}
