package page

import (
	"bytes"
	"encoding/json"
)

// A jsonWalker reads JSON forwards, once, without building it. It forgives
// trailing commas and raw line ends in strings, which search engines do too;
// at anything worse it stops, and every call says that nothing follows.
type jsonWalker struct {
	b []byte
	i int
}

func (w *jsonWalker) fail() { w.i = len(w.b) }

// peek returns the next byte that is not white space, or 0.
func (w *jsonWalker) peek() byte {
	for w.i < len(w.b) {
		switch c := w.b[w.i]; c {
		case ' ', '\t', '\r', '\n':
			w.i++
		default:
			return c
		}
	}
	return 0
}

// next reports whether a value follows in the list or object that opens with
// the byte given, and passes what comes before that value.
func (w *jsonWalker) next(open, end byte) bool {
	c := w.peek()
	if c == open || c == ',' {
		w.i++
		c = w.peek()
	}
	if c == end {
		w.i++
		return false
	}
	return c != 0
}

// element reports whether a list, whose [ or an element of which was read last, goes on.
func (w *jsonWalker) element() bool { return w.next('[', ']') }

// member returns the next key of an object; its value is next.
func (w *jsonWalker) member() (key []byte, ok bool) {
	if !w.next('{', '}') {
		return nil, false
	}
	s, ok := w.str()
	if !ok || w.peek() != ':' {
		w.fail()
		return nil, false
	}
	w.i++
	return w.b[s.lo:s.hi], true
}

// str reads a string and returns what stands between its quotes. Another value is passed.
func (w *jsonWalker) str() (s span, ok bool) {
	if w.peek() != '"' {
		w.skip()
		return span{}, false
	}
	w.i++
	lo := w.i
	if n := bytes.IndexByte(w.b[lo:], '"'); n >= 0 && bytes.IndexByte(w.b[lo:lo+n], '\\') < 0 {
		w.i = lo + n + 1
		return span{lo, lo + n}, true
	}
	for ; w.i < len(w.b); w.i++ {
		switch w.b[w.i] {
		case '"':
			w.i++
			return span{lo, w.i - 1}, true
		case '\\':
			w.i++
		}
	}
	w.fail()
	return span{}, false
}

// bytes returns the text of the string in the span, in the buffer where that
// holds no escape.
func (w *jsonWalker) bytes(s span) []byte {
	if raw := w.b[s.lo:s.hi]; bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return []byte(w.unescape(s))
}

// unescape returns the text of the string in the span.
func (w *jsonWalker) unescape(s span) string {
	raw := w.b[s.lo:s.hi]
	var out string
	if bytes.IndexByte(raw, '\\') >= 0 && json.Unmarshal(w.b[s.lo-1:s.hi+1], &out) == nil {
		return out
	}
	return text(raw)
}

// skip passes one value.
func (w *jsonWalker) skip() {
	switch c := w.peek(); c {
	case '"':
		w.str()
	case '{', '[':
		w.skipNested()
	default:
		from := w.i
		for w.i < len(w.b) && !bytes.ContainsRune(jsonPunctuation, rune(w.b[w.i])) {
			w.i++
		}
		if w.i == from {
			w.fail()
		}
	}
}

var jsonPunctuation = []byte("{}[],:\" \t\r\n")

// skipNested passes a list or an object, however deep.
func (w *jsonWalker) skipNested() {
	for depth := 0; w.i < len(w.b); {
		switch w.b[w.i] {
		case '"':
			w.str()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				w.i++
				return
			}
		}
		w.i++
	}
}
