package writer

import (
	"bytes"
	"net/url"
	"strings"
)

// The mark is a comment at the beginning of each XML and HTML file. It identifies the files of
// earlier runs.
const (
	markText    = "written by sitewalk, https://github.com/sitewalk/sitewalk"
	markPrefix  = "<!-- written by sitewalk" // IsMarked looks for the prefix, so that the rest may change
	indexMarker = "its index: "
	pageMarker  = "its page for people: "
	keyMarker   = "its key for IndexNow: "

	// markComment has no version and no time, so equal input gives equal bytes.
	markComment = "<!-- " + markText + " -->"
)

// MarkSize is the number of bytes from the beginning of a file that [IsMarked] needs.
const MarkSize = 1024

// markComments returns the comments of a sitemap. The entry file that names it, the key for IndexNow
// and the page for people may be "".
func markComments(index, key, page string) []string {
	comments := []string{markText}
	if index != "" {
		comments = append(comments, indexMarker+escapeComment(index))
	}
	if key != "" {
		comments = append(comments, keyMarker+escapeComment(key))
	}
	if page != "" {
		comments = append(comments, pageMarker+escapeComment(page))
	}
	return comments
}

// escapeComment encodes a name for an XML comment, which may not contain two hyphens in
// a row nor end in one.
func escapeComment(name string) string {
	return strings.ReplaceAll(url.PathEscape(name), "-", "%2D")
}

// IsMarked reports whether sitewalk wrote a file. head is the beginning of the file. The
// mark must precede the document element.
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

// markerValue returns the name that follows a marker in the head of a marked file, or "".
func markerValue(head []byte, marker string) string {
	_, rest, ok := bytes.Cut(head, []byte("<!-- "+marker))
	name, _, closed := bytes.Cut(rest, []byte(" -->"))
	plain, err := url.PathUnescape(string(name))
	if !ok || !closed || err != nil {
		return ""
	}
	return plain
}
