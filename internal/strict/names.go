package strict

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// Nearest returns the word of a list that a misspelled one most likely means,
// or "".
func Nearest(word string, words []string) string {
	const most = 100 // runes of a word worth comparing
	w := skeleton(word)
	if len(w) > most {
		return ""
	}
	best, least := "", 1+max(1, len(w)/3)
	for _, s := range words {
		if n := distance(w, skeleton(s)); n < least {
			best, least = s, n
		}
	}
	return best
}

// skeleton is a word without what people vary: case, dashes, underscores.
func skeleton(s string) []rune {
	return []rune(strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(s)))
}

// distance counts the letters to insert, delete, replace or swap.
func distance(a, b []rune) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	before, last, row := rows[0], rows[1], rows[2]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

var indexes = regexp.MustCompile(`\[\d+\]`)

// plain returns a path without the numbers of list items.
func plain(path string) string { return indexes.ReplaceAllString(path, "") }

func join(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

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
			for _, f := range d.fieldsOf(t) {
				*out = append(*out, join(d.Path(), f.name))
				d.Under(f.name, func() { d.keys(t.FieldByIndex(f.index).Type, out) })
			}
			return
		default:
			return
		}
	}
}
