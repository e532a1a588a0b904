package page

import "github.com/sitewalk/sitewalk/diag"

// A HeadKind is the purpose of an element that Heads.Find reports, such as the title.
type HeadKind uint8

// Kinds of elements. Heads.Find reports the kinds HeadHTML, HeadTag and HeadH1 without a value.
const (
	HeadHTML        HeadKind = iota // an html tag
	HeadTag                         // a head tag
	HeadLang                        // the lang attribute of the first html tag whose lang is not empty
	HeadTitle                       // the text of the first title element that has a text
	HeadDescription                 // the content of the first meta description that has a content
	HeadBase                        // the address of a base element
	HeadCanonical                   // the address of a canonical link
	HeadOGURL                       // the content of og:url
	HeadImage                       // the content of og:image or twitter:image
	HeadJSONLD                      // the text of a JSON-LD script, also in the body
	HeadH1                          // an h1 tag
	HeadMarkdown                    // the address of a copy of the page in Markdown
	HeadDescribedBy                 // the address of a link with rel describedby, such as an llms.txt
)

// Heads finds the elements of pages that the HeadKind constants list. It finds JSON-LD and h1
// elements in the whole page, and other elements in the head. The head ends at the first </head>,
// <body> or <h1>. Heads is not safe for concurrent use. The zero Heads is ready to use.
type Heads struct {
	scanner
	visit                                       func(kind HeadKind, value []byte, offset int)
	isInBody, hasTitle, hasLang, hasDescription bool
	foreign                                     int // number of open svg and math elements
}

// Find calls visit for each element of the page src that a HeadKind describes, in the order of the
// page. offset is the position of the start tag in bytes, or the position of the text for
// HeadJSONLD, for use with Pos. value is valid only during the call of visit.
func (h *Heads) Find(src []byte, visit func(kind HeadKind, value []byte, offset int)) {
	src = toUTF8(src)
	h.reset(src, 0)
	*h = Heads{scanner: h.scanner, visit: visit}
	for {
		switch h.nextToken() {
		case tokenStart:
			h.readStartTag()
		case tokenEnd:
			h.readEndTag()
		case tokenCut, tokenNone:
			return
		}
	}
}

// Pos returns the line and the column of the byte at offset, which Find passed to visit. Pos works
// only until the next call of Find.
func (h *Heads) Pos(offset int) diag.Pos { return h.position(offset) }

func (h *Heads) readEndTag() {
	switch string(h.lowerTagName()) {
	case "head":
		h.isInBody = true
	case "svg", "math":
		h.foreign = max(0, h.foreign-1)
	}
}

func (h *Heads) readStartTag() {
	offset, name := h.tag.start, string(h.lowerTagName())
	switch name {
	case "html":
		h.visit(HeadHTML, nil, offset)
		if v := h.attrValue("lang"); len(v) > 0 && !h.hasLang {
			h.hasLang = true
			h.visit(HeadLang, v, offset)
		}
	case "head":
		h.visit(HeadTag, nil, offset)
	case "body":
		h.isInBody = true
	case "h1":
		h.isInBody = true
		h.visit(HeadH1, nil, offset)
	case "svg", "math":
		if !h.tag.closed {
			h.foreign++
		}
	case "script":
		isData := equalFold(h.attrValue("type"), "application/ld+json")
		if text := h.readRawText(name); isData {
			h.visit(HeadJSONLD, h.bytes(text), text.lo)
		}
	case "title":
		h.readTitle(offset)
	case "base":
		if v := h.attrValue("href"); !h.isInBody && len(v) > 0 {
			h.visit(HeadBase, v, offset)
		}
	case "meta":
		h.readMeta(offset)
	case "link":
		h.readLink(offset)
	default:
		h.skipRawElement(name)
	}
}

func (h *Heads) readTitle(offset int) {
	if h.foreign > 0 {
		return
	}
	text := h.readRawText("title")
	h.scratch = appendText(h.scratch[:0], h.bytes(text), false)
	if v := trimSpace(h.scratch); len(v) > 0 && !h.hasTitle && !h.isInBody {
		h.hasTitle = true
		h.visit(HeadTitle, v, offset)
	}
}

func (h *Heads) readMeta(offset int) {
	if h.isInBody || len(h.attrValue("content")) == 0 {
		return
	}
	if !h.hasDescription && equalFold(h.attrValue("name"), "description") {
		h.hasDescription = true
		h.visit(HeadDescription, h.attrValue("content"), offset)
	}
	for _, a := range []string{"property", "name"} {
		switch string(h.toLower(h.attrValue(a))) {
		case "og:url":
			h.visit(HeadOGURL, h.attrValue("content"), offset)
		case "og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src":
			h.visit(HeadImage, h.attrValue("content"), offset)
		}
	}
}

func (h *Heads) readLink(offset int) {
	v := h.attrValue("rel")
	if h.isInBody || len(v) == 0 {
		return
	}
	kind := HeadTag
	for w := range words(v) {
		switch {
		case equalFold(w, "canonical"):
			kind = HeadCanonical
		case equalFold(w, "alternate") && equalFold(h.attrValue("type"), "text/markdown"):
			kind = HeadMarkdown
		case equalFold(w, "describedby"):
			kind = HeadDescribedBy
		}
	}
	if v := h.attrValue("href"); kind != HeadTag && len(v) > 0 {
		h.visit(kind, v, offset)
	}
}
