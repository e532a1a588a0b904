package page

import "bytes"

// shape is what the head shows of whether the file is a page at all.
type shape struct {
	document bool // there is a doctype, an html, head, body or title, or what belongs into a head
	cut      bool // the file ends in the middle of a tag or of an element's text
	titled   bool // the title ends
}

// note takes in the name of a tag of the head, or of the one that ends it.
func (s *shape) note(name []byte) {
	switch string(name) {
	case "html", "head", "body", "title", "meta", "link", "base":
		s.document = true
	}
}

// ends reports whether all has been read and consumed.
func (s *source) ends() bool { return s.err != nil && s.pos == s.end }

// unclosed reports whether the file ended within the text of an element.
func (r *Reader) unclosed(name string) bool {
	if !r.ends() {
		return false
	}
	tag := "</" + name + ">"
	return r.end < len(tag) || !fold(r.buf[r.end-len(tag):r.end], tag)
}

// checkShape reports a file that is no whole page, and leaves it out where there
// is nothing that could be indexed.
func (r *Reader) checkShape() {
	if !r.o.Whole || r.f.Skip != Listed {
		return
	}
	start := r.buf[:r.end]
	switch {
	case r.gone == 0 && r.err != nil && len(trim(bytes.TrimPrefix(start, utf8BOM))) == 0:
		r.broken("the file is empty", true)
	case r.gone == 0 && start[0] == 0:
		r.broken("the file begins with NUL bytes", !bytes.ContainsRune(bytes.Trim(start, "\x00"), '<'))
	case r.shape.cut:
		r.broken("the file is cut off in its head", !r.shape.titled)
	case bytes.HasPrefix(start, []byte("%PDF-")): // listed because the user asks for it
	case !r.shape.document && !r.doctype:
		r.partOfPage()
	}
}

var utf8BOM = []byte("\xef\xbb\xbf")

// broken reports what is wrong with the file as a whole.
func (r *Reader) broken(what string, out bool) {
	if out {
		r.f.Skip, r.f.SkipNote = Broken, what
		what += "; the page is left out"
	}
	r.warn(0, "broken-page", "build the site again; was the disk full, or the build stopped?", "%s", []byte(what))
}

// partOfPage reports a part of a page that stands there like one. Without a text of
// its own, or with one that a template engine was to fill in, there is nothing
// to index.
func (r *Reader) partOfPage() {
	text, template := visible(r.buf[r.pos:r.end])
	template = template || bytes.Contains(r.buf[:r.pos], []byte("<?php")) || bytes.Contains(r.buf[:r.pos], []byte("<?="))
	what := "the file has no html, head, body or title"
	if !text || template {
		r.f.Skip, r.f.SkipNote = Broken, what
		what += "; it is left out"
	}
	r.warn(0, "page-fragment", "exclude it, or keep it out of the publish directory", "%s", []byte(what))
}

// visible reports whether markup, as far as it has been read, shows any text or
// picture, and whether the text holds the marks of a template.
func visible(b []byte) (text, template bool) {
	for len(b) > 0 {
		i := bytes.IndexByte(b, '<')
		if i < 0 {
			i = len(b)
		}
		words := trim(b[:i])
		text = text || len(words) > 0
		template = template || bytes.Contains(words, []byte("{{")) || bytes.Contains(words, []byte("{%"))
		b = b[i:]
		if bytes.HasPrefix(b, []byte("<%")) || bytes.HasPrefix(b, []byte("<?php")) {
			return text, true
		}
		text = text || showsMedia(b)
		b = behindMarkup(b)
	}
	return text, template
}

// showsMedia reports whether b begins with an element that is something to see or
// to hear.
func showsMedia(b []byte) bool {
	if len(b) < 2 {
		return false
	}
	name, _, _ := bytes.Cut(b[1:min(len(b), 10)], []byte(" "))
	switch string(bytes.ToLower(bytes.TrimRight(name, ">/"))) {
	case "img", "video", "audio", "iframe", "object", "embed", "picture", "svg":
		return true
	}
	return false
}

// behindMarkup returns what follows a tag, a comment or an element without shown
// text that b begins with.
func behindMarkup(b []byte) []byte {
	end := []byte(">")
	switch lower := bytes.ToLower(b[:min(len(b), len("<script"))]); {
	case bytes.HasPrefix(b, []byte("<!--")):
		end = []byte("-->")
	case bytes.HasPrefix(lower, []byte("<script")):
		end = []byte("</script>")
	case bytes.HasPrefix(lower, []byte("<style")):
		end = []byte("</style>")
	}
	if _, after, ok := bytes.Cut(b, end); ok {
		return after
	}
	return nil
}
