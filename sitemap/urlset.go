package sitemap

import (
	"bytes"
	"net/url"
	"strings"
)

// The namespaces of the protocol and of its extensions.
const (
	Namespace      = "http://www.sitemaps.org/schemas/sitemap/0.9"
	NamespaceXHTML = "http://www.w3.org/1999/xhtml"
	NamespaceImage = "http://www.google.com/schemas/sitemap-image/1.1"
	NamespaceVideo = "http://www.google.com/schemas/sitemap-video/1.1"
	NamespaceNews  = "http://www.google.com/schemas/sitemap-news/0.9"
)

// Mark is the comment by which a later run knows the files of an earlier one.
// It names no version and no time, so that equal input gives equal bytes.
const Mark = "<!-- written by sitewalk, https://github.com/sitewalk/sitewalk -->"

// markPrefix is what Marked looks for, so that the rest of Mark may change.
const markPrefix = "<!-- written by sitewalk"

// Marked reports whether head, the first kilobyte of an XML file, carries our
// mark before the document element begins.
func Marked(head []byte) bool {
	i := bytes.Index(head, []byte(markPrefix))
	if i < 0 {
		return false
	}
	for rest := head[:i]; ; {
		_, after, ok := bytes.Cut(rest, []byte("<"))
		if !ok {
			return true
		}
		if len(after) == 0 || after[0] != '?' && after[0] != '!' {
			return false
		}
		rest = after
	}
}

const (
	pagePrefix = "<!-- its page for people: "
	keyPrefix  = "<!-- its key for IndexNow: "
)

// MarkedPage returns the page for people that the head of a file with our mark
// names, or "".
func MarkedPage(head []byte) string { return markValue(head, pagePrefix) }

// MarkedKey returns the key for IndexNow that such a head names, or "".
func MarkedKey(head []byte) string { return markValue(head, keyPrefix) }

// markValue returns what a comment of ours names.
func markValue(head []byte, prefix string) string {
	_, rest, ok := bytes.Cut(head, []byte(prefix))
	name, _, closed := bytes.Cut(rest, []byte(" -->"))
	if !ok || !closed {
		return ""
	}
	plain, err := url.PathUnescape(string(name))
	if err != nil {
		return ""
	}
	return plain
}

// appendMarked appends such a comment, none for "". It may not hold two hyphens in
// a row, nor end in one.
func appendMarked(b []byte, prefix, name string) []byte {
	if name == "" {
		return b
	}
	b = append(b, prefix...)
	b = append(b, strings.ReplaceAll(url.PathEscape(name), "-", "%2D")...)
	return append(b, " -->\n"...)
}

// An Opening says what stands before the first entry of a file.
type Opening struct {
	Stylesheet string     // href of a CSS stylesheet for people; "" for none
	Page       string     // the name of a page for people, by which a later run finds it; "" for none
	Key        string     // the key for IndexNow, by which a later run finds its file; "" for none
	Extensions Extensions // the namespaces to declare, of a url set
}

const xmlDecl = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + Mark + "\n"

// appendProlog appends all that stands before the document element.
func appendProlog(b []byte, o Opening) []byte {
	b = append(b, xmlDecl...)
	b = appendMarked(b, keyPrefix, o.Key)
	b = appendMarked(b, pagePrefix, o.Page)
	if o.Stylesheet == "" {
		return b
	}
	// No escape keeps "?>" from ending the instruction.
	b = append(b, `<?xml-stylesheet type="text/css" href="`...)
	b = appendEscaped(b, strings.ReplaceAll(o.Stylesheet, "?>", "?%3E"))
	return append(b, "\"?>\n"...)
}

// AppendOpen appends the beginning of a url set.
func AppendOpen(b []byte, o Opening) []byte {
	b = appendProlog(b, o)
	b = append(b, `<urlset xmlns="`+Namespace+`"`...)
	b = o.Extensions.appendNamespaces(b)
	return append(b, ">\n"...)
}

// AppendURL appends u as one url element and a line feed. It neither checks
// nor sorts; see [URL.Check] and [CheckLoc].
func AppendURL(b []byte, u *URL) []byte {
	b = append(b, "<url><loc>"...)
	b = appendEscaped(b, u.Loc)
	b = append(b, "</loc>"...)
	b = appendDate(b, "lastmod", u.LastMod)
	if u.ChangeFreq != 0 {
		b = append(b, "<changefreq>"...)
		b = append(b, u.ChangeFreq.String()...)
		b = append(b, "</changefreq>"...)
	}
	if u.Priority != 0 {
		b = append(b, "<priority>"...)
		b = u.Priority.AppendTo(b)
		b = append(b, "</priority>"...)
	}
	if u.Extensions() != 0 {
		b = appendExtensions(b, u)
	}
	return append(b, "</url>\n"...)
}

// appendExtensions appends the foreign elements, which the schema allows after
// the protocol's own only.
func appendExtensions(b []byte, u *URL) []byte {
	for x := range u.extensions() {
		b = x.appendTo(b, u)
	}
	return b
}

// AppendClose appends the end of a url set.
func AppendClose(b []byte) []byte { return append(b, "</urlset>\n"...) }

// appendElement appends <name>text</name>, or nothing when there is no text.
func appendElement(b []byte, name, text string) []byte {
	if text == "" {
		return b
	}
	b = appendTag(b, name)
	b = appendEscaped(b, text)
	return appendEndTag(b, name)
}

// appendDate appends <name>date</name>, or nothing for the zero Date.
func appendDate(b []byte, name string, d Date) []byte { return appendDateAs(b, name, d, Date.AppendTo) }

func appendDateAs(b []byte, name string, d Date, write func(Date, []byte) []byte) []byte {
	if d.IsZero() {
		return b
	}
	b = appendTag(b, name)
	b = write(d, b)
	return appendEndTag(b, name)
}

func appendTag(b []byte, name string) []byte {
	b = append(b, '<')
	b = append(b, name...)
	return append(b, '>')
}

func appendEndTag(b []byte, name string) []byte {
	b = append(b, "</"...)
	b = append(b, name...)
	return append(b, '>')
}

// appendAttr appends a blank and name="value", or nothing when there is no value.
func appendAttr(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	b = append(b, ' ')
	b = append(b, name...)
	b = append(b, `="`...)
	b = appendEscaped(b, value)
	return append(b, '"')
}
