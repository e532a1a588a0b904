package page

import "github.com/sitewalk/sitewalk/diag"

// A RefKind describes how a page uses a Ref, for example as a link.
type RefKind uint8

// The kinds of a Ref.
const (
	RefLink     RefKind = iota // people follow the address: a, area, a form with the method get
	RefResource                // the browser loads the address: images, scripts, frames, link elements
	RefBase                    // address of the base element, to which later addresses are relative
	RefAnchor                  // a possible fragment, not an address: an id attribute, or the name attribute of an a
	RefRefresh                 // target of a meta refresh
	RefPageURL                 // address of a canonical link or of a translation
)

// A Ref is an address in a page, or a name to which a fragment may refer.
type Ref struct {
	Kind  RefKind
	Value []byte // decoded value of the attribute; valid only during the call of visit
	At    int    // offset in bytes of the attribute value that contains the address, for Pos
}

// Refs finds the addresses in whole pages. It follows the HTML standard for browsers without
// scripting: it reads noscript elements, and ignores templates and the output of scripts. It is not
// safe for concurrent use. The zero Refs is ready to use.
type Refs struct {
	Anchors bool // also report RefAnchor

	scanner
	foreign int    // number of open svg and math elements
	inHTML  string // name of the open SVG element whose content is HTML: title, desc or foreignobject
	visit   func(Ref)
	hasBase bool // a base element was found
}

// Find calls visit for each address in the page src, in the order of the page. If r.Anchors is
// true, Find also calls visit for each id, and for the name of each a element.
func (r *Refs) Find(src []byte, visit func(Ref)) {
	r.reset(toUTF8(src), 0)
	r.foreign, r.inHTML, r.hasBase, r.visit = 0, "", false, visit
	for {
		switch r.nextToken() {
		case tokenStart:
			r.readStartTag()
		case tokenEnd:
			r.readEndTag(string(r.lowerTagName()))
		case tokenCut, tokenNone:
			return
		}
	}
}

// Pos returns the line and the column of the byte at offset, which is the value of Ref.At. Pos
// works only until the next call of Find.
func (r *Refs) Pos(offset int) diag.Pos { return r.position(offset) }

// isInForeignContent reports whether the current position is inside SVG or MathML. There, style,
// script and title are ordinary elements, and their text may contain tags. The result is false
// inside the SVG elements title, desc and foreignObject, because their content is HTML.
func (r *Refs) isInForeignContent() bool { return r.foreign > 0 && r.inHTML == "" }

func (r *Refs) readEndTag(name string) {
	switch {
	case name == r.inHTML:
		r.inHTML = ""
	case r.isInForeignContent() && (name == "svg" || name == "math"):
		r.foreign--
	}
}

// readStartTag calls visit with each address in the last start tag.
func (r *Refs) readStartTag() {
	name := r.lowerTagName()
	if r.Anchors && r.hasAttr("id") {
		r.visitRawAttr(RefAnchor, "id")
	}
	if r.Anchors && r.hasAttr("name") && string(name) == "a" {
		r.visitRawAttr(RefAnchor, "name")
	}
	if r.isInForeignContent() && !r.tag.closed {
		switch string(name) {
		case "title", "desc", "foreignobject":
			r.inHTML = string(name)
			return
		}
	}
	switch string(name) {
	case "a", "area":
		r.visitAttr(RefLink, "href")
	case "link":
		r.readLink()
	case "img", "source":
		r.visitAttr(RefResource, "src")
		r.readSrcset()
	case "video", "audio", "track", "embed", "input", "frame":
		r.visitAttr(RefResource, "src")
		r.visitAttr(RefResource, "poster")
	case "iframe", "script":
		r.visitAttr(RefResource, "src")
		r.skipRawText()
	case "object":
		r.visitAttr(RefResource, "data")
	case "form":
		if m := r.attrValue("method"); !equalFold(m, "post") && !equalFold(m, "dialog") {
			r.visitAttr(RefLink, "action")
		}
	case "meta":
		r.readMetaRefresh()
	case "base":
		if !r.hasBase && r.hasAttr("href") {
			r.hasBase = true
			r.visitAttr(RefBase, "href")
		}
	case "style", "textarea", "title", "noframes", "noembed", "xmp", "plaintext":
		r.skipRawText()
	case "template":
		if !r.isInForeignContent() {
			r.skipTemplate()
		}
	case "svg", "math":
		if !r.tag.closed && r.inHTML == "" {
			r.foreign++
		}
	}
}

// visitRawAttr calls visit with the value of the attribute attr of the last tag. It does not trim
// white space, which is significant in an id.
func (r *Refs) visitRawAttr(kind RefKind, attr string) {
	at, _ := r.findAttr(attr)
	r.visit(Ref{Kind: kind, Value: r.untrimmedAttrValue(attr), At: at.lo})
}

// visitAttr calls visit with the address in the attribute attr of the last tag, if the address is
// not empty.
func (r *Refs) visitAttr(kind RefKind, attr string) {
	if v := r.attrValue(attr); len(v) > 0 {
		at, _ := r.findAttr(attr)
		r.visit(Ref{Kind: kind, Value: v, At: at.lo})
	}
}

// skipRawText skips the text of an element such as style or script, which contains no tags. In SVG
// and MathML, it does nothing.
func (r *Refs) skipRawText() {
	if !r.isInForeignContent() {
		r.skipRawElement(string(r.lowerTagName()))
	}
}

func (r *Refs) readLink() {
	if !r.hasAttr("rel") {
		return
	}
	kind := RefResource
	for w := range words(r.attrValue("rel")) {
		switch {
		case equalFold(w, "canonical"), r.hasAttr("hreflang") && equalFold(w, "alternate"):
			kind = RefPageURL
		case equalFold(w, "preconnect"), equalFold(w, "dns-prefetch"), equalFold(w, "pingback"): // no files
			return
		}
	}
	r.visitAttr(kind, "href")
}

// readMetaRefresh calls visit with the target of a meta refresh. It ignores other meta elements.
func (r *Refs) readMetaRefresh() {
	if equalFold(r.attrValue("http-equiv"), "refresh") {
		if _, target, ok := parseRefresh(r.attrValue("content")); ok && len(target) > 0 {
			at, _ := r.findAttr("content")
			r.visit(Ref{Kind: RefRefresh, Value: target, At: at.lo})
		}
	}
}

// readSrcset calls visit with each address in the srcset attribute of the last tag.
func (r *Refs) readSrcset() {
	at, _ := r.findAttr("srcset")
	for src := range srcsetCandidates(r.attrValue("srcset")) {
		r.visit(Ref{Kind: RefResource, Value: src, At: at.lo})
	}
}
