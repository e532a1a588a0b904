package page

import "github.com/sitewalk/sitewalk/diag"

// A RefKind is the purpose of an address in a page.
type RefKind uint8

// The kinds of addresses.
const (
	RefLink     RefKind = iota // people follow it: a, area, a form with the method get
	RefResource                // the browser loads it: images, scripts, frames, link elements
	RefBase                    // the base element; later addresses are relative to it
	RefAnchor                  // not an address, but the name of a place: an id, or the name of an a
	RefRefresh                 // the target of a meta refresh
	RefPageURL                 // the canonical address of the page, or the address of a translation
)

// A Ref is one address in a page, or the name of a place.
type Ref struct {
	Kind  RefKind
	Value []byte // without character references; valid only during the call
	At    int    // offset of the value, for Pos
}

// Refs finds the addresses in whole pages. It follows the HTML standard with scripting disabled:
// it reads noscript elements, but neither templates nor the output of scripts. It is not safe for
// concurrent use. The zero Refs is ready to use.
type Refs struct {
	Anchors bool // also find the names of places

	scanner
	foreign int    // open svg and math elements
	inHTML  string // an open element of svg whose content is HTML: title, desc, foreignobject
	found   func(Ref)
	based   bool
}

// Find calls found for each address in the page src, in order.
func (s *Refs) Find(src []byte, found func(Ref)) {
	s.reset(toUTF8(src), 0)
	s.foreign, s.inHTML, s.based, s.found = 0, "", false, found
	for {
		switch s.next() {
		case tokenStart:
			s.readStartTag()
		case tokenEnd:
			s.readEndTag(string(s.element()))
		case tokenCut, tokenNone:
			return
		}
	}
}

// Pos returns the line and the column of Ref.At. Call it before the next call of Find.
func (s *Refs) Pos(at int) diag.Pos { return s.position(at) }

// isForeign reports whether style, script and title are ordinary elements here, as in SVG.
func (s *Refs) isForeign() bool { return s.foreign > 0 && s.inHTML == "" }

func (s *Refs) readEndTag(name string) {
	switch {
	case name == s.inHTML:
		s.inHTML = ""
	case s.isForeign() && (name == "svg" || name == "math"):
		s.foreign--
	}
}

// readStartTag finds the addresses in a start tag.
func (s *Refs) readStartTag() {
	name := s.element()
	if s.Anchors && s.has(attrID) {
		s.addRaw(RefAnchor, attrID)
	}
	if s.Anchors && s.has(attrName) && string(name) == "a" {
		s.addRaw(RefAnchor, attrName)
	}
	if s.isForeign() && !s.tag.closed {
		switch string(name) {
		case "title", "desc", "foreignobject":
			s.inHTML = string(name)
			return
		}
	}
	switch string(name) {
	case "a", "area":
		s.addRef(RefLink, attrHref)
	case "link":
		s.readLink()
	case "img", "source":
		s.addRef(RefResource, attrSrc)
		s.readSrcset()
	case "video", "audio", "track", "embed", "input":
		s.addRef(RefResource, attrSrc)
		s.addRef(RefResource, attrPoster)
	case "iframe", "script":
		s.addRef(RefResource, attrSrc)
		s.skipText()
	case "object":
		s.addRef(RefResource, attrData)
	case "form":
		if m := s.attr(attrMethod); !equalFold(m, "post") && !equalFold(m, "dialog") {
			s.addRef(RefLink, attrAction)
		}
	case "meta":
		s.readMeta()
	case "base":
		if !s.based && s.has(attrHref) {
			s.based = true
			s.addRef(RefBase, attrHref)
		}
	case "style", "textarea", "title", "noframes", "noembed", "xmp", "plaintext":
		s.skipText()
	case "template":
		if !s.isForeign() {
			s.skipTemplate()
		}
	case "svg", "math":
		if !s.tag.closed && s.inHTML == "" {
			s.foreign++
		}
	}
}

// addRaw adds the whole value of an attribute, with white space.
func (s *Refs) addRaw(kind RefKind, a attr) {
	s.found(Ref{Kind: kind, Value: s.rawAttr(a), At: s.tag.val[a].lo})
}

// addRef adds the address in an attribute.
func (s *Refs) addRef(kind RefKind, a attr) {
	if v := s.attr(a); len(v) > 0 {
		s.found(Ref{Kind: kind, Value: v, At: s.tag.val[a].lo})
	}
}

// skipText skips the text of an element such as style or script, which contains no markup.
func (s *Refs) skipText() {
	if !s.isForeign() {
		s.skipRaw(string(s.element()))
	}
}

func (s *Refs) readLink() {
	if !s.has(attrRel) {
		return
	}
	kind := RefResource
	for w := range words(s.attr(attrRel)) {
		switch {
		case equalFold(w, "canonical"), s.has(attrHreflang) && equalFold(w, "alternate"):
			kind = RefPageURL
		case equalFold(w, "preconnect"), equalFold(w, "dns-prefetch"), equalFold(w, "pingback"): // no files
			return
		}
	}
	s.addRef(kind, attrHref)
}

func (s *Refs) readMeta() {
	if equalFold(s.attr(attrHTTPEquiv), "refresh") {
		if _, target, ok := parseRefresh(s.attr(attrContent)); ok && len(target) > 0 {
			s.found(Ref{Kind: RefRefresh, Value: target, At: s.tag.val[attrContent].lo})
		}
	}
}

// readSrcset finds the addresses in a list of images.
func (s *Refs) readSrcset() {
	if !s.has(attrSrcset) {
		return
	}
	at := s.tag.val[attrSrcset].lo
	for src := range candidates(s.attr(attrSrcset)) {
		s.found(Ref{Kind: RefResource, Value: src, At: at})
	}
}
