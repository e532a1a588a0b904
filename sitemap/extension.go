package sitemap

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An extension describes the XML of one extension of the protocol, such as image:image.
type extension struct {
	name   string // name for people, such as "image"
	prefix string // usual XML prefix, such as "xhtml"
	space  string // namespace
	root   string // name of the element in an entry, such as "image"; "" if a Validator does not check the extension

	children []string // names of the child elements of root that search engines read
	obsolete []string // names of the child elements of root that search engines no longer read
	many     []string // names of the child elements of root that may be repeated
}

// extensions lists all extensions. extensions[i] has the bit 1<<i in a value of type Extensions.
//
// The schemas still allow the obsolete elements. Google announced the end of most of them; see
// https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions. Google
// dropped content_segment_loc and id without an announcement.
var extensions = [...]extension{
	{name: "alternate", prefix: "xhtml", space: NamespaceXHTML},
	{
		name: "image", prefix: "image", space: NamespaceImage, root: "image", children: elementNames(imageElements),
		obsolete: []string{"caption", "geo_location", "title", "license"},
	},
	{
		name: "video", prefix: "video", space: NamespaceVideo, root: "video", children: elementNames(videoElements),
		obsolete: []string{"category", "content_segment_loc", "gallery_loc", "id", "price", "tvshow"},
		many:     []string{"content_segment_loc", "tag", "price", "id"},
	},
	{
		name: "news", prefix: "news", space: NamespaceNews, root: "news", children: append(elementNames(newsElements[2:]), "publication"),
		obsolete: []string{"access", "genres", "keywords", "stock_tickers"},
	},
}

// extensionByNamespace returns the extension with the given namespace, or nil if there is none.
func extensionByNamespace(space string) *extension {
	for i := range extensions {
		if extensions[i].space == space {
			return &extensions[i]
		}
	}
	return nil
}

// EditURLs calls edit with a pointer to each URL of the alternates, images and videos of u, even if
// the URL is "". It does not call edit for Loc. It first copies the slices of u, because other URLs
// may share them.
func (u *URL) EditURLs(edit func(*string)) {
	u.Alternates, u.Images, u.Videos = slices.Clone(u.Alternates), slices.Clone(u.Images), slices.Clone(u.Videos)
	for i := range u.Alternates {
		edit(&u.Alternates[i].Href)
	}
	for i := range u.Images {
		edit(&u.Images[i].Loc)
	}
	for i := range u.Videos {
		v := &u.Videos[i]
		for _, loc := range []*string{&v.ThumbnailLoc, &v.ContentLoc, &v.PlayerLoc, &v.UploaderInfo} {
			edit(loc)
		}
	}
}

// appendNamespaces appends an attribute such as xmlns:image="…" for each extension in e.
func (e Extensions) appendNamespaces(b []byte) []byte {
	for i, x := range extensions {
		if e&(1<<i) != 0 {
			b = appendAttr(b, "xmlns:"+x.prefix, x.space)
		}
	}
	return b
}

// String returns the names of the extensions, such as "image, news", or "" for none.
func (e Extensions) String() string {
	var names []string
	for i, x := range extensions {
		if e&(1<<i) != 0 {
			names = append(names, x.name)
		}
	}
	return strings.Join(names, ", ")
}

// An element maps an XML element, such as video:title, to the field of T that contains its text.
type element[T any] struct {
	name  string       // name with the usual prefix, such as "video:title"
	field func(*T) any // returns a pointer to the field, or a textWithInfo; appendValue lists the permitted types
}

// A textWithInfo contains pointers to the two fields for one element: its text, and the value of
// its attribute "info".
type textWithInfo struct{ text, info *string }

// elementNames returns the names of elements without their prefixes, such as "title" for
// video:title.
func elementNames[T any](elements []element[T]) []string {
	var names []string
	for _, e := range elements {
		_, local, _ := strings.Cut(e.name, ":")
		names = append(names, local)
	}
	return names
}

// appendElements appends an XML element to b for each field in elements that is set in v.
func appendElements[T any](b []byte, elements []element[T], v *T) []byte {
	for i := range elements {
		b = appendValue(b, elements[i].name, elements[i].field(v))
	}
	return b
}

// appendParent appends an element called name. Its children are the elements for the fields that
// are set in v.
func appendParent[T any](b []byte, name string, elements []element[T], v *T) []byte {
	b = appendTag(b, name)
	b = appendElements(b, elements, v)
	return appendEndTag(b, name)
}

// appendValue appends an element called name with the value of field, which is a pointer or a
// textWithInfo. It appends one element for each string of a []string. It appends nothing for a
// value that is not set, a string "" in a []string, and a negative int.
func appendValue(b []byte, name string, field any) []byte {
	switch f := field.(type) {
	case *string:
		b = appendElement(b, name, *f)
	case textWithInfo:
		if *f.text != "" {
			b = appendElementWithAttr(b, name, *f.text, "info", *f.info)
		}
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

// readElements reads the children of the current element into the fields of v. elements maps the
// names of the children to the fields, and space is the namespace of the children. readElements
// skips other children and records them as unknown.
func readElements[T any](r *Reader, space string, elements []element[T], v *T) error {
	return r.readChildren(func(r *Reader) error { return readElement(r, space, elements, v) })
}

// readElement reads the current element into a field of v. It is the step of readElements for one
// child.
func readElement[T any](r *Reader, space string, elements []element[T], v *T) error {
	i := slices.IndexFunc(elements, func(e element[T]) bool { return strings.HasSuffix(e.name, ":"+r.xml.local) })
	if r.xml.space != space || i < 0 {
		return r.skipUnknown()
	}
	return r.readValue(elements[i].field(v))
}

// readValue reads the text of the current element, parses it according to the type of the field,
// and stores the value in the field. field is a pointer or a textWithInfo. For an invalid text,
// readValue adds a problem to the current item; the field is then not set, or keeps its value.
func (r *Reader) readValue(field any) error {
	name, line := r.xml.local, r.xml.tokenLine
	info, deny := r.xml.attr("info"), r.xml.attr("relationship") == relationships[true]
	raw, err := r.readText()
	if err != nil {
		return err
	}
	text := string(raw)
	switch f := field.(type) {
	case *string:
		*f = text
	case textWithInfo:
		*f.text, *f.info = text, info
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
			r.addProblem(line, "bad-video", "write yes or no", "%.60q is not yes or no", text)
		}
	}
	return nil
}
