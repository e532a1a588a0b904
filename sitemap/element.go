package sitemap

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An element is one in which an extension says something of a T.
type element[T any] struct {
	name  string       // with the extension's prefix: "video:title"
	field func(*T) any // a pointer to what it says, of a type that appendValue knows

	attr  string // the attribute that goes with it; "" is none
	value func(*T) *string
}

// appendElements appends those elements that say something of v.
func appendElements[T any](b []byte, elements []element[T], v *T) []byte {
	for i := range elements {
		e := &elements[i]
		if e.attr == "" {
			b = appendValue(b, e.name, e.field(v))
		} else if text := *e.field(v).(*string); text != "" {
			b = appendWith(b, e.name, text, e.attr, *e.value(v))
		}
	}
	return b
}

func appendValue(b []byte, name string, field any) []byte {
	switch f := field.(type) {
	case *string:
		b = appendElement(b, name, *f)
	case *[]string:
		for _, s := range *f {
			b = appendElement(b, name, s)
		}
	case *int: // 0 says nothing, and less cannot be
		if *f > 0 {
			b = appendElement(b, name, strconv.Itoa(*f))
		}
	case *Date:
		b = appendDate(b, name, *f, Date.AppendTo)
	case **Restriction:
		if r := *f; r != nil {
			b = appendWith(b, name, strings.Join(r.Values, " "), "relationship", relationships[r.Deny])
		}
	case fmt.Stringer:
		b = appendElement(b, name, f.String())
	}
	return b
}

// relationships are the words for what a Restriction does, by whether it denies.
var relationships = map[bool]string{false: "allow", true: "deny"}

// appendWith appends <name attr="value">text</name>.
func appendWith(b []byte, name, text, attr, value string) []byte {
	b = append(b, '<')
	b = append(b, name...)
	b = appendAttr(b, attr, value)
	b = append(b, '>')
	b = appendEscaped(b, text)
	return appendEndTag(b, name)
}

// readElement reads into v the element at hand, if it is of the namespace and one
// of those given.
func readElement[T any](r *Reader, space string, elements []element[T], v *T) error {
	if r.xml.space != space {
		return r.skipUnknown(true)
	}
	i := find(elements, r.xml.local)
	if i < 0 {
		return r.skipUnknown(true)
	}
	r.leaveObsolete()
	if e := &elements[i]; e.attr != "" {
		*e.value(v) = r.xml.attr(e.attr)
	}
	return r.readValue(elements[i].field(v))
}

// find returns the index of the element with a name, given without prefix, or -1.
func find[T any](elements []element[T], local string) int {
	return slices.IndexFunc(elements, func(e element[T]) bool {
		_, name, _ := strings.Cut(e.name, ":")
		return name == local
	})
}

// readValue reads the text of the element at hand as what field points to.
func (r *Reader) readValue(field any) error {
	name, line, deny := r.xml.local, r.xml.tokenLine, r.xml.attr("relationship") == relationships[true]
	raw, err := r.text()
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
		*f = r.date(line, name, raw)
	case **Restriction:
		*f = &Restriction{Deny: deny, Values: slices.Collect(strings.FieldsSeq(text))}
	case *int:
		if n, err := strconv.ParseUint(text, 10, 31); err == nil {
			*f = int(n)
		} else if text != "" { // which says nothing
			r.problem(line, "bad-video", "write a whole number", "%.60q is not a whole number", text)
		}
	case *Count:
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil {
			r.problem(line, "bad-video", "write a whole number", "%s %.60q is not a whole number", name, text)
			return nil
		}
		*f = CountOf(n)
	case *Rating:
		v, ok := parseDecimal(text)
		rating, err := RatingOf(v)
		if !ok || err != nil {
			r.problem(line, "bad-video", "write a number from 0.0 to 5.0", "rating %.60q is not between 0.0 and 5.0", text)
			return nil
		}
		*f = rating
	case *YesNo:
		if *f = YesNo(1 + slices.Index(answers[1:], strings.ToLower(text))); *f == 0 {
			r.problem(line, "bad-video", "write yes or no", "%.60q is neither yes nor no", text)
		}
	}
	return nil
}
