package sitemap

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
)

// protocolFields lists the child elements of a url element that are not from an extension, in the
// order of the schema.
var protocolFields = []string{"loc", "lastmod", "changefreq", "priority"}

// minLocLength is the minimum number of characters that the schema requires of a loc.
const minLocLength = 12

// schemaHint is the hint for a mistake that violates the schema and that crawlers ignore.
const schemaHint = "crawlers read on; write what the protocol's schema allows"

// validateDocument validates the document element and its content. The start tag of the document
// element is the last token that was read. validateDocument reports the first element of another
// namespace that follows an entry, because the schemas allow such elements only before the entries.
// See https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd and siteindex.xsd.
func (v *Validator) validateDocument() error {
	name := v.xml.local
	if v.space != Namespace {
		v.reportError(v.xml.tokenLine, v.xml.tokenCol, "wrong-namespace", `write xmlns="`+Namespace+`"`,
			"the %v is in the namespace %q, so crawlers do not read it", v.Format, v.space)
	}
	v.checkAttributes(name)
	foreign := false // an element of another namespace follows an entry
	err := v.readChildren(name, func() error {
		x := v.xml
		switch {
		case x.space == v.space && x.local == v.doc.entry:
			return v.validateEntry()
		case x.space == v.space:
			v.reportOffSchema("<%s> is not an element of a %v", x.local, v.Format)
		case v.Entries > 0 && !foreign:
			foreign = true
			v.reportOffSchema("<%s> follows the first <%s>; elements of other namespaces must precede it", x.local, v.doc.entry)
		}
		return x.skipElement()
	})
	if err != nil {
		return err
	}
	if v.Entries == 0 {
		v.reportOffSchema("the %v has no <%s>", v.Format, v.doc.entry)
	}
	return v.readToEnd()
}

// reportOffSchema reports that the last token violates the schema. Crawlers ignore this mistake.
func (v *Validator) reportOffSchema(format string, args ...any) {
	v.reportWarning(v.xml.tokenLine, v.xml.tokenCol, "off-schema", schemaHint, format, args...)
}

// schemaInstance is the namespace of attributes such as xsi:schemaLocation.
const schemaInstance = "http://www.w3.org/2001/XMLSchema-instance"

// checkAttributes reports the attributes of the last start tag, except namespace declarations and
// attributes such as xsi:schemaLocation. name is the name of the element.
func (v *Validator) checkAttributes(name string) {
	for _, a := range v.xml.attrs {
		if n := a.Name; n.Space != "xmlns" && n.Space != schemaInstance && n != (xml.Name{Local: "xmlns"}) {
			v.reportOffSchema("<%s> has an attribute %s", name, n.Local)
		}
	}
}

// readChildren calls read for each child of the current element, and reads up to the end tag of the
// element. It reports text between the children. name is the name of the element.
func (v *Validator) readChildren(name string, read func() error) error {
	return v.xml.readChildren(read, func(text []byte) {
		if len(bytes.TrimSpace(text)) > 0 {
			v.reportOffSchema("<%s> contains text between its elements", name)
		}
	})
}

// validateEntry validates the current url or sitemap element, whose start tag was just read.
func (v *Validator) validateEntry() error {
	v.Entries++
	v.checkAttributes(v.doc.entry)
	line, col := v.xml.tokenLine, v.xml.tokenCol
	v.ofURL, v.next, v.has = "", 0, [4]bool{}
	v.xml.limit = v.xml.offset + maxEntry
	err := v.readChildren(v.doc.entry, v.validateEntryChild)
	v.xml.limit = 0
	if err == nil && !v.has[0] {
		v.reportError(line, col, "missing-loc", "name its URL", "the entry has no loc")
	}
	return err
}

