package strict

import (
	"reflect"

	"gopkg.in/yaml.v3"
)

// Types say how values of other packages' types are written.
type Types map[reflect.Type]Type

// A Type is how a value of one type is written.
type Type struct {
	As     reflect.Type // what stands in the file in its stead; nil is the type itself, by the tags of its fields
	decode func(d *Decoder, n *yaml.Node, v any) bool
}

// As says that a T is written as an S, of which read makes one. An error of read
// is a finding.
func As[T, S any](types Types, read func(d *Decoder, n *yaml.Node, s S) (T, error)) {
	types[reflect.TypeFor[T]()] = Type{As: reflect.TypeFor[S](), decode: func(d *Decoder, n *yaml.Node, v any) bool {
		var s S
		if !d.Decode(n, &s) {
			return false
		}
		t, err := read(d, n, s)
		if err != nil {
			d.Errorf(n, "bad-value", "", "%v", err)
			return false
		}
		*v.(*T) = t
		return true
	}}
}

// Also says that a T may be written in another way than by its tags: read is a
// Custom type's DecodeNode, and [Decoder.Plain] is the way of the tags.
func Also[T any](types Types, read func(v *T, d *Decoder, n *yaml.Node) bool) {
	types[reflect.TypeFor[T]()] = Type{decode: func(d *Decoder, n *yaml.Node, v any) bool { return read(v.(*T), d, n) }}
}
