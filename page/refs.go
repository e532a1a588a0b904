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
func (r *Refs) Find(src []byte, found func(Ref)) {
	r.reset(toUTF8(src), 0)
	r.foreign, r.inHTML, r.based, r.found = 0, "", false, found
	for {
		switch r.next() {
		case tokenStart:
			r.readStartTag()
		case tokenEnd:
			r.readEndTag(string(r.element()))
		case tokenCut, tokenNone:
			return
		}
	}
}

// Pos returns the line and the column of the offset at, the value of Ref.At. Call it before the
// next call of Find.
func (r *Refs) Pos(at int) diag.Pos { return r.position(at) }

// isForeign reports whether the scanner is inside SVG or MathML, where style, script and title are
// ordinary elements.
func (r *Refs) isForeign() bool { return r.foreign > 0 && r.inHTML == "" }

func (r *Refs) readEndTag(name string) {
	switch {
	case name == r.inHTML:
		r.inHTML = ""
	case r.isForeign() && (name == "svg" || name == "math"):
		r.foreign--
	}
}

// readStartTag reports the addresses in the last start tag.
func (r *Refs) readStartTag() {
	name := r.element()
	if r.Anchors && r.hasAttr(attrID) {
		r.addRawRef(RefAnchor, attrID)
	}
	if r.Anchors && r.hasAttr(attrName) && string(name) == "a" {
		r.addRawRef(RefAnchor, attrName)
	}
	if r.isForeign() && !r.tag.closed {
		switch string(name) {
		case "title", "desc", "foreignobject":
			r.inHTML = string(name)
			return
		}
	}
	switch string(name) {
	case "a", "area":
		r.addRef(RefLink, attrHref)
	case "link":
		r.readLink()
	case "img", "source":
		r.addRef(RefResource, attrSrc)
		r.readSrcset()
	case "video", "audio", "track", "embed", "input":
		r.addRef(RefResource, attrSrc)
		r.addRef(RefResource, attrPoster)
	case "iframe", "script":
		r.addRef(RefResource, attrSrc)
		r.skipText()
	case "object":
		r.addRef(RefResource, attrData)
	case "form":
		if m := r.attr(attrMethod); !equalFold(m, "post") && !equalFold(m, "dialog") {
			r.addRef(RefLink, attrAction)
		}
	case "meta":
		r.readMeta()
	case "base":
		if !r.based && r.hasAttr(attrHref) {
			r.based = true
			r.addRef(RefBase, attrHref)
		}
	case "style", "textarea", "title", "noframes", "noembed", "xmp", "plaintext":
		r.skipText()
	case "template":
		if !r.isForeign() {
			r.skipTemplate()
		}
	case "svg", "math":
		if !r.tag.closed && r.inHTML == "" {
			r.foreign++
		}
	}
}

// addRawRef reports the value of an attribute, including white space around it.
func (r *Refs) addRawRef(kind RefKind, a attr) {
	r.found(Ref{Kind: kind, Value: r.rawAttr(a), At: r.tag.val[a].lo})
}

// addRef reports the address in an attribute of the last tag, if it has one.
func (r *Refs) addRef(kind RefKind, a attr) {
	if v := r.attr(a); len(v) > 0 {
		r.found(Ref{Kind: kind, Value: v, At: r.tag.val[a].lo})
	}
}

// skipText skips the text of an element such as style or script, which contains no markup. In SVG
// and MathML it does nothing.
func (r *Refs) skipText() {
	if !r.isForeign() {
		r.skipRaw(string(r.element()))
	}
}

func (r *Refs) readLink() {
	if !r.hasAttr(attrRel) {
		return
	}
	kind := RefResource
	for w := range words(r.attr(attrRel)) {
		switch {
		case equalFold(w, "canonical"), r.hasAttr(attrHreflang) && equalFold(w, "alternate"):
			kind = RefPageURL
		case equalFold(w, "preconnect"), equalFold(w, "dns-prefetch"), equalFold(w, "pingback"): // no files
			return
		}
	}
	r.addRef(kind, attrHref)
}

func (r *Refs) readMeta() {
	if equalFold(r.attr(attrHTTPEquiv), "refresh") {
		if _, target, ok := parseRefresh(r.attr(attrContent)); ok && len(target) > 0 {
			r.found(Ref{Kind: RefRefresh, Value: target, At: r.tag.val[attrContent].lo})
		}
	}
}

// readSrcset reports the addresses in the srcset attribute of the last tag.
func (r *Refs) readSrcset() {
	if !r.hasAttr(attrSrcset) {
		return
	}
	at := r.tag.val[attrSrcset].lo
	for src := range srcsetCandidates(r.attr(attrSrcset)) {
		r.found(Ref{Kind: RefResource, Value: src, At: at})
	}
}
