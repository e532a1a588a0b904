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

// FieldKey returns the key in a file that sets the struct field f, such as "base_url", or "" if no
// key sets f. The struct tag "yaml" contains the key. In packages that do not depend on YAML, the
// struct tag "key" contains it.
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

// isScalarType reports whether the kind of t is string, bool, int, int64 or float64. For a Value,
// it reports this of the type in the Value.
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

// maxWordLen is the maximum length in bytes of the word a in EditDistance.
const maxWordLen = 200

// NearestWord returns the element of words that a misspelled word probably means. It returns "" if
// no element is similar enough. It ignores case, dashes, underscores and spaces.
func NearestWord(word string, words []string) string {
	word = normalizeWord(word)
	best, least := "", 1+max(1, len(word)/3)
	for _, other := range words {
		if n := EditDistance(word, normalizeWord(other), least); n < least {
			best, least = other, n
		}
	}
	return best
}

// normalizeWord returns s in lower case without dashes, underscores and spaces.
func normalizeWord(s string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(s))
}

// EditDistance returns the number of edits that turn a into b. An edit inserts, deletes or changes
// one byte, or swaps two neighbouring bytes. If more than limit edits are needed, or if a is longer
// than 200 bytes, the result is some number greater than limit.
// See the restricted distance in https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance
func EditDistance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit || len(a) > maxWordLen {
		return limit + 1
	}
	n := len(b) + 1
	last, row, next := make([]int, n), make([]int, n), make([]int, n)
	for i := range row {
		row[i] = i
	}
	for i := range len(a) {
		next[0] = i + 1
		for k := range len(b) {
			d := row[k]
			if a[i] != b[k] {
				d++
			}
			if i > 0 && k > 0 && a[i] == b[k-1] && a[i-1] == b[k] {
				d = min(d, last[k-1]+1)
			}
			next[k+1] = min(d, row[k+1]+1, next[k]+1)
		}
		last, row, next = row, next, last
	}
	return row[n-1]
}
