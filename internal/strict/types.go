package strict

import (
	"reflect"

	"gopkg.in/yaml.v3"
)

// Types are the notations of types of other packages.
type Types map[reflect.Type]Type

// A Type is the notation of one type.
type Type struct {
	As     reflect.Type // the type in the file; nil if the tags of the type's own fields apply
	decode func(d *Decoder, n *yaml.Node, v any) bool
}

// AddConverted adds the type T to types. A file contains an S, and read converts the S into a T.
// An error of read becomes a finding.
func AddConverted[T, S any](types Types, read func(d *Decoder, n *yaml.Node, s S) (T, error)) {
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

// addCustom adds a type T with a second notation. read decodes both notations; it uses
// [Decoder.DecodeByTags] for the notation of the tags.
func addCustom[T any](types Types, read func(v *T, d *Decoder, n *yaml.Node) bool) {
	types[reflect.TypeFor[T]()] = Type{decode: func(d *Decoder, n *yaml.Node, v any) bool { return read(v.(*T), d, n) }}
}
