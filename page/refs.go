package page

import (
	"bytes"
	"io"
	"slices"

	"golang.org/x/text/encoding"

	"github.com/sitewalk/sitewalk/diag"
)

// A RefKind says what an address in a page is for.
type RefKind uint8

// The kinds of addresses.
const (
	Leads  RefKind = iota // people follow it: a, area, a form that is sent with get
	Loads                 // the browser fetches it: images, scripts, frames, link elements
	Base                  // the base element, which the addresses behind it are relative to
	Anchor                // no address but the name of a place in the page: id, or the name of an a
	Moves                 // the page leads there itself, by a refresh
)

// A Ref is one address as it stands in a page, or one name of a place.
type Ref struct {
	Kind  RefKind
	Value []byte // character references replaced; valid for the call only
	At    int    // where it stands, for Pos
}

// Refs finds the addresses in whole pages. It follows the HTML standard with
// scripting off: what a noscript element holds counts, what a template holds and
// what scripts make does not. It is for one goroutine; the zero Refs is ready.
type Refs struct {
	Anchors bool // find the names of places, too

	r       Reader
	foreign int // open svg and math elements
	found   func(Ref)
	again   []byte // the page in UTF-8, when it was in another encoding
	based   bool

	counted, line, lineAt int // how far Pos has counted: an offset, the lines before it, and where the last of these begins
}

// Find calls found for each address in the page that src is, in their order. A
// canonical address and those of translations are none: other findings are about
// them.
func (s *Refs) Find(src []byte, found func(Ref)) {
	s.found = found
	if enc, skip := marked(src); enc != nil {
		src = inUTF8(enc, src[skip:])
		s.scan(src, true)
	} else {
		s.scan(src[skip:], skip > 0)
	}
	s.found = nil
}

// Pos returns the line and the column of an address that was found in the page
// read last. To ask in the order in which they are found takes time that grows with
// the page, however many addresses there are.
func (s *Refs) Pos(at int) diag.Pos {
	b := s.r.buf
	switch {
	case at < s.lineAt: // an attribute on an earlier line of the same tag
		s.line -= bytes.Count(b[at:s.lineAt], newline)
		s.counted, s.lineAt = at, bytes.LastIndexByte(b[:at], '\n')+1
	case at > s.counted:
		if n := bytes.Count(b[s.counted:at], newline); n > 0 {
			s.line += n
			s.lineAt = bytes.LastIndexByte(b[:at], '\n') + 1
		}
		s.counted = at
	}
	return diag.Pos{Line: s.line + 1, Col: at - s.lineAt + 1}
}

func inUTF8(enc encoding.Encoding, src []byte) []byte {
	out, _ := enc.NewDecoder().Bytes(src)
	return out
}

// scan reads a page whose encoding is settled, or once more when its meta element
// names another.
func (s *Refs) scan(src []byte, encoded bool) {
	r := &s.r
	r.source = source{buf: src, end: len(src), err: io.EOF}
	r.encoded, s.foreign, s.again, s.based = encoded, 0, nil, false
	s.counted, s.line, s.lineAt = 0, 0, 0
	for s.again == nil {
		switch r.next() {
		case tokenStart:
			s.startTag()
		case tokenEnd:
			if name := r.element(); s.foreign > 0 && (string(name) == "svg" || string(name) == "math") {
				s.foreign--
			}
		case tokenCut, tokenNone:
			return
		}
	}
	s.scan(s.again, true)
}

// startTag takes in the element whose start tag was read last.
func (s *Refs) startTag() {
	r := &s.r
	name := r.element()
	if s.Anchors && r.has(attrID) {
		s.raw(Anchor, attrID)
	}
	if s.Anchors && r.has(attrName) && string(name) == "a" {
		s.raw(Anchor, attrName)
	}
	switch string(name) {
	case "a", "area":
		s.ref(Leads, attrHref)
	case "link":
		s.link()
	case "img", "source":
		s.ref(Loads, attrSrc)
		s.srcset()
	case "video", "audio", "track", "embed", "input":
		s.ref(Loads, attrSrc)
		s.ref(Loads, attrPoster)
	case "iframe", "script":
		s.ref(Loads, attrSrc)
		s.skip()
	case "object":
		s.ref(Loads, attrData)
	case "form":
		if m := r.attr(attrMethod); !fold(m, "post") && !fold(m, "dialog") {
			s.ref(Leads, attrAction)
		}
	case "meta":
		s.meta()
	case "base":
		if !s.based && r.has(attrHref) {
			s.based = true
			s.ref(Base, attrHref)
		}
	case "style", "textarea", "title", "noframes", "noembed", "xmp", "plaintext":
		s.skip()
	case "template":
		if s.foreign == 0 {
			r.skipTemplate()
		}
	case "svg", "math":
		if !r.tag.closed {
			s.foreign++
		}
	}
}

// raw takes in the value of an attribute with the white space around it.
func (s *Refs) raw(kind RefKind, a attr) {
	r := &s.r
	v := r.tag.val[a]
	r.scratch = appendText(r.scratch[:0], r.buf[v.lo:v.hi], true)
	s.found(Ref{Kind: kind, Value: r.scratch, At: v.lo})
}

// ref takes in the address that an attribute holds.
func (s *Refs) ref(kind RefKind, a attr) {
	if v := s.r.attr(a); len(v) > 0 {
		s.found(Ref{Kind: kind, Value: v, At: s.r.tag.val[a].lo})
	}
}

// skip passes the text of an element without markup.
func (s *Refs) skip() {
	if s.foreign == 0 || !s.r.tag.closed {
		s.r.skipRaw(string(s.r.element()))
	}
}

// hints are the relations whose address is no file, or one that other findings are
// about.
var hints = []string{"preconnect", "dns-prefetch", "canonical", "pingback"}

func (s *Refs) link() {
	r := &s.r
	if !r.has(attrRel) {
		return
	}
	rel := r.attr(attrRel)
	for w := range words(rel) {
		if slices.ContainsFunc(hints, func(h string) bool { return fold(w, h) }) || r.has(attrHreflang) && fold(w, "alternate") {
			return
		}
	}
	s.ref(Loads, attrHref)
}

func (s *Refs) meta() {
	r := &s.r
	if !r.encoded {
		s.charset()
		if s.again != nil {
			return
		}
	}
	if !r.has(attrHTTPEquiv) || !fold(r.attr(attrHTTPEquiv), "refresh") {
		return
	}
	if _, target, ok := parseRefresh(r.attr(attrContent)); ok && len(target) > 0 {
		s.found(Ref{Kind: Moves, Value: target, At: r.tag.val[attrContent].lo})
	}
}

// charset settles the encoding as the meta element read last says.
func (s *Refs) charset() {
	r := &s.r
	label := r.attr(attrCharset)
	if fold(r.attr(attrHTTPEquiv), "content-type") {
		label = charsetOf(r.attr(attrContent))
	}
	if len(label) == 0 {
		return
	}
	enc, known := encodingOf(label)
	if r.encoded = known; enc != nil {
		s.again = inUTF8(enc, r.buf[:r.end])
	}
}

// srcset takes in each address of a list of images.
func (s *Refs) srcset() {
	r := &s.r
	if !r.has(attrSrcset) {
		return
	}
	at := r.tag.val[attrSrcset].lo
	for src := range candidates(r.attr(attrSrcset)) {
		s.found(Ref{Kind: Loads, Value: src, At: at})
	}
}
