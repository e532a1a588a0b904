package page

import (
	"bytes"
	"regexp"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

var utf8BOM = []byte("\xef\xbb\xbf")

// detectBOM returns the encoding that the byte order mark at the beginning of src denotes, and the
// length of the mark in bytes. enc is nil for UTF-8. Without a mark, enc is nil and length is 0.
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

// toUTF8 returns src, a whole page, converted to UTF-8. It returns src itself if src is valid
// UTF-8, whatever encoding the page names, or if the page is in UTF-8 with some invalid bytes.
func toUTF8(src []byte) []byte {
	if utf8.Valid(src) {
		return src
	}
	const prescan = 1024 // number of bytes in which browsers look for the encoding
	enc, name, _ := charset.DetermineEncoding(src[:min(len(src), prescan)], "")
	if name != "utf-8" {
		src, _ = enc.NewDecoder().Bytes(src) // invalid bytes become U+FFFD
	}
	return src
}

// charsetLabel matches the label of the encoding in the content attribute of a meta tag. Like a
// browser, it also finds a label in text that is not a valid media type, such as "text/html
// charset=utf-8".
// See https://html.spec.whatwg.org/multipage/urls-and-fetching.html#extracting-character-encodings-from-meta-elements
var charsetLabel = regexp.MustCompile(`(?i)charset\s*=\s*["']?([^\s;"']+)`)

// readCharset sets the encoding of the page to the encoding that the last meta tag names. It does
// nothing if the encoding is already known.
func (r *Reader) readCharset() {
	if r.isEncodingKnown {
		return
	}
	label := r.attrValue("charset")
	if !r.hasAttr("charset") && equalFold(r.attrValue("http-equiv"), "content-type") {
		if m := charsetLabel.FindSubmatch(r.attrValue("content")); m != nil {
			label = m[1]
		}
	}
	r.encoding, r.isEncodingKnown = findEncoding(label)
}

// findEncoding returns the encoding with a label such as "iso-8859-1", or nil for UTF-8. ok is
// false for a label that browsers do not know. The label "utf-16" gives UTF-8, because a label that
// is readable as ASCII cannot be in a UTF-16 page. The labels of encodings that browsers refuse to
// decode, such as "iso-2022-kr", also give UTF-8.
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
