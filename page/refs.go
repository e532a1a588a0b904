package page

import (
	"slices"

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
	Names                 // the page says that it or a translation of it is there
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
	foreign int    // open svg and math elements
	inHTML  string // an open element of svg whose content is HTML: title, desc, foreignobject
	found   func(Ref)
	based   bool
}

// Find calls found for each address in the page that src is, in their order.
func (s *Refs) Find(src []byte, found func(Ref)) {
	s.found = found
	s.r.lend(src)
	for s.scan(); s.r.again; {
		s.scan()
	}
	s.found, s.r.source = nil, source{}
}

// Pos returns the line and the column of an address while it is being found. To ask in
// the order in which they are found takes time that grows with the page, however many
// addresses there are.
func (s *Refs) Pos(at int) diag.Pos { return s.r.at(at) }

// scan reads the page to its end, or to where its encoding turns out to be another one.
func (s *Refs) scan() {
	r := &s.r
	r.again, s.foreign, s.inHTML, s.based = false, 0, "", false
	for !r.again {
		switch r.next() {
		case tokenStart:
			s.startTag()
		case tokenEnd:
			s.endTag(string(r.element()))
		case tokenCut, tokenNone:
			return
		}
	}
}

// isForeign reports whether style, script and title are ordinary elements, as in SVG.
func (s *Refs) isForeign() bool { return s.foreign > 0 && s.inHTML == "" }

func (s *Refs) endTag(name string) {
	switch {
	case name == s.inHTML:
		s.inHTML = ""
	case s.isForeign() && (name == "svg" || name == "math"):
		s.foreign--
	}
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
	if s.isForeign() && !r.tag.closed {
		switch string(name) {
		case "title", "desc", "foreignobject":
			s.inHTML = string(name)
			return
		}
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
		if !s.isForeign() {
			r.skipTemplate()
		}
	case "svg", "math":
		if !r.tag.closed && s.inHTML == "" {
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
	if !s.isForeign() {
		s.r.skipRaw(string(s.r.element()))
	}
}

// hints are the relations whose address is no file.
var hints = []string{"preconnect", "dns-prefetch", "pingback"}

func (s *Refs) link() {
	r := &s.r
	if !r.has(attrRel) {
		return
	}
	kind := Loads
	for w := range words(r.attr(attrRel)) {
		switch {
		case fold(w, "canonical"), r.has(attrHreflang) && fold(w, "alternate"):
			kind = Names
		case slices.ContainsFunc(hints, func(h string) bool { return fold(w, h) }):
			return
		}
	}
	s.ref(kind, attrHref)
}

func (s *Refs) meta() {
	r := &s.r
	if fold(r.attr(attrHTTPEquiv), "refresh") {
		if _, target, ok := parseRefresh(r.attr(attrContent)); ok && len(target) > 0 {
			s.found(Ref{Kind: Moves, Value: target, At: r.tag.val[attrContent].lo})
		}
	}
	r.charset()
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
