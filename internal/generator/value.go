package generator

import (
	"maps"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// A value is one value of a configuration file, with its position. A nil *value is a missing
// one.
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

// set sets a key of a table.
func (v *value) set(key string, w *value) {
	if _, ok := v.table[key]; !ok {
		v.keys = append(v.keys, key)
	}
	v.table[key] = w
}

// at returns the value below the keys.
func (v *value) at(keys ...string) *value {
	for _, key := range keys {
		v = v.get().table[key]
	}
	return v
}

// asTable returns v if it is a table, or nil.
func (v *value) asTable() *value {
	if v == nil || v.kind != table {
		return nil
	}
	return v
}

// get returns v, or an empty value if v is nil.
func (v *value) get() *value {
	if v == nil {
		return new(value)
	}
	return v
}

// str returns a string, or "".
func (v *value) str() string {
	s, _ := v.asString()
	return s
}

// asString returns v as a string, and reports whether v is a string.
func (v *value) asString() (s string, ok bool) {
	s, ok = v.get().scalar.(string)
	return s, ok
}

// bool returns a boolean, which may be written as a string.
func (v *value) bool() (b, ok bool) {
	if s, isString := v.asString(); isString {
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

// hasAny reports whether one of the keys has a value.
func (v *value) hasAny(keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return v.at(key) != nil })
}

// position returns the place of a value.
func (v *value) position() diag.Pos { return v.get().pos }

// items returns the entries of a list.
func (v *value) items() []*value { return v.get().list }

// item returns an entry of a list.
func (v *value) item(i int) *value {
	if i >= len(v.items()) {
		return nil
	}
	return v.list[i]
}

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

// isComputed reports whether the value is present but unknown without running the program.
func (v *value) isComputed() bool { return v != nil && v.kind == scalar && v.scalar == nil }

// firstString returns the first of some values that is a string, or nil.
func firstString(values ...*value) *value {
	for _, v := range values {
		if v.str() != "" {
			return v
		}
	}
	return nil
}

// eachEntry calls f for each entry of a table, in the order of the file.
func (v *value) eachEntry(f func(key string, w *value)) {
	for _, key := range v.get().keys {
		f(key, v.table[key])
	}
}

// merge merges the tables of over into those of v. Other values are replaced.
func (v *value) merge(over *value) *value {
	if over == nil {
		return v
	}
	if v == nil || v.kind != table || over.kind != table {
		return over
	}
	w := &value{kind: table, table: maps.Clone(v.table), pos: v.pos, keys: slices.Clone(v.keys)}
	over.eachEntry(func(key string, x *value) {
		if x != nil { // else it stays unknown
			x = w.table[key].merge(x)
		}
		w.set(key, x)
	})
	return w
}

// DecodeNode implements strict.Custom. A null value, or one with the tag of a programming
// language as in MkDocs, is unknown.
func (v *value) DecodeNode(d *strict.Decoder, n *yaml.Node) bool {
	v.pos = d.Pos(n)
	switch n.Kind {
	case yaml.SequenceNode:
		v.kind = list
		d.Decode(n, &v.list)
	case yaml.MappingNode:
		v.kind, v.table = table, map[string]*value{}
		d.ForEachEntry(n, func(key string, n *yaml.Node) {
			w := new(value)
			w.DecodeNode(d, n)
			v.set(key, w)
		})
	default:
		v.scalar = yamlScalar(n)
	}
	return true
}

// yamlScalar returns a string, a boolean or nil. A number is a string, as written.
func yamlScalar(n *yaml.Node) any {
	switch n.ShortTag() {
	case "!!str", "!!int", "!!float", "!!timestamp":
		return n.Value
	case "!!bool":
		b, _ := strict.ParseBool(n)
		return b
	}
	return nil
}
