package sitemap

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An extension reads, checks and writes the XML elements of one extension of the protocol, such as
// image:image.
type extension interface {
	// names returns the names that the extension uses in XML.
	names() *xmlNames
	// hasElement reports whether local is the local name of a child element that search engines
	// read, such as "title" for video:title in video:video.
	hasElement(local string) bool
	// displayValues returns one text for each value of the extension in u, such as "de
	// https://example.com/de/" for an alternate. The texts are printed for people.
	displayValues(u *URL) []string
	// editAllURLs calls edit with a pointer to each URL of the extension in u, such as the URLs of
	// the images. It first copies the slice of values, because other entries may share it.
	editAllURLs(u *URL, edit func(*string))
	// appendTo appends the XML elements for the values of the extension in u to b.
	appendTo(b []byte, u *URL) []byte
	// read reads the element of the last start tag, which is in the namespace of the extension,
	// into the current entry of r.
	read(r *Reader) error
	// check removes or corrects invalid values of the extension in u, and reports them.
	check(c *checker, u *URL)
}

// An xmlNames contains the names that an extension uses in XML. The order of the names has no
// meaning, because crawlers ignore the order of elements.
type xmlNames struct {
	name     string   // name of the field of URL in explanations, such as "image"
	prefix   string   // usual XML prefix, such as "xhtml"
	space    string   // namespace
	root     string   // name of the element in an entry, such as "image"; "" if a Validator does not check the extension
	obsolete []string // elements that search engines no longer read, and attributes as "element@attribute"
	many     []string // elements that may be repeated
}

// extensionByNamespace returns the extension with the given namespace, or nil if there is none.
func extensionByNamespace(space string) extension {
	for _, x := range extensions {
		if x.names().space == space {
			return x
		}
	}
	return nil
}

// ExtensionFields describes the fields of URL that belong to extensions: Alternates, Images, Videos
// and News, in this order.
func ExtensionFields() []ExtensionField {
	all := make([]ExtensionField, len(extensions))
	for i, x := range extensions {
		all[i] = ExtensionField{1 << i, x.names().name, x.displayValues}
	}
	return all
}

// An ExtensionField describes the field of URL that belongs to one extension.
type ExtensionField struct {
	Extension Extensions
	Name      string              // name for people, such as "image"
	Values    func(*URL) []string // returns the values in a URL as texts for people
}

// EditURLs calls edit with a pointer to each URL in u except Loc, for example to the URLs of
// images. It first copies the slices of u, because other URLs may share them.
func (u *URL) EditURLs(edit func(*string)) {
	uses := u.Extensions()
	for i, x := range extensions {
		if uses&(1<<i) != 0 {
			x.editAllURLs(u, edit)
		}
	}
}

// appendNamespaces appends an attribute such as xmlns:image="…" for each extension in e.
func (e Extensions) appendNamespaces(b []byte) []byte {
	for i, x := range extensions {
		if n := x.names(); e&(1<<i) != 0 {
			b = appendAttr(b, "xmlns:"+n.prefix, n.space)
		}
	}
	return b
}

// String returns the names of the extensions, such as "image, news", or "" for none.
func (e Extensions) String() string {
	var names []string
	for i, x := range extensions {
		if e&(1<<i) != 0 {
			names = append(names, x.names().name)
		}
	}
	return strings.Join(names, ", ")
}

// A list is an extension whose entries may have any number of values, such as images. T is the type
// of one value, such as Image.
type list[T any] struct {
	form     xmlNames
	elements []element[T]
	field    func(*URL) *[]T                // returns a pointer to the field of URL with the values
	label    func(*T) string                // returns text that identifies one value to people
	editURLs func(v *T, edit func(*string)) // calls edit for each address
	validate func(c *checker, u *URL)       // drops values that must not be written
}

func (l *list[T]) names() *xmlNames             { return &l.form }
func (l *list[T]) hasElement(local string) bool { return indexOfElement(l.elements, local) >= 0 }
func (l *list[T]) check(c *checker, u *URL)     { l.validate(c, u) }

func (l *list[T]) displayValues(u *URL) (all []string) {
	for _, v := range *l.field(u) {
		all = append(all, l.label(&v))
	}
	return all
}

func (l *list[T]) editAllURLs(u *URL, edit func(*string)) {
	all := l.field(u)
	*all = slices.Clone(*all)
	for i := range *all {
		l.editURLs(&(*all)[i], edit)
	}
}

func (l *list[T]) appendTo(b []byte, u *URL) []byte {
	all, name := *l.field(u), l.form.prefix+":"+l.form.root
	for i := range all {
		b = appendTag(b, name)
		b = appendElements(b, l.elements, &all[i])
		b = appendEndTag(b, name)
	}
	return b
}

func (l *list[T]) read(r *Reader) error {
	all := l.field(&r.item.URL)
	*all = append(*all, *new(T))
	return r.readChildren(func(r *Reader) error {
		return readElement(r, l.form.space, l.elements, &(*all)[len(*all)-1])
	})
}

// obsoleteElements returns the elements and attributes in the namespace space that search engines
// no longer read, such as "price" and "player_loc@autoplay". prefix is the usual prefix of the
// namespace, such as "video". For an unknown namespace, both results are empty. The schemas still
// allow these elements.
// See https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions.
func obsoleteElements(space string) (prefix string, names []string) {
	x := extensionByNamespace(space)
	if x == nil {
		return "", nil
	}
	n := x.names()
	return n.prefix, n.obsolete
}

