package sitemap

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// ownFields are the protocol's own elements of a url.
var ownFields = []string{"loc", "lastmod", "changefreq", "priority"}

// shortestLoc is how many characters the schema wants of a loc.
const shortestLoc = 12

const schemaHint = "crawlers read on; write what the protocol's schema allows"

// root judges the document element whose start tag was read: by the schema it holds
// elements of other namespaces, and then entries.
// https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd and siteindex.xsd
func (j *Judge) root() error {
	name := string(j.xml.local)
	if j.space != Namespace {
		j.fault(j.xml.tokenLine, j.xml.tokenCol, "wrong-namespace", `write xmlns="`+Namespace+`"`,
			"the %v is in the namespace %q, so crawlers do not read it", j.Format, j.space)
	}
	j.attributes(name)
	foreign := false // an element of another namespace stands behind an entry
	err := j.children(name, func() error {
		x := j.xml
		switch {
		case x.space == j.space && string(x.local) == j.doc.entry:
			err := j.entry()
			for err == nil && j.Format == FormatURLSet && j.plain() {
			}
			return err
		case x.space == j.space:
			j.offSchema("<%s> is not an element of a %v", x.local, j.Format)
		case j.Entries > 0 && !foreign:
			foreign = true
			j.offSchema("<%s> stands behind the first <%s>, and elements of other namespaces only before it", x.local, j.doc.entry)
		}
		return j.skip()
	})
	if err != nil {
		return err
	}
	if j.Entries == 0 {
		j.offSchema("the %v has no <%s>", j.Format, j.doc.entry)
	}
	return j.rest()
}

// offSchema reports, at the present token, what the schema does not allow and
// crawlers read past.
func (j *Judge) offSchema(format string, args ...any) {
	j.doubt(j.xml.tokenLine, j.xml.tokenCol, "off-schema", schemaHint, format, args...)
}

// attributes reports those of the present start tag that the schema does not
// know: namespaces and those of schema instances are no matter of it.
func (j *Judge) attributes(name string) {
	for _, a := range j.xml.attrs {
		if n := string(a.name); n != "xmlns" && !strings.HasPrefix(n, "xmlns:") && !strings.HasPrefix(n, "xsi:") {
			j.offSchema("<%s> has an attribute %s", name, n)
		}
	}
}

// children calls read for each child of the element whose start tag was read,
// and reports text between them.
func (j *Judge) children(name string, read func() error) error {
	return j.xml.children(read, func(text []byte) {
		if len(bytes.TrimSpace(text)) > 0 {
			j.offSchema("text stands in <%s>, between its elements", name)
		}
	})
}

func (j *Judge) skip() error { return j.xml.rest(func(token) {}) }

// entry judges a url or a sitemap element whose start tag was read.
func (j *Judge) entry() error {
	j.Entries++
	j.attributes(j.doc.entry)
	line, col := j.xml.tokenLine, j.xml.tokenCol
	j.of, j.next, j.has = "", 0, [4]bool{}
	j.xml.limit = j.xml.offset + maxEntry
	err := j.children(j.doc.entry, j.child)
	j.xml.limit = 0
	if err == nil && !j.has[0] {
		j.fault(line, col, "missing-loc", "name its URL", "the entry has no loc")
	}
	return err
}

func (j *Judge) child() error {
	x := j.xml
	if x.space != j.space {
		j.next = len(j.doc.fields)
		return j.extension()
	}
	i := slices.Index(j.doc.fields, string(x.local))
	switch {
	case i < 0:
		j.offSchema("<%s> is not an element of <%s>", x.local, j.doc.entry)
		return j.skip()
	case j.has[i]:
		j.doubt(x.tokenLine, x.tokenCol, "duplicate-element", "keep one", "an entry has more than one %s", x.local)
	case i < j.next:
		j.offSchema("<%s> comes too late; the order is %s, then extensions", x.local, strings.Join(j.doc.fields, ", "))
	}
	j.has[i], j.next = true, max(j.next, i)
	return j.field(j.doc.fields[i])
}

// field judges the text of an element of the protocol's own.
func (j *Judge) field(name string) error {
	j.attributes(name)
	text, line, col, err := j.text(name)
	if err != nil {
		return err
	}
	judgeField[name](j, text, line, col)
	return nil
}

// text returns the text of the element whose start tag was read, and where it
// begins.
func (j *Judge) text(name string) (text string, line, col int, err error) {
	line, col = j.xml.line, j.xml.col()
	content, err := j.xml.inner(func() { j.offSchema("<%s> stands in <%s>", j.xml.local, name) })
	head := content[:len(content)-len(bytes.TrimLeft(content, " \t\r\n"))]
	if n := bytes.Count(head, []byte("\n")); n > 0 {
		line, col = line+n, len(head)-bytes.LastIndexByte(head, '\n')
	} else {
		col += len(head)
	}
	return string(content), line, col, err
}

// judgeField judges each field's text, with its blanks.
var judgeField = map[string]func(j *Judge, text string, line, col int){
	"loc":        (*Judge).loc,
	"lastmod":    (*Judge).lastmod,
	"changefreq": (*Judge).changefreq,
	"priority":   (*Judge).priority,
}

func (j *Judge) loc(text string, line, col int) {
	loc := strings.Trim(text, " \t\r\n")
	j.of = fmt.Sprintf(" of %.2048s", loc)
	switch err := CheckLoc(loc); {
	case loc == "":
		j.fault(line, col, "missing-loc", "name its URL", "the loc is empty")
	case err != nil:
		j.fault(line, col, "invalid-url", "write an absolute http or https address, percent-encoded", "%v", err)
	case len(loc) < shortestLoc:
		j.doubt(line, col, "off-schema", schemaHint, "loc %q has less than %d characters", loc, shortestLoc)
	}
}

func (j *Judge) lastmod(text string, line, col int) {
	const hint = "write 2006-01-02 or 2006-01-02T15:04:05Z"
	s := strings.Trim(text, " \t\r\n")
	switch valid, zoned := schemaDate(s); {
	case s == "":
		j.doubt(line, col, "bad-date", "leave the element out, or give it a date", "lastmod%s is empty", j.of)
	case !valid:
		j.doubt(line, col, "bad-date", hint, "lastmod %.60q%s is not a W3C date that crawlers read", s, j.of)
	case !zoned:
		j.doubt(line, col, "bad-date", "add Z or an offset such as +01:00", "lastmod %q%s has a time without a zone", s, j.of)
	}
}

func (j *Judge) changefreq(text string, line, col int) {
	if c, err := ParseChangeFreq(text); err != nil || c == 0 {
		j.doubt(line, col, "bad-changefreq", "write one of the seven words in small letters, without blanks, or leave it out",
			"changefreq %.60q%s is not one of always, hourly, daily, weekly, monthly, yearly, never", text, j.of)
	}
}

func (j *Judge) priority(text string, line, col int) {
	s := strings.Trim(text, " \t\r\n")
	v, ok := parseDecimal(s)
	if zero, signed := strings.CutPrefix(s, "-"); signed {
		v, ok = parseDecimal(zero)
		ok = ok && v == 0
	}
	if !ok || v > 1 {
		j.doubt(line, col, "bad-priority", "write a number from 0.0 to 1.0, or leave it out", "priority %.60q%s is not between 0.0 and 1.0", s, j.of)
	}
}
