// Package mark is the comments by which a later run knows the files of an earlier
// one, and what else it wrote.
//
// It refuses to touch files: who has read the beginning of one asks it.
package mark

import (
	"bytes"
	"net/url"
	"strings"
)

const (
	text   = "written by sitewalk, https://github.com/sitewalk/sitewalk"
	prefix = "<!-- written by sitewalk" // what In looks for, so that the rest may change
	page   = "its page for people: "
	key    = "its key for IndexNow: "
)

// Comment is the mark of an XML or HTML file. It names no version and no time, so
// that equal input gives equal bytes.
const Comment = "<!-- " + text + " -->"

// HeadSize is how much of a file In, PageIn and KeyIn want to see.
const HeadSize = 1024

// Comments returns the texts of the comments of a file that belongs to a key for
// IndexNow and a page for people; "" is none.
func Comments(keyOf, pageOf string) []string {
	all := []string{text}
	for _, c := range []struct{ what, name string }{{key, keyOf}, {page, pageOf}} {
		if c.name != "" { // a comment may not hold two hyphens in a row, nor end in one
			all = append(all, c.what+strings.ReplaceAll(url.PathEscape(c.name), "-", "%2D"))
		}
	}
	return all
}

// In reports whether head, the beginning of an XML file, carries our mark before the
// document element begins.
func In(head []byte) bool {
	before, _, ok := bytes.Cut(head, []byte(prefix))
	for ok {
		_, after, more := bytes.Cut(before, []byte("<"))
		if !more {
			return true
		}
		before, ok = after, len(after) > 0 && (after[0] == '?' || after[0] == '!')
	}
	return false
}

// PageIn returns the page for people that the head of a file with our mark names,
// or "".
func PageIn(head []byte) string { return named(head, page) }

// KeyIn returns the key for IndexNow that such a head names, or "".
func KeyIn(head []byte) string { return named(head, key) }

func named(head []byte, what string) string {
	_, rest, ok := bytes.Cut(head, []byte("<!-- "+what))
	name, _, closed := bytes.Cut(rest, []byte(" -->"))
	plain, err := url.PathUnescape(string(name))
	if !ok || !closed || err != nil {
		return ""
	}
	return plain
}
