package generator

import (
	"maps"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
)

// A value is one value of a configuration file and the place where it stands.
// A nil *value is one that is not there; its methods say nothing.
type value struct {
	scalar any // string, bool, or anything else that is neither list nor table
	list   []*value
	table  map[string]*value
	keys   []string // of table, in order
	kind   kind
	pos    diag.Pos
}

type kind uint8

const (
	scalar kind = iota
	list
	table
)

func newTable(pos diag.Pos) *value {
	return &value{kind: table, table: map[string]*value{}, pos: pos}
}

// set puts a value into a table; a later one replaces an earlier.
func (v *value) set(key string, w *value) {
	if _, ok := v.table[key]; !ok {
		v.keys = append(v.keys, key)
	}
	v.table[key] = w
}

// at returns what lies below the keys.
func (v *value) at(keys ...string) *value {
	for _, key := range keys {
		v = v.get().table[key]
	}
	return v
}

// nothing is a value that says nothing. A new one each time, in all places that get
// is inlined to, makes the program 36 kB larger.
var nothing value

// get returns v, or a value that says nothing.
func (v *value) get() *value {
	if v == nil {
		return &nothing
	}
	return v
}

// str returns a string, or "".
func (v *value) str() string {
	s, _ := v.text()
	return s
}

// text returns a string, and whether there is one.
func (v *value) text() (s string, ok bool) {
	s, ok = v.get().scalar.(string)
	return s, ok
}

// bool returns a boolean, also one that is written as a string.
func (v *value) bool() (b, ok bool) {
	if s, isString := v.text(); isString {
		return s == "true", s == "true" || s == "false"
	}
	b, ok = v.get().scalar.(bool)
	return b, ok
}

// isTrue reports whether v is a boolean and true.
func (v *value) isTrue() bool {
	b, _ := v.bool()
	return b
}

// isFalse reports whether v is a boolean and false.
func (v *value) isFalse() bool {
	b, ok := v.bool()
	return ok && !b
}

// has reports whether one of some keys is there.
func (v *value) has(keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return v.at(key) != nil })
}

// position returns where a value stands, or no place.
func (v *value) position() diag.Pos { return v.get().pos }

// items returns the entries of a list.
func (v *value) items() []*value { return v.get().list }

// strs returns the strings of a list, or of a single string.
func (v *value) strs() []string {
	if s := v.str(); s != "" {
		return []string{s}
	}
	var all []string
	for _, w := range v.items() {
		if s := w.str(); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// each calls f for each entry of a table, in the order of the file.
func (v *value) each(f func(key string, w *value)) {
	for _, key := range v.get().keys {
		f(key, v.table[key])
	}
}

// lower returns v with all keys in lower case, as Hugo reads them.
func (v *value) lower() *value {
	if v == nil || v.kind == scalar {
		return v
	}
	w := &value{kind: v.kind, pos: v.pos}
	for _, item := range v.list {
		w.list = append(w.list, item.lower())
	}
	if v.kind == table {
		w.table = map[string]*value{}
		v.each(func(key string, x *value) { w.set(strings.ToLower(key), x.lower()) })
	}
	return w
}

// merge lays over on top of v, table by table; everything else is replaced.
func (v *value) merge(over *value) *value {
	if over == nil {
		return v
	}
	if v == nil || v.kind != table || over.kind != table {
		return over
	}
	w := &value{kind: table, table: maps.Clone(v.table), pos: v.pos, keys: slices.Clone(v.keys)}
	over.each(func(key string, x *value) {
		if x != nil { // else it is not known, whatever it was
			x = w.table[key].merge(x)
		}
		w.set(key, x)
	})
	return w
}
