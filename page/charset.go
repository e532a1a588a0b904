package page

import (
	"bytes"
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// charset settles the encoding by the label that the meta element read last gives it,
// if nothing did before. As the HTML standard says, a label of UTF-16 means UTF-8,
// because it could not have been read. It may end the tag's buffer.
func (r *Reader) charset() {
	if r.encoded {
		return
	}
	label := r.attr(attrCharset)
	if !r.has(attrCharset) && fold(r.attr(attrHTTPEquiv), "content-type") {
		label = charsetOf(r.attr(attrContent))
	}
	enc, ok := encodingOf(label)
	switch {
	case !ok:
	case enc == nil:
		r.encoded = true
	case r.gone == 0 && r.pos <= firstRead:
		// What was read before the label may be in the encoding too. It can
		// only be read again while it is still there.
		r.decode(enc, 0)
		r.again = true
	default:
		r.decode(enc, r.pos)
	}
}

// encodingOf returns the encoding that a label in a page means: nil is UTF-8, and
// false a label that browsers do not know.
func encodingOf(label []byte) (enc encoding.Encoding, ok bool) {
	if fold(label, "utf-8") || fold(label, "utf8") {
		return nil, true
	}
	enc, err := htmlindex.Get(string(label))
	if err != nil {
		return nil, false
	}
	switch name, _ := htmlindex.Name(enc); name {
	case "utf-8", "utf-16be", "utf-16le", "replacement":
		return nil, true
	}
	return enc, true
}

// marked returns the encoding that a byte order mark tells, nil for UTF-8, and the
// length of the mark.
func marked(src []byte) (enc encoding.Encoding, length int) {
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

// decode makes UTF-8 of what the page holds from buf[from] on.
func (r *Reader) decode(enc encoding.Encoding, from int) {
	r.own()
	r.pos = from
	r.shift()
	held := bytes.Clone(r.buf[:r.end])
	rest := r.src
	if r.err != nil {
		rest = errorReader{r.err}
	}
	r.src = enc.NewDecoder().Reader(io.MultiReader(bytes.NewReader(held), rest))
	r.end, r.err, r.encoded = 0, nil, true
	r.more()
}

// An errorReader returns an error and no bytes.
type errorReader struct{ err error }

func (f errorReader) Read([]byte) (int, error) { return 0, f.err }

// charsetOf returns the encoding that the content of a Content-Type pragma
// names, by the HTML standard's algorithm for extracting it, or nil.
func charsetOf(s []byte) []byte {
	const key = "charset"
	for ; len(s) >= len(key); s = s[1:] {
		if !hasFold(s, key) {
			continue
		}
		v := trim(s[len(key):])
		if len(v) == 0 || v[0] != '=' {
			continue
		}
		v = trim(v[1:])
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
