package generator

import (
	"maps"
	"slices"
	"strings"

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

// lowerKeys returns v with all keys in lower case, as Hugo reads them.
func (v *value) lowerKeys() *value {
	if v == nil || v.kind == scalar {
		return v
	}
	w := &value{kind: v.kind, pos: v.pos}
	for _, item := range v.list {
		w.list = append(w.list, item.lowerKeys())
	}
	if v.kind == table {
		w.table = map[string]*value{}
		v.eachEntry(func(key string, x *value) { w.set(strings.ToLower(key), x.lowerKeys()) })
	}
	return w
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

// maxDepth limits the nesting of a configuration, and maxNodes the cost of YAML aliases.
const (
	maxDepth = 64
	maxNodes = 100_000
)

// newValue returns the value of a node. It returns nil for a node with the tag of a programming
// language, as in MkDocs.
func newValue(n *yaml.Node, name string) *value {
	r := yamlReader{name: name}
	return r.value(n, 0)
}

// A yamlReader converts nodes to values. It counts nodes, because aliases may multiply them.
type yamlReader struct {
	name  string
	nodes int
}

func (r *yamlReader) value(n *yaml.Node, depth int) *value {
	r.nodes++
	if depth > maxDepth || r.nodes > maxNodes {
		return nil
	}
	v := &value{pos: diag.Pos{File: r.name, Line: n.Line, Col: n.Column}}
	switch n.Kind {
	case yaml.AliasNode:
		return r.value(n.Alias, depth+1)
	case yaml.SequenceNode:
		v.kind = list
		for _, item := range n.Content {
			v.list = append(v.list, r.value(item, depth+1))
		}
	case yaml.MappingNode:
		return r.mapping(n, depth)
	case yaml.ScalarNode:
		v.scalar = yamlScalar(n)
	}
	return v
}

func (r *yamlReader) mapping(n *yaml.Node, depth int) *value {
	v := newTable(diag.Pos{File: r.name, Line: n.Line, Col: n.Column})
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, w := n.Content[i], r.value(n.Content[i+1], depth+1)
		if key.Tag == "!!merge" {
			v = w.merge(v)
			continue
		}
		v.set(key.Value, w)
	}
	return v
}

// yamlScalar returns a string, a boolean or nil. A number is a string, as written.
func yamlScalar(n *yaml.Node) any {
	switch n.ShortTag() {
	case "!!str", "!!int", "!!float", "!!timestamp":
		return n.Value
	case "!!bool":
		b, _ := strict.Bool(n)
		return b
	}
	return nil
}
