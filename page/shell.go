package page

import (
	"bytes"
	"io"
	"unicode"
)

// mostWaiting is how many letters a page shows at most while a script is still to bring its
// content: "Loading …".
const mostWaiting = 100

// IsShell reports whether a page has neither text nor links nor pictures, and a script that is
// to bring them, as the page of a single-page application.
func IsShell(src []byte) bool {
	if !bytes.Contains(src, []byte("<script")) {
		return false
	}
	var r Reader
	src = bytes.TrimPrefix(src, utf8BOM)
	r.source = source{buf: src, end: len(src), err: io.EOF}
	letters := 0
	for letters <= mostWaiting {
		switch r.next() {
		case tokenStart:
			switch string(r.element()) {
			case "a":
				if href := r.attr(attrHref); len(href) > 0 && href[0] != '#' {
					return false
				}
			case "img", "video", "audio", "canvas", "frame", "iframe", "object", "embed", "form", "input":
				return false
			}
			r.skipRaw(string(r.element()))
		case tokenText:
			for _, c := range string(src[r.text.lo:r.text.hi]) {
				if unicode.IsLetter(c) {
					letters++
				}
			}
		case tokenCut, tokenNone:
			return true
		}
	}
	return false
}
