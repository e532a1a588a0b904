package page

import (
	"bytes"
	"io"

	"github.com/sitewalk/sitewalk/diag"
)

const (
	firstRead = 8 << 10  // covers the head of most pages
	nextRead  = 32 << 10 // the buffer's size once the first read was not enough
	maxHead   = 16 << 20 // what is read of a head, and the longest token

	// MaxBytes is how much of a page is read. The largest pages that people publish,
	// whole standards and books, have a quarter of it.
	MaxBytes = 64 << 20
	maxIdle  = 1 << 20 // the largest buffer that is kept for the next page
)

// A source is a window on a page's bytes: buf[pos:end] has been read and not
// yet consumed. Offsets into buf hold until the next call of more.
type source struct {
	src      io.Reader
	err      error // what src said last; io.EOF at its end
	buf      []byte
	pos, end int

	gone  int    // bytes that lay before buf[0]
	first []byte // of the bytes that are gone
	col   int    // of them, those on the line of buf[0]

	counted, line, lineAt int // how far at has counted: an offset, the lines before it, and where the last of these begins

	limit int  // reading stops here; 0 is never
	lent  bool // buf is another's, and may not be written to

	doctype  bool // there is one
	includes bool // there is a comment that may be a server-side include
}

// open begins to read src, whose first read asks for n bytes.
func (s *source) open(src io.Reader, n int) {
	if s.lent || len(s.buf) < n || len(s.buf) > maxIdle {
		s.buf = make([]byte, n)
	}
	*s = source{src: src, buf: s.buf, first: s.first[:0]}
	s.read(n)
}

// own makes a copy of what is lent.
func (s *source) own() {
	if s.lent {
		s.buf, s.lent = append(make([]byte, 0, max(firstRead, s.end)), s.buf[:s.end]...), false
		s.buf = s.buf[:cap(s.buf)]
	}
}

// read reads once into buf[end:n].
func (s *source) read(n int) {
	var k int
	k, s.err = io.ReadAtLeast(s.src, s.buf[s.end:n], 1)
	s.end += k
}

// more reads on, keeping buf[pos:end], which moves to the front of buf. It
// reports how far the bytes moved and whether there are new ones. It asks for
// as much again as is waiting, so that looking at a token again after each call
// stays linear in the token's length.
func (s *source) more() (moved int, ok bool) {
	if s.err != nil || s.limit > 0 && s.gone+s.end >= s.limit {
		return 0, false
	}
	had := s.end
	if s.end < firstRead && s.gone == 0 {
		s.read(firstRead) // hold the first bytes, to read them again in another encoding
		return 0, s.end > had
	}
	moved = s.shift()
	if want := max(nextRead, 2*s.end); len(s.buf) < want {
		if s.end >= maxHead {
			return moved, false
		}
		s.buf = append(make([]byte, 0, want), s.buf[:s.end]...)[:want]
	}
	had = s.end
	for want := max(1, 2*s.end); ; {
		s.read(len(s.buf))
		if s.end >= want || s.err != nil {
			return moved, s.end > had
		}
	}
}

// shift drops the consumed bytes and remembers how many lines they held.
func (s *source) shift() int {
	n := s.pos
	s.col = s.at(n).Col - 1
	s.counted, s.lineAt = 0, -s.col
	if s.gone == 0 {
		s.first = append(s.first[:0], s.buf[:min(s.end, firstRead)]...)
	}
	s.gone += n
	copy(s.buf, s.buf[n:s.end])
	s.pos, s.end = 0, s.end-n
	return n
}

var newline = []byte{'\n'}

// at returns the position of buf[i]; of a page that is not in UTF-8, the
// column counts the bytes that the line would have in UTF-8. To ask in the order of
// the page takes time that grows with the page, however often it is.
func (s *source) at(i int) diag.Pos {
	n := bytes.Count(s.buf[min(i, s.counted):max(i, s.counted)], newline)
	if i < s.counted { // an attribute before one of the same tag
		n = -n
	}
	if s.counted = i; n != 0 {
		s.line += n
		if s.lineAt = bytes.LastIndexByte(s.buf[:i], '\n') + 1; s.lineAt == 0 {
			s.lineAt = -s.col
		}
	}
	return diag.Pos{Line: s.line + 1, Col: i - s.lineAt + 1}
}

// need reads on until n bytes wait at pos or there are no more.
func (s *source) need(n int) bool {
	for s.end-s.pos < n {
		if _, ok := s.more(); !ok {
			return false
		}
	}
	return true
}
