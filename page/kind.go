package page

import (
	"bytes"
	"encoding/json"
	"net/http"
	"path"
	"regexp"
	"strings"
)

// KindOf says what a file is that is called like a web page and holds something else:
// exports and other tools write feeds and data into index.html, for instance. head is
// what the file begins with. It is "" for HTML, also for a part of a page, and for text.
func KindOf(file string, head []byte) string {
	start := bytes.TrimLeft(bytes.TrimPrefix(head, utf8BOM), "\t\n\f\r ")
	if len(start) == 0 || !IsHTML(file) || hasFold(start, doctype+" html") || hasFold(start, "<html") {
		return ""
	}
	switch start[0] {
	case '<':
		return kindOfMarkup(start)
	case '{', '[':
		if isJSON(start) {
			return "JSON"
		}
	}
	if kind, _, _ := strings.Cut(http.DetectContentType(head), ";"); !strings.HasPrefix(kind, "text/") && kind != "application/octet-stream" {
		return kind
	}
	return ""
}

// IsHTML reports whether a file is called like a web page.
func IsHTML(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".html", ".htm", ".xhtml":
		return true
	}
	return false
}

// firstElement is the first element of a file behind instructions, comments and a doctype.
var firstElement = regexp.MustCompile(`(?i)^(<\?xml\s[^>]*>)?(?:\s|<\?[^>]*>|<!--(?s:.*?)-->|<!doctype[^>[]*(?:\[[^\]]*\])?\s*>)*<([a-z][a-z0-9:_.-]*)`)

// kinds are what elements begin that are the whole of a file.
var kinds = map[string]string{
	"rss": "an RSS feed", "rdf:rdf": "an RSS feed", "feed": "an Atom feed", "svg": "an SVG image",
	"urlset": "a sitemap", "sitemapindex": "a sitemap", "opml": "an OPML list",
}

func kindOfMarkup(start []byte) string {
	m := firstElement.FindSubmatch(start)
	if m == nil {
		return ""
	}
	name := strings.ToLower(string(m[2]))
	switch kind := kinds[name]; {
	case kind != "":
		return kind
	case len(m[1]) > 0 && !htmlElement(name):
		return "XML, with the element " + name
	}
	return ""
}

// htmlElement reports whether an element that XML begins with may be one of a web page.
func htmlElement(name string) bool {
	switch name {
	case "html", "head", "body", "title", "div", "p", "section", "article", "main", "table", "h1", "h2", "h3", "nav", "ul", "ol", "span":
		return true
	}
	return false
}

// isJSON reports whether a text begins as JSON does, which the marks of templates do not.
func isJSON(start []byte) bool {
	if json.Valid(start) {
		return true
	}
	d := json.NewDecoder(bytes.NewReader(start))
	for range 3 {
		if _, err := d.Token(); err != nil {
			return false
		}
	}
	return true
}
