package generator

import (
	"maps"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// A value is a value in a configuration file: a string, a boolean, a list or a table. A number or a
// date is the string of its text in the file. A nil *value means that the value is missing. The
// methods that read a value accept nil.
type value struct {
	scalar any // a string or a bool; nil if the value is unknown, a list or a table
	list   []*value
	table  map[string]*value
	keys   []string // keys of table in the order of the file
	kind   kind
	pos    diag.Pos
	node   *yaml.Node // node in the file, of merged tables the last one; nil for a value of a program
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

// set sets the value of key in the table v.
func (v *value) set(key string, w *value) {
	if _, ok := v.table[key]; !ok {
		v.keys = append(v.keys, key)
	}
	v.table[key] = w
}

// at returns the value for nested keys: at("build", "format") returns the value of format in the
// table build. It returns nil if there is none.
func (v *value) at(keys ...string) *value {
	for _, key := range keys {
		v = v.orEmpty().table[key]
	}
	return v
}

// asTable returns v if it is a table, otherwise nil.
func (v *value) asTable() *value {
	if v == nil || v.kind != table {
		return nil
	}
	return v
}

// orEmpty returns v, or an empty value if v is nil.
func (v *value) orEmpty() *value {
	if v == nil {
		return new(value)
	}
	return v
}

// str returns v as a string, or "" if v is not a string.
func (v *value) str() string {
	s, _ := v.orEmpty().scalar.(string)
	return s
}

// isTrue reports whether v is the boolean true, or the string "true".
func (v *value) isTrue() bool { return v.str() == "true" || v.orEmpty().scalar == true }

// isFalse reports whether v is the boolean false, or the string "false".
func (v *value) isFalse() bool { return v.str() == "false" || v.orEmpty().scalar == false }

// hasAny reports whether the table v contains at least one of the keys.
func (v *value) hasAny(keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return v.at(key) != nil })
}

// position returns the position of v, or the zero Pos if v is nil.
func (v *value) position() diag.Pos { return v.orEmpty().pos }

// items returns the items of the list v, or nil if v is not a list.
func (v *value) items() []*value { return v.orEmpty().list }

// item returns item i of the list v, or nil if there is none.
func (v *value) item(i int) *value {
	if i >= len(v.items()) {
		return nil
	}
	return v.list[i]
}

// stringList returns the strings in the list v. If v is a string, the result contains only this
// string. Empty strings are left out.
func (v *value) stringList() []string {
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

// isComputed reports whether v is set, but its value is unknown, for example because a program
// computes it.
func (v *value) isComputed() bool { return v != nil && v.kind == scalar && v.scalar == nil }

// firstString returns the first value that is a non-empty string, or nil if there is none.
func firstString(values ...*value) *value {
	for _, v := range values {
		if v.str() != "" {
			return v
		}
	}
	return nil
}

// eachEntry calls f for each entry of the table v, in the order of the file.
func (v *value) eachEntry(f func(key string, w *value)) {
	for _, key := range v.orEmpty().keys {
		f(key, v.table[key])
	}
}

// merge returns a copy of v in which the values of override replace the values with the same key.
// If both values of a key are tables, they are merged in the same way. If override is nil, the
// result is v. If v or override is not a table, the result is override.
func (v *value) merge(override *value) *value {
	if override == nil {
		return v
	}
	if v == nil || v.kind != table || override.kind != table {
		return override
	}
	w := &value{kind: table, table: maps.Clone(v.table), pos: v.pos, keys: slices.Clone(v.keys), node: override.node}
	override.eachEntry(func(key string, x *value) {
		if x != nil { // with a nil value, the key has no value in the result
			x = w.table[key].merge(x)
		}
		w.set(key, x)
	})
	return w
}

// DecodeNode sets v to the value of a YAML node, and returns true. It leaves out items and entries
// with the value null. A scalar with a tag such as "!!python/name:…", which MkDocs uses, is
// unknown.
func (v *value) DecodeNode(d *strict.Decoder, n *yaml.Node) bool {
	v.pos, v.node = d.Pos(n), n
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
		v.scalar = boolOrText(n)
	}
	return true
}

// boolOrText returns the value of a scalar node: a bool, or the text of a string, a number or a
// date. The result is nil for any other type.
func boolOrText(n *yaml.Node) any {
	switch n.ShortTag() {
	case "!!str", "!!int", "!!float", "!!timestamp":
		return n.Value
	case "!!bool":
		b, _ := strict.ParseBool(n)
		return b
	}
	return nil
}