// validateEntryChild validates the current child element of an entry, with its text. It reports an
// unknown, repeated or misplaced element.
func (v *Validator) validateEntryChild() error {
	x := v.xml
	if x.space != v.space {
		v.next = len(v.doc.fields)
		return v.validateExtension()
	}
	i := slices.Index(v.doc.fields, x.local)
	switch {
	case i < 0:
		v.reportOffSchema("<%s> is not an element of <%s>", x.local, v.doc.entry)
		return x.skipElement()
	case v.has[i]:
		v.reportWarning(x.tokenLine, x.tokenCol, "duplicate-element", "keep one", "an entry has more than one %s", x.local)
	case i < v.next:
		v.reportOffSchema("<%s> comes too late; the order is %s, then extensions", x.local, strings.Join(v.doc.fields, ", "))
	}
	v.has[i], v.next = true, max(v.next, i)
	return v.validateFieldText(v.doc.fields[i])
}

// validateFieldText validates the attributes and the text of the current element, which is called
// name and is in the namespace of the protocol.
func (v *Validator) validateFieldText(name string) error {
	v.checkAttributes(name)
	text, line, col, err := v.readText(name)
	if err != nil {
		return err
	}
	fieldValidators[name](v, text, line, col)
	return nil
}

// readText returns the text of the current element, which is called name. line and col are the
// position of the first character that is not white space. readText reports child elements, which
// are not allowed.
func (v *Validator) readText(name string) (text string, line, col int, err error) {
	line, col = v.xml.line, v.xml.col()
	content, err := v.xml.readInnerText(func() { v.reportOffSchema("<%s> is inside <%s>", v.xml.local, name) })
	head := content[:len(content)-len(bytes.TrimLeft(content, " \t\r\n"))]
	if n := bytes.Count(head, []byte("\n")); n > 0 {
		line, col = line+n, len(head)-bytes.LastIndexByte(head, '\n')
	} else {
		col += len(head)
	}
	return string(content), line, col, err
}

// fieldValidators maps the name of each element of an entry to the function that validates its
// text. The text may have white space at both ends.
var fieldValidators = map[string]func(v *Validator, text string, line, col int){
	"loc":        (*Validator).checkLocText,
	"lastmod":    (*Validator).checkLastMod,
	"changefreq": (*Validator).checkChangeFreq,
	"priority":   (*Validator).checkPriority,
}

func (v *Validator) checkLocText(text string, line, col int) {
	loc := strings.Trim(text, " \t\r\n")
	v.ofURL = fmt.Sprintf(" of %.2048s", loc)
	switch err := CheckLoc(loc); {
	case loc == "":
		v.reportError(line, col, "missing-loc", "name its URL", "the loc is empty")
	case err != nil:
		v.reportError(line, col, "invalid-url", "write an absolute http or https address, percent-encoded", "%v", err)
	case len(loc) < minLocLength:
		v.reportWarning(line, col, "off-schema", schemaHint, "loc %q has less than %d characters", loc, minLocLength)
	}
}

func (v *Validator) checkLastMod(text string, line, col int) {
	const hint = "write 2006-01-02 or 2006-01-02T15:04:05Z"
	s := strings.Trim(text, " \t\r\n")
	switch valid, zoned := checkSchemaDate(s); {
	case s == "":
		v.reportWarning(line, col, "bad-date", "leave the element out, or give it a date", "lastmod%s is empty", v.ofURL)
	case !valid:
		v.reportWarning(line, col, "bad-date", hint, "lastmod %.60q%s is not a W3C date that crawlers read", s, v.ofURL)
	case !zoned:
		v.reportWarning(line, col, "bad-date", "add Z or an offset such as +01:00", "lastmod %q%s has a time without a zone", s, v.ofURL)
	}
}

func (v *Validator) checkChangeFreq(text string, line, col int) {
	if c, err := ParseChangeFreq(text); err != nil || c == 0 {
		v.reportWarning(line, col, "bad-changefreq", "write one of the seven words in small letters, without blanks, or leave it out",
			"changefreq %.60q%s is not one of always, hourly, daily, weekly, monthly, yearly, never", text, v.ofURL)
	}
}

