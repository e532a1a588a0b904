package strict

import (
	"reflect"
	"slices"
)

// Keys returns the paths of all keys that v, a struct or a pointer to one,
// knows, sorted: "output", "output.max_urls". Those of a Custom type other than
// Value are those of its own tags.
func (o Options) Keys(v any) []string {
	d := &Decoder{Options: o}
	var out []string
	d.keys(reflect.TypeOf(v), &out)
	slices.Sort(out)
	return out
}

func (d *Decoder) keys(t reflect.Type, out *[]string) {
	for {
		switch {
		case t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice:
			t = t.Elem()
		case isValue(t):
			t = t.Field(0).Type
		case d.Types[t].As != nil:
			t = d.Types[t].As
		case t.Kind() == reflect.Struct:
			for _, f := range fieldsOf(t) {
				d.Under(f.name, func() {
					*out = append(*out, d.Path())
					d.keys(t.FieldByIndex(f.index).Type, out)
				})
			}
			return
		default:
			return
		}
	}
}
