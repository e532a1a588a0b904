package sitemap

import (
	"cmp"
	"html"
	"slices"
	"strconv"
	"strings"
)

// readField reads a child element of a url or sitemap element into r.item.
func (r *Reader) readField() error {
	if r.xml.space == r.space {
		return r.readOwn()
	}
	if x := inNamespace(r.xml.space); x != nil && (x.notation().root == "" || x.notation().root == r.xml.local) {
		return x.read(r)
	}
	return r.skipUnknown(true)
}

// readOwn reads a child element that the protocol itself defines, such as lastmod.
func (r *Reader) readOwn() error {
	field := slices.Index(ownFields, r.xml.local)
	if field < 0 {
		return r.skipUnknown(true)
	}
	name, line := ownFields[field], r.xml.tokenLine
	text, err := r.text()
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
		u.Loc = r.internLoc(text)
	case "lastmod":
		u.LastMod = r.date(line, name, text)
	case "changefreq":
		u.ChangeFreq = r.changeFreq(line, string(text))
	case "priority":
		u.Priority = r.priority(line, string(text))
	}
	return nil
}

// addPlain sets r.item to an entry with the URL loc and the lastmod date, which may be nil.
func (r *Reader) addPlain(loc, date []byte) {
	r.item.Line, r.item.Col, r.item.Loc = r.xml.tokenLine, r.xml.tokenCol, r.internLoc(loc)
	if date != nil {
		r.item.LastMod = r.date(r.item.Line, "lastmod", date)
	}
}

// internLoc returns text as a string. If the intern function of the caller returns a string,
// internLoc reuses it.
func (r *Reader) internLoc(text []byte) (loc string) {
	if r.intern != nil {
		loc = r.intern(text)
	}
	if loc == "" {
		loc = string(text)
	}
	return loc
}

// date parses text, the date in the element called name. It adds a problem for an invalid date.
func (r *Reader) date(line int, name string, text []byte) Date {
	d, err := ParseDate(string(text), nil)
	if err != nil {
		r.addProblem(line, "bad-date", "write a W3C Datetime", "%s: %v", name, err)
	}
	return d
}

// changeFreq parses the text of a changefreq element. It adds a problem unless the text is one of
// the seven words in lower case.
func (r *Reader) changeFreq(line int, text string) ChangeFreq {
	c, err := ParseChangeFreq(text)
	if err != nil {
		r.addProblem(line, "bad-changefreq", "write it in small letters, or leave it out", "%v", err)
		c, _ = ParseChangeFreq(strings.ToLower(text))
	}
	return c
}

// priority parses the text of a priority element. For an invalid number it adds a problem and
// returns 0.
func (r *Reader) priority(line int, text string) Priority {
	v, ok := parseDecimal(text)
	p, err := PriorityOf(v)
	if !ok || err != nil {
		r.addProblem(line, "bad-priority", "write a number from 0.0 to 1.0, or leave it out",
			"priority %q is not between 0.0 and 1.0", text)
		return 0
	}
	return p
}

// parseDecimal parses a decimal number of XML Schema, which has no exponent.
func parseDecimal(s string) (float64, bool) {
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && strings.Trim(strings.TrimPrefix(s, "+"), "0123456789.") == ""
}

// readDate reads the text of an element as a date.
func (r *Reader) readDate(to *Date) error {
	name, line := r.xml.local, r.xml.tokenLine
	text, err := r.text()
	if err == nil {
		*to = r.date(line, name, text)
	}
	return err
}

// readFeedField reads a child element of an RSS item or an Atom entry. It skips other elements
// without a problem. No element name has different meanings in the two formats.
func (r *Reader) readFeedField() error {
	e, name, markup := &r.item.Entry, r.xml.local, r.xml.attr("type") == "html"
	switch {
	case r.xml.space != r.space && (r.xml.space != NamespaceAtom || name != "updated"):
		return r.skip()
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
	return r.skip()
}

// readGUID reads a guid element of RSS. It is the URL of the item if there is no link.
func (r *Reader) readGUID() error {
	permaLink := r.xml.attr("isPermaLink") != "false"
	text, err := r.text()
	if err == nil && permaLink && r.item.Loc == "" {
		r.item.Loc = string(text)
	}
	return err
}

// readFeedText reads the text of an element into *to. If markup is true, the text is HTML: entities
// are decoded, and a text with tags is dropped.
func (r *Reader) readFeedText(to *string, markup bool) error {
	text, err := r.text()
	if err != nil {
		return err
	}
	*to = string(text)
	if !markup {
		return nil
	}
	if strings.Contains(*to, "<") {
		*to = ""
	}
	*to = strings.TrimSpace(html.UnescapeString(*to))
	return nil
}
