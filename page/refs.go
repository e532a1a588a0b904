package page

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
	"slices"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"

	"github.com/sitewalk/sitewalk/internal/diag"
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
	Plain bool   // Value stands so in the page, and has neither space, #, % nor &; false is not known
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

// Plain returns once more the value of a plain address that was found in the page
// at hand.
func (s *Refs) Plain(at, length int) []byte { return s.r.buf[at : at+length] }

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

// marked returns the encoding that a byte order mark tells, nil for UTF-8, and the
// length of the mark.
func marked(src []byte) (enc encoding.Encoding, length int) {
	switch {
	case bytes.HasPrefix(src, []byte("\xef\xbb\xbf")):
		return nil, 3
	case bytes.HasPrefix(src, []byte("\xff\xfe")):
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), 2
	case bytes.HasPrefix(src, []byte("\xfe\xff")):
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), 2
	}
	return nil, 0
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
	for {
		i := near(src, r.pos, '<')
		if i < 0 || i+2 >= len(src) {
			return
		}
		r.pos = i
		switch c := src[r.pos+1]; {
		case is(c, letter):
			s.startTag(src)
		case c == '/' && is(src[r.pos+2], letter):
			s.endTag(src)
		case c == '/' || c == '?':
			r.skipBogus()
		case c == '!':
			r.skipDeclaration()
		default:
			r.pos++
		}
		if s.again != nil {
			s.scan(s.again, true)
			return
		}
	}
}

// A refElement says what of an element is to be read.
type refElement uint8

const (
	refNone refElement = iota
	refHref            // a, area
	refLink
	refImage
	refMedia
	refFrame
	refForm
	refMeta
	refBase
	refRaw
	refTemplate
	refForeign
	refObject
)

func refElementOf(name []byte) refElement {
	switch string(name) {
	case "a", "area":
		return refHref
	case "link":
		return refLink
	case "img", "source":
		return refImage
	case "video", "audio", "track", "embed", "input":
		return refMedia
	case "iframe", "script":
		return refFrame
	case "object":
		return refObject
	case "form":
		return refForm
	case "meta":
		return refMeta
	case "base":
		return refBase
	case "style", "textarea", "title", "noframes", "noembed", "xmp", "plaintext":
		return refRaw
	case "template":
		return refTemplate
	case "svg", "math":
		return refForeign
	}
	return refNone
}

// startTag reads the start tag at pos, or passes one without addresses.
func (s *Refs) startTag(src []byte) {
	r := &s.r
	i := r.pos + 1
	for i < len(src) && classes[src[i]]&tagEnd == 0 {
		i++
	}
	e := refNone
	if name := src[r.pos+1 : i]; len(name) > 1 || name[0]|0x20 == 'a' {
		e = elementIn(name)
	}
	if !s.Anchors && e <= refHref {
		s.anchor(src, i, e)
		return
	}
	if e == refMeta && r.encoded && !s.Anchors {
		if v, end := valueIn(src, i, "http-equiv"); v.lo == 0 {
			r.pos = end
			return
		}
	}
	if !r.readTag(1) {
		return
	}
	if s.Anchors {
		s.anchors(e)
	}
	s.element(e)
}

// elementIn returns the element named in any case.
func elementIn(name []byte) refElement {
	const longest = len("plaintext")
	if len(name) > longest {
		return refNone
	}
	for _, c := range name {
		if is(c, upper) {
			var low [longest]byte
			return refElementOf(appendLower(low[:0], name))
		}
	}
	return refElementOf(name)
}

// anchor reads the rest of a tag whose name ends at src[i] and of which at most the
// href is wanted. Most tags of a page are such.
func (s *Refs) anchor(src []byte, i int, e refElement) {
	r := &s.r
	v, end := valueIn(src, i, "href")
	if r.pos = end; e != refHref || v.lo == 0 {
		return
	}
	if r.encoded && arePlain(src[v.lo:v.hi]) {
		s.found(Ref{Leads, src[v.lo:v.hi], v.lo, true})
		return
	}
	r.tag.has, r.tag.val[attrHref] = 1<<attrHref, v
	s.ref(Leads, attrHref)
}

