package sitemap

import (
	"cmp"
	"html"
	"slices"
	"strconv"
	"strings"
)

// readEntryChild reads a child element of a url or sitemap element into r.item. It skips an unknown
// element and records it.
func (r *Reader) readEntryChild() error {
	if r.xml.space == r.space {
		return r.readProtocolField()
	}
	x, u := extensionByNamespace(r.xml.space), &r.item.URL
	switch {
	case x == nil || x.root != "" && x.root != r.xml.local:
		return r.skipUnknown()
	case x.space == NamespaceXHTML:
		return r.readAlternate()
	case x.space == NamespaceImage:
		u.Images = append(u.Images, Image{})
		return readElements(r, x.space, imageElements, &u.Images[len(u.Images)-1])
	case x.space == NamespaceVideo:
		u.Videos = append(u.Videos, Video{})
		return readElements(r, x.space, videoElements, &u.Videos[len(u.Videos)-1])
	}
	return r.readNews()
}

// readProtocolField reads a child element in the namespace of the protocol, such as lastmod, into
// r.item.
func (r *Reader) readProtocolField() error {
	field := slices.Index(protocolFields, r.xml.local)
	if field < 0 {
		return r.skipUnknown()
	}
	name, line := protocolFields[field], r.xml.tokenLine
	text, err := r.readText()
	if err != nil {
		return err
	}
	u := &r.item.URL
	switch name {
	case "loc":
		if u.Loc != "" {
			r.addProblem(line, "duplicate-element", "keep one", "an entry has more than one loc")
			return nil
		}
		u.Loc = string(text)
	case "lastmod":
		u.LastMod = r.parseDate(line, name, text)
	case "changefreq":
		u.ChangeFreq = r.parseChangeFreq(line, string(text))
	case "priority":
		u.Priority = r.parsePriority(line, string(text))
	}
	return nil
}

// setPlainItem sets the position, the URL and the date of r.item. date is the text of its lastmod,
// or nil if it has none.
func (r *Reader) setPlainItem(loc, date []byte) {
	r.item.Line, r.item.Col, r.item.Loc = r.xml.tokenLine, r.xml.tokenCol, string(loc)
	if date != nil {
		r.item.LastMod = r.parseDate(r.item.Line, "lastmod", date)
	}
}

// parseDate parses text, the date in the element called name. For an invalid date, it adds a
// problem and returns the zero Date.
func (r *Reader) parseDate(line int, name string, text []byte) Date {
	d, err := ParseDate(string(text), nil)
	if err != nil {
		r.addProblem(line, "bad-date", "write a W3C Datetime", "%s: %v", name, err)
	}
	return d
}

// parseChangeFreq parses the text of a changefreq element, such as "daily". For a word with
// upper-case letters, such as "Daily", it adds a problem and returns the value. For any other
// invalid text, it adds a problem and returns 0.
func (r *Reader) parseChangeFreq(line int, text string) ChangeFreq {
	c, err := ParseChangeFreq(text)
	if err != nil {
		r.addProblem(line, "bad-changefreq", "write it in small letters, or leave it out", "%v", err)
		c, _ = ParseChangeFreq(strings.ToLower(text))
	}
	return c
}

// parsePriority parses the text of a priority element. For an invalid number, it adds a problem and
// returns the zero Priority.
func (r *Reader) parsePriority(line int, text string) Priority {
	v, ok := parseDecimal(text)
	p, err := PriorityOf(v)
	if !ok || err != nil {
		r.addProblem(line, "bad-priority", "write a number from 0.0 to 1.0, or leave it out",
			"priority %q is not between 0.0 and 1.0", text)
		return 0
	}
	return p
}

// parseDecimal parses a decimal number such as "0.8" or "+1". ok is false for any other text, also
// for a number with a minus sign or an exponent.
func parseDecimal(s string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && strings.Trim(strings.TrimPrefix(s, "+"), "0123456789.") == ""
}

// readDate reads the text of the current element, and stores it as a date in *dst. For an invalid
// date, it adds a problem and stores the zero Date.
func (r *Reader) readDate(dst *Date) error {
	name, line := r.xml.local, r.xml.tokenLine
	text, err := r.readText()
	if err == nil {
		*dst = r.parseDate(line, name, text)
	}
	return err
}

// readFeedField reads a child element of an RSS item or an Atom entry into r.item. It skips unknown
// elements, and does not record them. Except for link, an element has the same meaning in both
// formats.
func (r *Reader) readFeedField() error {
	e, name, markup := &r.item.Entry, r.xml.local, r.xml.attr("type") == "html"
	switch {
	case r.xml.space != r.space && (r.xml.space != NamespaceAtom || name != "updated"):
		return r.skipElement()
	case name == "title":
		return r.readFeedText(&e.Title, markup)
	case name == "summary":
		return r.readFeedText(&e.Summary, markup)
	case name == "description":
		return r.readFeedText(&e.Summary, true)
	case name == "link" && r.format == FormatRSS:
		return r.readFeedText(&e.Loc, false)
	case name == "link":
		if rel := r.xml.attr("rel"); rel == "" || rel == "alternate" {
			e.Loc = cmp.Or(e.Loc, strings.TrimSpace(r.xml.attr("href")))
		}
	case name == "guid":
		return r.readGUID()
	case name == "updated", name == "modified": // "modified" is from Atom 0.3
		return r.readDate(&e.LastMod)
	case name == "pubDate", name == "published", name == "issued": // "issued" is from Atom 0.3
		return r.readDate(&e.Published)
	}
	return r.skipElement()
}

// readGUID reads a guid element of RSS. If the item has no URL yet, the guid becomes its URL,
// unless the attribute isPermaLink is "false".
func (r *Reader) readGUID() error {
	permaLink := r.xml.attr("isPermaLink") != "false"
	text, err := r.readText()
	if err == nil && permaLink && r.item.Loc == "" {
		r.item.Loc = string(text)
	}
	return err
}

// readFeedText reads the text of the current element into *dst. If isHTML is true, it decodes
// character references such as &eacute;, and sets *dst to "" if the text contains "<".
func (r *Reader) readFeedText(dst *string, isHTML bool) error {
	text, err := r.readText()
	if err != nil {
		return err
	}
	*dst = string(text)
	if !isHTML {
		return nil
	}
	if strings.Contains(*dst, "<") {
		*dst = ""
	}
	*dst = strings.TrimSpace(html.UnescapeString(*dst))
	return nil
}
