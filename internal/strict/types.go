package strict

import (
	"reflect"

	"gopkg.in/yaml.v3"
)

// Types maps Go types of other packages, which cannot implement Custom, to their decoding
// functions.
type Types map[reflect.Type]Type

// A Type defines how values of one Go type are decoded.
type Type struct {
	FileType reflect.Type // the type of the value in files, such as string for a date; nil if it is the Go type itself
	decode   func(d *Decoder, n *yaml.Node, v any) bool
}

// AddConverted adds the type T to types. A file contains a value of type S instead, and convert
// turns this value into a T. An error of convert becomes a finding.
func AddConverted[T, S any](types Types, convert func(d *Decoder, n *yaml.Node, s S) (T, error)) {
	types[reflect.TypeFor[T]()] = Type{FileType: reflect.TypeFor[S](), decode: func(d *Decoder, n *yaml.Node, v any) bool {
		var s S
		if !d.Decode(n, &s) {
			return false
		}
		t, err := convert(d, n, s)
		if err != nil {
			d.Errorf(n, "bad-value", "", "%v", err)
			return false
		}
		*v.(*T) = t
		return true
	}}
}

// addCustom adds the type T to types, with decode as its decoding function.
func addCustom[T any](types Types, decode func(v *T, d *Decoder, n *yaml.Node) bool) {
	types[reflect.TypeFor[T]()] = Type{decode: func(d *Decoder, n *yaml.Node, v any) bool { return decode(v.(*T), d, n) }}
}