// Of each byte in a word of eight: its lowest bit, and its highest.
const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// arePlain reports whether no byte of an address, which has one, is below the
// apostrophe, as spaces, #, % and & are. It looks at eight at a time: the borrow of
// a smaller one reaches its highest bit.
func arePlain(b []byte) bool {
	small := func(x uint64) uint64 { return (x - ones*'\'') &^ x & tops }
	n := len(b)
	if n < 8 {
		for _, c := range b {
			if c < '\'' {
				return false
			}
		}
		return n > 0
	}
	any := small(binary.LittleEndian.Uint64(b[n-8:]))
	for ; len(b) > 8; b = b[8:] {
		any |= small(binary.LittleEndian.Uint64(b))
	}
	return any == 0
}

// near is bytes.IndexByte in b from i on, for what is likely to be within a few
// words: most of markup is, and to call what is fast for kilobytes takes longer.
func near(b []byte, i int, c byte) int {
	const words = 4
	for range words {
		if i > len(b)-8 {
			break
		}
		x := binary.LittleEndian.Uint64(b[i:]) ^ ones*uint64(c)
		if m := (x - ones) &^ x & tops; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
		i += 8
	}
	n := bytes.IndexByte(b[i:], c)
	if n < 0 {
		return -1
	}
	return i + n
}

// valueIn returns where the value of an attribute stands in the tag whose name ends
// at b[i], from 0 when it has none, and the offset behind the tag, len(b) when the
// page ends before.
func valueIn(b []byte, i int, attr string) (at span, end int) {
	for uint(i) < uint(len(b)) {
		c := b[i]
		if classes[c]&tagEnd != 0 {
			i++
			if c == '>' {
				return at, i
			}
			continue
		}
		lo := i
		for i++; uint(i) < uint(len(b)) && classes[b[i]]&nameEnd == 0; i++ {
		}
		name := b[lo:i]
		var v span
		if v, i = value(b, i); i < 0 {
			break
		}
		if at.lo == 0 && c|0x20 == attr[0] && fold(name, attr) {
			at = v
		}
	}
	return span{}, len(b)
}

func (s *Refs) endTag(src []byte) {
	r := &s.r
	i := r.pos + 2
	for i < len(src) && classes[src[i]]&tagEnd == 0 {
		i++
	}
	if s.foreign > 0 && elementIn(src[r.pos+2:i]) == refForeign {
		s.foreign--
	}
	_, r.pos = valueIn(src, i, "href")
}

// anchors takes in the names of places that the tag read last gives.
func (s *Refs) anchors(e refElement) {
	r := &s.r
	if r.has(attrID) {
		s.raw(Anchor, attrID)
	}
	if e == refHref && r.has(attrName) && len(r.name()) == 1 {
		s.raw(Anchor, attrName)
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

// element takes in the element whose start tag was read last.
func (s *Refs) element(e refElement) {
	r := &s.r
	switch e {
	case refHref:
		s.ref(Leads, attrHref)
	case refLink:
		s.link()
	case refImage:
		s.ref(Loads, attrSrc)
		s.srcset()
	case refMedia:
		s.ref(Loads, attrSrc)
		s.ref(Loads, attrPoster)
	case refFrame:
		s.ref(Loads, attrSrc)
		s.skip()
	case refObject:
		s.ref(Loads, attrData)
	case refForm:
		if m := r.attr(attrMethod); !fold(m, "post") && !fold(m, "dialog") {
			s.ref(Leads, attrAction)
		}
	case refMeta:
		s.meta()
	case refBase:
		if !s.based && r.has(attrHref) {
			s.based = true
			s.ref(Base, attrHref)
		}
	case refRaw:
		s.skip()
	case refTemplate:
		if s.foreign == 0 {
			r.skipTemplate()
		}
	case refForeign:
		if !r.tag.closed {
			s.foreign++
		}
	}
}

// skip passes the text of an element without markup.
func (s *Refs) skip() {
	if s.foreign == 0 || !s.r.tag.closed {
		s.r.skipRaw(s.r.name())
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
