package strict

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// A field is one key of a struct.
type field struct {
	name  string
	index []int
}

// Name returns the key of a struct's field, or "" if files cannot set the field. It is the
// yaml tag, or the key tag in packages that do not know YAML.
func Name(f reflect.StructField) string {
	name, _, _ := strings.Cut(cmp.Or(f.Tag.Get("yaml"), f.Tag.Get("key")), ",")
	return name
}

// fieldsOf returns the fields of a struct that have a key, with those of embedded structs.
func fieldsOf(t reflect.Type) []field {
	var out []field
	for _, f := range reflect.VisibleFields(t) {
		if name := Name(f); name != "" && f.IsExported() {
			out = append(out, field{name, f.Index})
		}
	}
	return out
}

// Keys returns the paths of all keys of v, a struct or a pointer to one, sorted: "output",
// "output.max_urls". A Custom type other than Value has the keys of its tags.
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
	case d.Types[t].As != nil:
		return d.keysOf(d.Types[t].As)
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

// isValue reports whether a type is a Value.
func isValue(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && strings.HasPrefix(t.Name(), "Value[")
}

// isScalar reports whether a type, or the content of a Value, is neither list, map nor struct.
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
