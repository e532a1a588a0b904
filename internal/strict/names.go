package strict

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// A field is a struct field that a file can set.
type field struct {
	name  string // key in the file: "base_url"
	index []int  // as in reflect.StructField
}

// FieldKey returns the key in a file that sets the struct field f, such as "base_url", or "" if
// there is none. The struct tag "yaml" contains the key. In packages that do not depend on YAML,
// the struct tag "key" contains it.
func FieldKey(f reflect.StructField) string {
	name, _, _ := strings.Cut(cmp.Or(f.Tag.Get("yaml"), f.Tag.Get("key")), ",")
	return name
}

// keyedFields returns the exported fields of the struct type t that have a key. It includes fields
// of embedded structs.
func keyedFields(t reflect.Type) []field {
	var out []field
	for _, f := range reflect.VisibleFields(t) {
		if name := FieldKey(f); name != "" && f.IsExported() {
			out = append(out, field{name, f.Index})
		}
	}
	return out
}

// Keys returns the sorted paths of all keys that Decode accepts for v, a struct or a pointer to a
// struct: "output", "output.max_urls". For a type that implements Custom, it returns the keys in
// the tags of its fields.
func (o Options) Keys(v any) []string {
	d := &Decoder{Options: o}
	keys := d.keyPathsBelow(reflect.TypeOf(v))
	slices.Sort(keys)
	return keys
}

// keyPathsBelow returns the paths of all keys of t and of the types in it, such as
// "output.max_urls". Each begins with d.Path(). It returns nil for a type without keys.
func (d *Decoder) keyPathsBelow(t reflect.Type) (keys []string) {
	switch {
	case t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice:
		return d.keyPathsBelow(t.Elem())
	case isValueType(t):
		return d.keyPathsBelow(t.Field(0).Type)
	case d.Types[t].FileType != nil:
		return d.keyPathsBelow(d.Types[t].FileType)
	case t.Kind() != reflect.Struct:
		return nil
	}
	for _, f := range keyedFields(t) {
		d.WithKey(f.name, func() {
			keys = append(keys, d.Path())
			keys = append(keys, d.keyPathsBelow(t.FieldByIndex(f.index).Type)...)
		})
	}
	return keys
}

// isValueType reports whether t is an instance of the generic type Value.
func isValueType(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && strings.HasPrefix(t.Name(), "Value[")
}

// isScalarType reports whether t is a string, bool or number type, or a Value of such a type.
func isScalarType(t reflect.Type) bool {
	if isValueType(t) {
		t = t.Field(0).Type
	}
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64:
		return true
	}
	return false
}
