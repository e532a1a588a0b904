package page

import "github.com/sitewalk/sitewalk/diag"

// A RefKind is the purpose of an address in a page.
type RefKind uint8

// Kinds of addresses.
const (
	RefLink     RefKind = iota // people follow the address: a, area, a form with the method get
	RefResource                // the browser loads the address: images, scripts, frames, link elements
	RefBase                    // address of the base element, to which later addresses are relative
	RefAnchor                  // a possible fragment, not an address: an id attribute, or the name attribute of an a
	RefRefresh                 // target of a meta refresh
	RefPageURL                 // address of a canonical link or of a translation
)

// A Ref is an address in a page, or a name that a fragment may refer to.
type Ref struct {
	Kind  RefKind
	Value []byte // decoded value of the attribute; valid only during the call of found
	At    int    // offset of the value in bytes, for Pos
}

// Refs finds the addresses in whole pages. It follows the HTML standard with scripting disabled: it
// reads noscript elements, but ignores templates and the output of scripts. It is not safe for
// concurrent use. The zero Refs is ready to use.
type Refs struct {
	Anchors bool // also report RefAnchor

	scanner
	foreign int    // number of open svg and math elements
	inHTML  string // name of the open SVG element whose content is HTML: title, desc or foreignobject
	found   func(Ref)
	based   bool // a base element was found
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

// Pos returns the line and the column of the offset at, the value of Ref.At. Call it before the
// next call of Find.
func (s *Refs) Pos(at int) diag.Pos { return s.position(at) }

// isForeign reports whether the scanner is inside SVG or MathML, where style, script and title are
// ordinary elements.
func (s *Refs) isForeign() bool { return s.foreign > 0 && s.inHTML == "" }

func (s *Refs) readEndTag(name string) {
	switch {
	case name == s.inHTML:
		s.inHTML = ""
	case s.isForeign() && (name == "svg" || name == "math"):
		s.foreign--
	}
}

// readStartTag reports the addresses in the last start tag.
func (s *Refs) readStartTag() {
	name := s.element()
	if s.Anchors && s.hasAttr(attrID) {
		s.addRawRef(RefAnchor, attrID)
	}
	if s.Anchors && s.hasAttr(attrName) && string(name) == "a" {
		s.addRawRef(RefAnchor, attrName)
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
		if !s.based && s.hasAttr(attrHref) {
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

// addRawRef reports the value of an attribute, including white space around it.
func (s *Refs) addRawRef(kind RefKind, a attr) {
	s.found(Ref{Kind: kind, Value: s.rawAttr(a), At: s.tag.val[a].lo})
}

// addRef reports the address in an attribute of the last tag, if it has one.
func (s *Refs) addRef(kind RefKind, a attr) {
	if v := s.attr(a); len(v) > 0 {
		s.found(Ref{Kind: kind, Value: v, At: s.tag.val[a].lo})
	}
}

// skipText skips the text of an element such as style or script, which contains no markup. In SVG
// and MathML it does nothing.
func (s *Refs) skipText() {
	if !s.isForeign() {
		s.skipRaw(string(s.element()))
	}
}

func (s *Refs) readLink() {
	if !s.hasAttr(attrRel) {
		return
	}
	kind := RefResource
	for w := range words(s.attr(attrRel)) {
		switch {
		case equalFold(w, "canonical"), s.hasAttr(attrHreflang) && equalFold(w, "alternate"):
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

// readSrcset reports the addresses in the srcset attribute of the last tag.
func (s *Refs) readSrcset() {
	if !s.hasAttr(attrSrcset) {
		return
	}
	at := s.tag.val[attrSrcset].lo
	for src := range srcsetCandidates(s.attr(attrSrcset)) {
		s.found(Ref{Kind: RefResource, Value: src, At: at})
	}
}