func (v *Validator) checkPriority(text string, line, col int) {
	s := strings.Trim(text, " \t\r\n")
	n, ok := parseDecimal(s)
	if zero, signed := strings.CutPrefix(s, "-"); signed {
		n, ok = parseDecimal(zero)
		ok = ok && n == 0
	}
	if !ok || n > 1 {
		v.reportWarning(line, col, "bad-priority", "write a number from 0.0 to 1.0, or leave it out", "priority %.60q%s is not between 0.0 and 1.0", s, v.ofURL)
	}
}

// validateExtension validates the current element, a child of an entry that is not in the namespace
// of the protocol, such as image:image. It checks the namespace, and reports unknown or repeated
// child elements. It does not check the values of the child elements; see [URL.Check].
func (v *Validator) validateExtension() error {
	x := v.xml
	s := extensionByNamespace(x.space)
	if s == nil || s.root == "" {
		v.reportBadNamespace()
		return x.skipElement()
	}
	if x.local != s.root {
		v.reportOffSchema("<%s> is not an element of the extension, but <%s> is", x.local, s.root)
		return x.skipElement()
	}
	space, before := x.space, map[string]bool{}
	return v.readChildren(s.root, func() error {
		name := x.local
		switch {
		case x.space != space || slices.Contains(s.many, name):
		case !slices.Contains(s.children, name) && !slices.Contains(s.obsolete, name):
			v.reportOffSchema("<%s> is not an element of <%s>", name, s.root)
		case before[name]:
			v.reportWarning(x.tokenLine, x.tokenCol, "duplicate-element", "keep one", "<%s> has more than one %s", s.root, name)
		}
		before[name] = true
		return x.skipElement()
	})
}

// reportBadNamespace reports the current element if its namespace is missing or probably a misspelt
// namespace of an extension, or if its prefix is not declared. It accepts any other namespace. It
// reports each namespace only once.
func (v *Validator) reportBadNamespace() {
	x := v.xml
	if v.namespaces[x.space] {
		return
	}
	if v.namespaces == nil {
		v.namespaces = map[string]bool{}
	}
	v.namespaces[x.space] = true
	switch meant := intendedNamespace(x.space); {
	case x.space == "":
		v.reportOffSchema("<%s> is in no namespace", x.local)
	case x.hasUnboundPrefix():
		v.reportError(x.tokenLine, x.tokenCol, "wrong-namespace", "name it in the first element, as xmlns:"+x.space+`="…"`,
			"the prefix of <%s:%s> has no namespace", x.space, x.local)
	case meant != "":
		v.reportWarning(x.tokenLine, x.tokenCol, "wrong-namespace", `write "`+meant+`"`,
			"<%s> is in the namespace %q, so crawlers do not read it", x.local, x.space)
	}
}

// intendedNamespace returns the namespace of the extension that the author of the misspelt
// namespace space probably meant. For "https://google.com/schemas/sitemap-image/1.0", it returns
// [NamespaceImage]. It compares namespaces without case, scheme, "www." and the text after the name
// of the extension. It returns "" if space resembles no namespace of an extension, or is correct.
func intendedNamespace(space string) string {
	for _, x := range extensions {
		ours := x.space
		if space == ours {
			return ""
		}
		if strings.HasPrefix(namespaceStem(space), namespaceStem(ours)) {
			return ours
		}
	}
	return ""
}

// namespaceStem returns a namespace in lower case, without its scheme, "www." and the version at
// its end. For NamespaceImage, it returns "google.com/schemas/sitemap-image". It returns "" if
// space does not contain "://".
func namespaceStem(space string) string {
	_, rest, _ := strings.Cut(strings.ToLower(space), "://")
	return strings.TrimRight(strings.TrimPrefix(rest, "www."), "/#.0123456789")
}
