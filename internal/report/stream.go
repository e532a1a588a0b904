package report

import (
	"bufio"
	"bytes"
	"encoding"
	"encoding/json"
	"io"
	"reflect"
	"strings"
)

// A stream writes values as an encoder of package json with an indent of two spaces
// does, but for lists, of which it holds one element at a time: a site may have
// millions of places to name. Of structs it knows what those of a report have: names,
// omitempty, omitzero, embedded structs, and a text of their own, as times have.
type stream struct {
	w    *bufio.Writer // which keeps its first error
	leaf bytes.Buffer
	enc  *json.Encoder // into leaf
	err  error         // of a value
}

func newStream(w io.Writer) *stream {
	s := &stream{w: bufio.NewWriterSize(w, 64<<10)}
	s.enc = NewEncoder(&s.leaf)
	return s
}

// end writes what is left, and a line break as an encoder does.
func (s *stream) end() error {
	s.text("\n")
	if s.err != nil {
		return s.err
	}
	return s.w.Flush()
}

func (s *stream) text(text string) { _, _ = s.w.WriteString(text) }

// object writes the fields of several structs as one object.
func (s *stream) object(indent string, parts ...reflect.Value) {
	n := 0
	s.text("{")
	for _, part := range parts {
		n = s.fields(indent, part, n)
	}
	s.close(indent, n, "}")
}

// close ends what has n parts.
func (s *stream) close(indent string, n int, end string) {
	if n > 0 {
		s.text("\n" + indent)
	}
	s.text(end)
}

// next begins the part behind n others.
func (s *stream) next(indent string, n int) {
	if n > 0 {
		s.text(",")
	}
	s.text("\n" + indent + "  ")
}

// fields writes those of a struct behind n others, and returns how many there are
// then.
func (s *stream) fields(indent string, v reflect.Value, n int) int {
	if v = behind(v); !v.IsValid() {
		return n
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			n = s.fields(indent, v.Field(i), n)
			continue
		case !f.IsExported() || name == "-",
			strings.Contains(options, "omitempty") && isEmpty(v.Field(i)),
			strings.Contains(options, "omitzero") && v.Field(i).IsZero():
			continue
		case name == "":
			name = f.Name
		}
		s.next(indent, n)
		n++
		s.text(`"` + name + `": `)
		s.value(indent+"  ", v.Field(i))
	}
	return n
}

// value writes one value.
func (s *stream) value(indent string, v reflect.Value) {
	switch in := behind(v); {
	case in.Kind() == reflect.Struct && !in.Type().Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		s.object(indent, in)
	case in.Kind() == reflect.Slice && !in.IsNil() && in.Type().Elem().Kind() != reflect.Uint8:
		s.text("[")
		for i := range in.Len() {
			s.next(indent, i)
			s.value(indent+"  ", in.Index(i))
		}
		s.close(indent, in.Len(), "]")
	default:
		s.whole(indent, v)
	}
}

// whole leaves a value to package json.
func (s *stream) whole(indent string, v reflect.Value) {
	s.leaf.Reset()
	s.enc.SetIndent(indent, "  ")
	var out any
	if v.IsValid() {
		out = v.Interface()
	}
	if err := s.enc.Encode(out); err != nil {
		s.err = err
		return
	}
	_, _ = s.w.Write(bytes.TrimSuffix(s.leaf.Bytes(), []byte("\n")))
}

// behind returns what pointers and interfaces stand for, the zero Value where that
// is nothing.
func behind(v reflect.Value) reflect.Value {
	for v.IsValid() && (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) {
		v = v.Elem()
	}
	return v
}

// isEmpty is what omitempty leaves out.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
