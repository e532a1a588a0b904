package page

import (
	"bytes"
	"regexp"

	"github.com/sitewalk/sitewalk/diag"
)

// maxReference is an upper bound for the length in bytes of a character reference such as &amp;.
const maxReference = 64

// readHead reads the page up to the beginning of its body: an element that is not allowed in a
// head, text, or the end tag of body or html. It follows the tree construction of the HTML standard
// with scripting enabled, so the content of a noscript element is text.
func (r *Reader) readHead() {
	for inHead := true; inHead && r.encoding == nil; {
		switch r.next() {
		case tokenText:
			inHead = r.skipSpace()
		case tokenStart:
			if inHead = r.readHeadTag(); !inHead {
				r.pos = r.tag.start
			}
		case tokenEnd:
			if inHead = r.readHeadEndTag(); !inHead {
				r.pos = r.tag.start
			}
		case tokenCut:
			r.shape.isCut = r.isComplete
			return
		case tokenNone:
			return
		}
	}
	r.hasHead = r.isComplete || r.pos+maxReference < len(r.buf)
}

// skipSpace skips white space at the beginning of the last text token, including character
// references for white space. It reports whether the token contains nothing else. Otherwise it sets
// r.pos to the rest.
func (r *Reader) skipSpace() bool {
	for i := r.text.lo; i < r.text.hi; {
		n := 1
		switch c := r.buf[i]; {
		case c == '&':
			r.scratch, n = appendEntity(r.scratch[:0], r.buf[i:r.text.hi], false)
			if len(trim(r.scratch)) > 0 {
				r.pos = i
				return false
			}
		case !hasClass(c, space):
			r.pos = i
			return false
		}
		i += n
	}
	return true
}

// readHeadTag handles a start tag in the head. It returns false if the tag begins the body.
func (r *Reader) readHeadTag() bool {
	name := r.element()
	r.shape.addTag(name)
	switch string(name) {
	case "html":
		r.readLang()
	case "base":
		r.readBase()
	case "link":
		r.readLink()
	case "meta":
		r.readMeta()
	case "title":
		r.readTitle()
	case "script":
		r.readScript()
	case "style":
		r.shape.isCut = r.isUnclosed(r.rawText("style"))
	case "noscript":
		if r.isAfterHead {
			return false
		}
		if text := r.rawText("noscript"); onlyRefresh.Match(r.bytes(text)) {
			r.noscript = text
		}
	case "noframes", "template":
		r.skipRaw(string(name))
	case "head", "basefont", "bgsound":
	default:
		return false
	}
	return true
}

// readHeadEndTag handles an end tag in the head. It returns false if the tag begins the body.
func (r *Reader) readHeadEndTag() bool {
	name := r.element()
	r.shape.addTag(name)
	switch string(name) {
	case "body", "br", "html":
		return false
	case "head":
		r.isAfterHead = true
	}
	return true
}

// A shape contains evidence whether a file is a whole page.
type shape struct {
	isDocument bool // it has an html, head, body, title, meta, link or base tag, or JSON-LD
	isCut      bool // it ends inside a tag of the head, or inside the text of an element such as title
	hasTitle   bool // it has a complete title element
}

func (s *shape) addTag(name []byte) {
	switch string(name) {
	case "html", "head", "body", "title", "meta", "link", "base":
		s.isDocument = true
	}
}

// isUnclosed reports whether the page ends inside text, the text of an element such as title, so
// the end tag is missing.
func (r *Reader) isUnclosed(text span) bool { return r.isComplete && text.hi == len(r.buf) }

// checkShape adds Broken or Fragment to Facts.Skips for a file that is not a whole page. It also
// reads server-side includes, which may complete the page.
func (r *Reader) checkShape() {
	isPart := !r.shape.isDocument && !r.hasDoctype
	if r.hasInclude || isPart {
		r.readIncludes()
	}
	switch {
	case r.isComplete && len(trim(bytes.TrimPrefix(r.buf, utf8BOM))) == 0:
		r.reportBroken("the file is empty", true)
	case r.buf[0] == 0:
		r.reportBroken("the file begins with NUL bytes", !bytes.ContainsRune(bytes.Trim(r.Head(), "\x00"), '<'))
	case r.shape.isCut:
		r.reportBroken("the file is cut off in its head", !r.shape.hasTitle)
	case bytes.HasPrefix(r.buf, []byte("%PDF-")): // pages.include selects the PDF file
	case isPart && len(r.f.Includes) == 0: // with includes, the server adds the rest
		r.f.Skips.Add(Fragment, diag.Pos{}, "the file has no html, head, body or title")
	}
}

// reportBroken records a damaged file. If isLeftOut is set, the page is left out, and package site
// reports all such pages with one finding. Otherwise reportBroken adds a finding.
func (r *Reader) reportBroken(problem string, isLeftOut bool) {
	if isLeftOut {
		r.f.Skips.Add(Broken, diag.Pos{}, problem)
		return
	}
	r.warn(0, "broken-page", "build the site again; was the disk full, or the build stopped?", "%s", problem)
}

// directive matches a server-side include directive. A page may consist of a single one.
// See https://httpd.apache.org/docs/2.4/mod/mod_include.html#element.include
var directive = regexp.MustCompile(`(?i)<!--#include\s+(virtual|file)\s*=\s*["']?([^"'\s>]+)`)

// readIncludes adds the targets of server-side includes, in the bytes read so far, to
// Facts.Includes.
func (r *Reader) readIncludes() {
	for _, m := range directive.FindAllSubmatch(r.buf, -1) {
		name := string(m[2])
		if len(m[1]) == len("file") {
			name = "file:" + name
		}
		r.f.Includes = append(r.f.Includes, name)
	}
}