// recordUnknown adds the element of the last start tag, or one of its attributes, to r.unknown.
// name is the local name of the element, such as "price", or "element@attribute".
func (r *Reader) recordUnknown(name string) {
	u := Unknown{Name: r.xml.space + " " + name, Line: r.xml.tokenLine, Count: 1}
	if prefix, names := obsoleteElements(r.xml.space); slices.Contains(names, name) {
		u.Name, u.Obsolete = prefix+":"+name, true
	}
	r.addUnknown(u)
}

// recordObsoleteAttrs adds the obsolete attributes of the last start tag to r.unknown.
func (r *Reader) recordObsoleteAttrs() {
	_, names := obsoleteElements(r.xml.space)
	for _, a := range r.xml.attrs {
		if name := r.xml.local + "@" + a.Name.Local; slices.Contains(names, name) {
			r.recordUnknown(name)
		}
	}
}

// An element maps an XML element, such as video:title, to the field of T that contains its text.
type element[T any] struct {
	name  string       // name with the usual prefix, such as "video:title"
	field func(*T) any // returns a pointer to the field, of a type that appendValue accepts

	attr string // name of an attribute that contains another field; "" for none
	// value returns a pointer to the field that contains the value of the attribute attr.
	value func(*T) *string
}

// appendElements appends an XML element to b for each field in elements that is set in v.
func appendElements[T any](b []byte, elements []element[T], v *T) []byte {
	for i := range elements {
		e := &elements[i]
		if e.attr == "" {
			b = appendValue(b, e.name, e.field(v))
		} else if text := *e.field(v).(*string); text != "" {
			b = appendElementWithAttr(b, e.name, text, e.attr, *e.value(v))
		}
	}
	return b
}

// appendValue appends an element called name with the value that field points to. It appends one
// element for each string of a []string, and nothing for a value that is not set.
func appendValue(b []byte, name string, field any) []byte {
	switch f := field.(type) {
	case *string:
		b = appendElement(b, name, *f)
	case *[]string:
		for _, s := range *f {
			b = appendElement(b, name, s)
		}
	case *int: // 0 means not set
		if *f > 0 {
			b = appendElement(b, name, strconv.Itoa(*f))
		}
	case *Date:
		b = appendDate(b, name, *f, Date.AppendTo)
	case **Restriction:
		if r := *f; r != nil {
			b = appendElementWithAttr(b, name, strings.Join(r.Values, " "), "relationship", relationships[r.Deny])
		}
	case fmt.Stringer:
		b = appendElement(b, name, f.String())
	}
	return b
}

// relationships maps Restriction.Deny to the value of the attribute "relationship".
var relationships = map[bool]string{false: "allow", true: "deny"}

// appendElementWithAttr appends <name attr="value">text</name>. It leaves out the attribute if
// value is "".
func appendElementWithAttr(b []byte, name, text, attr, value string) []byte {
	b = append(b, '<')
	b = append(b, name...)
	b = appendAttr(b, attr, value)
	b = append(b, '>')
	b = appendEscaped(b, text)
	return appendEndTag(b, name)
}

// readElement reads the element of the last start tag into a field of v. elements maps the local
// name of the element to the field. If the name is not in elements, or the namespace is not space,
// readElement skips the element and records it as unknown.
func readElement[T any](r *Reader, space string, elements []element[T], v *T) error {
	if r.xml.space != space {
		return r.skipUnknown(true)
	}
	i := indexOfElement(elements, r.xml.local)
	if i < 0 {
		return r.skipUnknown(true)
	}
	r.recordObsoleteAttrs()
	if e := &elements[i]; e.attr != "" {
		*e.value(v) = r.xml.attr(e.attr)
	}
	return r.readValue(elements[i].field(v))
}

// indexOfElement returns the index in elements of the element with the given local name, such as
// "title" for video:title. It returns -1 if there is none.
func indexOfElement[T any](elements []element[T], local string) int {
	return slices.IndexFunc(elements, func(e element[T]) bool {
		_, name, _ := strings.Cut(e.name, ":")
		return name == local
	})
}

// readValue reads the text of the current element, parses it according to the type of the field,
// and stores the value in the field. field is a pointer. For an invalid text, readValue adds a
// problem to the current item.
func (r *Reader) readValue(field any) error {
	name, line, deny := r.xml.local, r.xml.tokenLine, r.xml.attr("relationship") == relationships[true]
	raw, err := r.readText()
	if err != nil {
		return err
	}
	text := string(raw)
	switch f := field.(type) {
	case *string:
		*f = text
	case *[]string:
		*f = append(*f, text)
	case *Date:
		*f = r.parseDate(line, name, raw)
	case **Restriction:
		*f = &Restriction{Deny: deny, Values: slices.Collect(strings.FieldsSeq(text))}
	case *int:
		if n, err := strconv.ParseUint(text, 10, 31); err == nil {
			*f = int(n)
		} else if text != "" {
			r.addProblem(line, "bad-video", "write a whole number", "%.60q is not a whole number", text)
		}
	case *Count:
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil {
			r.addProblem(line, "bad-video", "write a whole number", "%s %.60q is not a whole number", name, text)
			return nil
		}
		*f = CountOf(n)
	case *Rating:
		v, ok := parseDecimal(text)
		rating, err := RatingOf(v)
		if !ok || err != nil {
			r.addProblem(line, "bad-video", "write a number from 0.0 to 5.0", "rating %.60q is not between 0.0 and 5.0", text)
			return nil
		}
		*f = rating
	case *YesNo:
		if *f = YesNo(1 + slices.Index(yesNoWords[1:], strings.ToLower(text))); *f == 0 {
			r.addProblem(line, "bad-video", "write yes or no", "%.60q is neither yes nor no", text)
		}
	}
	return nil
}
