package page

import (
	"bytes"
	"regexp"

	"github.com/sitewalk/sitewalk/diag"
)

// maxReference is an upper bound for the length, in bytes, of a named character reference.
const maxReference = 64

// readHead reads the page up to the beginning of its body. The body begins at text, at an element
// that is not allowed in a head, or at an end tag such as </body>. As in a browser with scripting
// enabled, the content of a noscript element in the head is not parsed as HTML. If a meta element
// names another encoding than UTF-8, readHead stops after this element.
func (r *Reader) readHead() {
	for inHead := true; inHead && r.encoding == nil; {
		switch r.nextToken() {
		case tokenText:
			inHead = r.skipLeadingSpace()
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
	r.isHeadComplete = r.isComplete || r.pos+maxReference < len(r.buf)
}

// skipLeadingSpace skips white space, also in the form of character references, at the beginning of
// the last text token. It returns true if the whole token is white space. Otherwise it moves r.pos
// to the first other character.
func (r *Reader) skipLeadingSpace() (onlySpace bool) {
	for i := r.text.lo; i < r.text.hi; {
		n := 1
		switch c := r.buf[i]; {
		case c == '&':
			r.scratch, n = appendEntity(r.scratch[:0], r.buf[i:r.text.hi], false)
			if len(trimSpace(r.scratch)) > 0 {
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

// readHeadTag handles a start tag in the head, and returns true. It returns false if the tag begins
// the body.
func (r *Reader) readHeadTag() (inHead bool) {
	name := r.lowerTagName()
	r.shape.recordDocumentTag(name)
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
		r.shape.isCut = r.endsInsideText(r.readRawText("style"))
	case "noscript":
		if r.isAfterHead {
			return false
		}
		if text := r.readRawText("noscript"); onlyRefresh.Match(r.bytes(text)) {
			r.noscript = text
		}
	case "noframes", "template":
		r.skipRawElement(string(name))
	case "head", "basefont", "bgsound":
	default:
		return false
	}
	return true
}

// readHeadEndTag handles an end tag in the head, and returns true. It returns false if the tag
// begins the body.
func (r *Reader) readHeadEndTag() (inHead bool) {
	name := r.lowerTagName()
	r.shape.recordDocumentTag(name)
	switch string(name) {
	case "body", "br", "html":
		return false
	case "head":
		r.isAfterHead = true
	}
	return true
}

// A shape contains evidence for whether a file is a whole page.
type shape struct {
	isDocument bool // the head has an html, head, title, meta, link or base tag, or JSON-LD; or a body tag follows
	isCut      bool // the file ends inside a start tag of the head, or inside the text of a title, script or style
	hasTitle   bool // the file has a complete title element
}

// recordDocumentTag sets s.isDocument if name is html, head or body, or an element of the head that
// shows that the file is not a part of a page, such as title.
func (s *shape) recordDocumentTag(name []byte) {
	switch string(name) {
	case "html", "head", "body", "title", "meta", "link", "base":
		s.isDocument = true
	}
}

// endsInsideText reports whether the file ends inside the text of an element such as title, whose
// end tag is then missing. text is the range of this text. The result is false if only the
// beginning of the file was read.
func (r *Reader) endsInsideText(text span) bool { return r.isComplete && text.hi == len(r.buf) }

// checkCompleteness checks whether the file is a whole page. It adds Broken to Facts.Skips for a
// damaged file, and Fragment for a part of a page. For a damaged file that has a title or other
// content, it adds a finding instead.
//
// It also reads the server-side includes in the buffer. A file with includes is not a Fragment,
// because the included files may contain its html, head and body.
func (r *Reader) checkCompleteness() {
	isPart := !r.shape.isDocument && !r.hasDoctype
	if bytes.Contains(r.buf, []byte("!--#")) { // without "<", which is frequent in HTML and so makes the search slow
		r.readIncludes()
	}
	switch {
	case r.isComplete && len(trimSpace(bytes.TrimPrefix(r.buf, utf8BOM))) == 0:
		r.reportDamagedFile("the file is empty", true)
	case r.buf[0] == 0:
		r.reportDamagedFile("the file begins with NUL bytes", !bytes.ContainsRune(bytes.Trim(r.FirstBytes(), "\x00"), '<'))
	case r.shape.isCut:
		r.reportDamagedFile("the file is cut off in its head", !r.shape.hasTitle)
	case bytes.HasPrefix(r.buf, []byte("%PDF-")): // pages.include selects the PDF file
	case isPart && len(r.f.Includes) == 0 && !documentTag.Match(r.FirstBytes()): // with includes, the server adds the rest
		r.f.Skips.Add(Fragment, diag.Pos{}, "the file has no html, head, body or title")
	}
}

// documentTag matches a tag of a whole page. Browsers accept text before it, such as a message of
// the program that wrote the page.
var documentTag = regexp.MustCompile(`(?i)<(!doctype|html|head|body)[\s>]`)

// reportDamagedFile reports a damaged file. problem describes the damage, such as "the file is
// empty". If isLeftOut is true, reportDamagedFile adds Broken to Facts.Skips, and package site
// reports all such pages in one finding. Otherwise, reportDamagedFile adds a finding about this
// page.
func (r *Reader) reportDamagedFile(problem string, isLeftOut bool) {
	if isLeftOut {
		r.f.Skips.Add(Broken, diag.Pos{}, problem)
		return
	}
	r.addWarning(0, "broken-page", "build the site again; was the disk full, or the build stopped?", "%s", problem)
}

// includeDirective matches a server-side include, such as <!--#include virtual="/nav.html" -->. In
// nginx, a space may precede the word include.
// See https://httpd.apache.org/docs/2.4/mod/mod_include.html#element.include and
// https://nginx.org/en/docs/http/ngx_http_ssi_module.html
var includeDirective = regexp.MustCompile(`(?i)<!--# ?include\s+(virtual|file)\s*=\s*["']?([^"'\s>]+)`)

// readIncludes adds the targets of all server-side includes in the buffer to Facts.Includes.
func (r *Reader) readIncludes() {
	for _, m := range includeDirective.FindAllSubmatch(r.buf, -1) {
		name := string(m[2])
		if len(m[1]) == len("file") {
			name = "file:" + name
		}
		r.f.Includes = append(r.f.Includes, name)
	}
}
