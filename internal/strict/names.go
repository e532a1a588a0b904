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

// FieldKey returns the key that sets a struct field in a file, or "" if no key does. The key is in
// the yaml tag, or in the key tag in packages that do not depend on YAML.
func FieldKey(f reflect.StructField) string {
	name, _, _ := strings.Cut(cmp.Or(f.Tag.Get("yaml"), f.Tag.Get("key")), ",")
	return name
}

// fieldsOf returns the fields of the struct type t that have a key, including fields of embedded
// structs.
func fieldsOf(t reflect.Type) []field {
	var out []field
	for _, f := range reflect.VisibleFields(t) {
		if name := FieldKey(f); name != "" && f.IsExported() {
			out = append(out, field{name, f.Index})
		}
	}
	return out
}

// Keys returns the sorted paths of all keys that Decode accepts for v, a struct or a pointer to a
// struct: "output", "output.max_urls". For a Custom type other than Value, it returns the keys in
// the tags of the type.
func (o Options) Keys(v any) []string {
	d := &Decoder{Options: o}
	keys := d.keysOf(reflect.TypeOf(v))
	slices.Sort(keys)
	return keys
}

func (d *Decoder) keysOf(t reflect.Type) (keys []string) {
	switch {
	case t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice:
		return d.keysOf(t.Elem())
	case isValue(t):
		return d.keysOf(t.Field(0).Type)
	case d.Types[t].FileType != nil:
		return d.keysOf(d.Types[t].FileType)
	case t.Kind() != reflect.Struct:
		return nil
	}
	for _, f := range fieldsOf(t) {
		d.WithKey(f.name, func() {
			keys = append(keys, d.Path())
			keys = append(keys, d.keysOf(t.FieldByIndex(f.index).Type)...)
		})
	}
	return keys
}

// isValue reports whether t is an instance of the generic type Value.
func isValue(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && strings.HasPrefix(t.Name(), "Value[")
}

// isScalar reports whether t is a string, bool or number type, or a Value of such a type.
func isScalar(t reflect.Type) bool {
	if isValue(t) {
		t = t.Field(0).Type
	}
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64:
		return true
	}
	return false
}
