package page

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

var utf8BOM = []byte("\xef\xbb\xbf")

// detectBOM returns the encoding that a byte order mark names, nil for UTF-8, and the length of
// the mark.
func detectBOM(src []byte) (enc encoding.Encoding, length int) {
	switch {
	case bytes.HasPrefix(src, utf8BOM):
		return nil, 3
	case bytes.HasPrefix(src, []byte("\xff\xfe")):
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), 2
	case bytes.HasPrefix(src, []byte("\xfe\xff")):
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), 2
	}
	return nil, 0
}

// toUTF8 converts a whole page to UTF-8. It does not copy valid UTF-8.
func toUTF8(src []byte) []byte {
	if utf8.Valid(src) {
		return src
	}
	const prescan = 1024 // bytes within which a page names its encoding
	enc, name, _ := charset.DetermineEncoding(src[:min(len(src), prescan)], "")
	if name != "utf-8" {
		src, _ = enc.NewDecoder().Bytes(src) // invalid bytes become U+FFFD
	}
	return src
}

// readCharset records the encoding that the last meta element names, unless the encoding is
// already known.
func (r *Reader) readCharset() {
	if r.isEncodingKnown {
		return
	}
	label := r.attr(attrCharset)
	if !r.has(attrCharset) && equalFold(r.attr(attrHTTPEquiv), "content-type") {
		label = charsetOf(r.attr(attrContent))
	}
	r.encoding, r.isEncodingKnown = findEncoding(label)
}

// findEncoding returns the encoding with a label, or nil for UTF-8. ok is false for a label that
// browsers do not know. The label UTF-16 means UTF-8, because a UTF-16 page would not have been
// readable so far.
func findEncoding(label []byte) (enc encoding.Encoding, ok bool) {
	if equalFold(label, "utf-8") || equalFold(label, "utf8") {
		return nil, true
	}
	enc, name := charset.Lookup(string(label))
	switch name {
	case "utf-8", "utf-16be", "utf-16le", "replacement":
		return nil, true
	}
	return enc, enc != nil
}

// charsetOf returns the encoding in the content of a Content-Type pragma, or nil.
// https://html.spec.whatwg.org/multipage/urls-and-fetching.html#extracting-character-encodings-from-meta-elements
func charsetOf(s []byte) []byte {
	const key = "charset"
	for ; len(s) >= len(key); s = s[1:] {
		if !hasPrefixFold(s, key) {
			continue
		}
		v, ok := bytes.CutPrefix(trim(s[len(key):]), []byte("="))
		if !ok {
			continue
		}
		v = trim(v)
		if len(v) > 0 && (v[0] == '"' || v[0] == '\'') {
			if i := bytes.IndexByte(v[1:], v[0]); i >= 0 {
				return v[1 : 1+i]
			}
			return nil
		}
		if i := bytes.IndexAny(v, "; \t\n\f\r"); i >= 0 {
			v = v[:i]
		}
		return v
	}
	return nil
}
