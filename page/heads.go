package page

import (
	"bytes"

	"github.com/sitewalk/sitewalk/diag"
)

// A HeadKind is the purpose of a part of a page's head.
type HeadKind uint8

// The parts of heads. HeadHTML and HeadTag are tags without a value.
const (
	HeadHTML        HeadKind = iota // the html tag
	HeadTag                         // the head tag
	HeadLang                        // the language of the html element
	HeadTitle                       // the text of the first title element
	HeadDescription                 // the description for search engines
	HeadBase                        // the address in the base element
	HeadCanonical                   // the address in a canonical link
	HeadURL                         // og:url
	HeadImage                       // og:image or twitter:image
	HeadData                        // the text of a JSON-LD script, in the body too
	HeadH1                          // a heading of level 1, in the body
	HeadCopy                        // the address of a copy in Markdown
	HeadDescribedBy                 // the address of a description, such as an llms.txt
)

// Heads finds the parts of pages' heads, JSON-LD and headings of level 1. It follows the HTML
// standard. It is not safe for concurrent use. The zero Heads is ready to use.
type Heads struct {
	scanner
	found                                       func(kind HeadKind, value []byte, at int)
	isInBody, hasTitle, hasLang, hasDescription bool
	foreign                                     int // open svg and math elements
}

// Find calls found for each part of the page src, in order. at is the offset of the part. value
// is valid for the call only. Find does not read the body behind the last heading or script that
// may be a part.
func (h *Heads) Find(src []byte, found func(kind HeadKind, value []byte, at int)) {
	src = toUTF8(src)
	h.reset(src, 0)
	*h = Heads{scanner: h.scanner, found: found}
	for !h.isInBody && h.readToken() {
	}
	body := src[h.pos:]
	last := h.pos + max(lastFold(body, "<h1", 2), lastFold(body, "ld+json", 2))
	for h.pos <= last && h.readToken() {
	}
}

// readToken reads the next token. It returns false at the end of the page.
func (h *Heads) readToken() bool {
	switch h.next() {
	case tokenStart:
		h.readStartTag()
	case tokenEnd:
		h.readEndTag()
	case tokenCut, tokenNone:
		return false
	}
	return true
}

// lastFold returns the offset of the last occurrence of name in any case, or -1. The byte
// name[at] is neither a letter nor frequent.
func lastFold(b []byte, name string, at int) int {
	last := -1
	for from := 0; ; {
		n := bytes.IndexByte(b[from:], name[at])
		if n < 0 {
			return last
		}
		if start := from + n - at; start >= 0 && hasPrefixFold(b[start:], name) {
			last = start
		}
		from += n + 1
	}
}

// Pos returns the line and the column of an offset. Call it before the next call of Find.
func (h *Heads) Pos(at int) diag.Pos { return h.position(at) }

func (h *Heads) readEndTag() {
	switch string(h.element()) {
	case "head":
		h.isInBody = true
	case "svg", "math":
		h.foreign = max(0, h.foreign-1)
	}
}

func (h *Heads) readStartTag() {
	at, name := h.tag.start, string(h.element())
	switch name {
	case "html":
		h.found(HeadHTML, nil, at)
		if v := h.attr(attrLang); len(v) > 0 && !h.hasLang {
			h.hasLang = true
			h.found(HeadLang, v, at)
		}
	case "head":
		h.found(HeadTag, nil, at)
	case "body":
		h.isInBody = true
	case "h1":
		h.isInBody = true
		h.found(HeadH1, nil, at)
	case "svg", "math":
		if !h.tag.closed {
			h.foreign++
		}
	case "script":
		isData := equalFold(h.attr(attrType), "application/ld+json")
		if text := h.rawText(name); isData {
			h.found(HeadData, h.bytes(text), text.lo)
		}
	case "title":
		h.readTitle(at)
	case "base":
		if v := h.attr(attrHref); !h.isInBody && len(v) > 0 {
			h.found(HeadBase, v, at)
		}
	case "meta":
		h.readMeta(at)
	case "link":
		h.readLink(at)
	default:
		h.skipRaw(name)
	}
}

func (h *Heads) readTitle(at int) {
	if h.foreign > 0 {
		return
	}
	text := h.rawText("title")
	h.scratch = appendText(h.scratch[:0], h.bytes(text), false)
	if v := trim(h.scratch); len(v) > 0 && !h.hasTitle && !h.isInBody {
		h.hasTitle = true
		h.found(HeadTitle, v, at)
	}
}

func (h *Heads) readMeta(at int) {
	if h.isInBody || len(h.attr(attrContent)) == 0 {
		return
	}
	if !h.hasDescription && equalFold(h.attr(attrName), "description") {
		h.hasDescription = true
		h.found(HeadDescription, h.attr(attrContent), at)
	}
	for _, a := range []attr{attrProperty, attrName} {
		switch string(h.inLower(h.attr(a))) {
		case "og:url":
			h.found(HeadURL, h.attr(attrContent), at)
		case "og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src":
			h.found(HeadImage, h.attr(attrContent), at)
		}
	}
}

func (h *Heads) readLink(at int) {
	v := h.attr(attrRel)
	if h.isInBody || len(v) == 0 {
		return
	}
	kind := HeadTag
	for w := range words(v) {
		switch {
		case equalFold(w, "canonical"):
			kind = HeadCanonical
		case equalFold(w, "alternate") && equalFold(h.attr(attrType), "text/markdown"):
			kind = HeadCopy
		case equalFold(w, "describedby"):
			kind = HeadDescribedBy
		}
	}
	if v := h.attr(attrHref); kind != HeadTag && len(v) > 0 {
		h.found(kind, v, at)
	}
}
