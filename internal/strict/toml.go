package strict

import (
	"errors"

	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/sitewalk/sitewalk/diag"
	"gopkg.in/yaml.v3"
)

// TOML reads a TOML document into the nodes that YAML would give. Dates are
// scalars with the tag !!timestamp and the text that stands in the file. It
// returns what stands before the first mistake in the notation.
func (m *Nodes) TOML(name string, src []byte) (*yaml.Node, diag.List) {
	m.toml.reset(m.places(name, src))
	return m.toml.read(src)
}

// reset makes t ready for another document.
func (t *tomlTree) reset(p places) {
	const large = 1000 // to empty such a map takes longer than to make one
	if t.index == nil || len(t.index)+len(t.defined) > large {
		t.index, t.defined = map[entry]*yaml.Node{}, map[*yaml.Node]bool{}
	}
	clear(t.index)
	clear(t.defined)
	t.places, t.diags = p, nil
}

func (t *tomlTree) read(src []byte) (*yaml.Node, diag.List) {
	t.p.Reset(src)
	root := t.node(yaml.MappingNode, 0)
	root.Tag = "!!map"
	table := root
	for t.p.NextExpression() {
		switch e := t.p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = t.table(root, e)
		case unstable.KeyValue:
			t.keyValue(table, e)
		}
	}
	var bad *unstable.ParserError
	if errors.As(t.p.Error(), &bad) {
		t.diags.Errorf(t.Pos(t.offset(bad.Highlight)), "bad-syntax", "", "not valid TOML: %s", bad.Message)
	}
	return root, t.diags
}

// A tomlTree is a TOML document on its way to nodes.
type tomlTree struct {
	places
	p       unstable.Parser
	index   map[entry]*yaml.Node // of every mapping; a search in each would be quadratic
	defined map[*yaml.Node]bool  // by a header of their own
	diags   diag.List
}

// An entry is a key of one mapping.
type entry struct {
	in  *yaml.Node
	key string
}

// offset returns where b lies in the document; the end of the document when b
// is no part of it.
func (t *tomlTree) offset(b []byte) int {
	off := cap(t.p.Data()) - cap(b)
	if off < 0 || off > len(t.p.Data()) {
		return len(t.p.Data())
	}
	return off
}

func (t *tomlTree) scalar(n *unstable.Node, tag string) *yaml.Node {
	s := t.node(yaml.ScalarNode, int(n.Raw.Offset))
	s.Tag, s.Value = tag, string(n.Data)
	return s
}

// key returns the scalar of one part of a dotted key.
func (t *tomlTree) key(n *unstable.Node) *yaml.Node { return t.scalar(n, "!!str") }

// put adds a value to a mapping that does not have the key yet.
func (t *tomlTree) put(m, key, v *yaml.Node) {
	m.Content = append(m.Content, key, v)
	t.index[entry{m, key.Value}] = v
}

// at returns an empty node at the place of another.
func (t *tomlTree) at(place *yaml.Node, kind yaml.Kind, tag string) *yaml.Node {
	n := t.nodes.next()
	n.Kind, n.Tag, n.Line, n.Column = kind, tag, place.Line, place.Column
	return n
}

// inner returns the mapping below key that a dotted key or a header leads
// through, made if need be; of an array of tables it is the last.
func (t *tomlTree) inner(m, key *yaml.Node) *yaml.Node {
	c := t.index[entry{m, key.Value}]
	if c != nil && c.Kind == yaml.SequenceNode && len(c.Content) > 0 && t.defined[c] {
		c = c.Content[len(c.Content)-1]
	}
	if c != nil && c.Kind == yaml.MappingNode {
		return c
	}
	fresh := t.at(key, yaml.MappingNode, "!!map")
	if c == nil {
		t.put(m, key, fresh)
	} else {
		t.twice(key)
	}
	return fresh
}

func (t *tomlTree) twice(key *yaml.Node) {
	t.diags.Errorf(diag.Pos{File: t.name, Line: key.Line, Col: key.Column}, "duplicate-key",
		"keep one of the two", "key %q is set here for the second time", key.Value)
}

// walk follows all but the last part of a key.
func (t *tomlTree) walk(m *yaml.Node, parts unstable.Iterator) (in, last *yaml.Node) {
	for depth := 0; parts.Next(); depth++ {
		key := t.key(parts.Node())
		if parts.IsLast() {
			return m, key
		}
		if depth > maxDepth {
			m = t.at(m, yaml.MappingNode, "!!map") // part of nothing
			continue
		}
		m = t.inner(m, key)
	}
	return m, nil
}

// table returns the mapping that a [header] or a [[header]] opens.
func (t *tomlTree) table(root *yaml.Node, e *unstable.Node) *yaml.Node {
	isArray := e.Kind == unstable.ArrayTable
	m, key := t.walk(root, e.Key())
	if !isArray {
		in := t.inner(m, key)
		if t.defined[in] {
			t.twice(key)
		}
		t.defined[in] = true
		return in
	}
	fresh := t.at(key, yaml.MappingNode, "!!map")
	list := t.index[entry{m, key.Value}]
	switch {
	case list == nil:
		list = t.at(key, yaml.SequenceNode, "!!seq")
		t.defined[list] = true
		t.put(m, key, list)
	case !t.defined[list] || list.Kind != yaml.SequenceNode:
		t.twice(key)
		return fresh
	}
	list.Content = append(list.Content, fresh)
	return fresh
}

func (t *tomlTree) keyValue(m *yaml.Node, e *unstable.Node) {
	in, key := t.walk(m, e.Key())
	if t.index[entry{in, key.Value}] != nil {
		t.twice(key)
		return
	}
	t.put(in, key, t.value(e.Value(), key))
}

var tomlTags = map[unstable.Kind]string{
	unstable.String: "!!str", unstable.Bool: "!!bool", unstable.Integer: "!!int", unstable.Float: "!!float",
	unstable.LocalDate: "!!timestamp", unstable.LocalTime: "!!str",
	unstable.LocalDateTime: "!!timestamp", unstable.DateTime: "!!timestamp",
}

// value returns the node of a value. A list, whose own place the parser does
// not tell, is put at the place of the node before it.
func (t *tomlTree) value(n *unstable.Node, before *yaml.Node) *yaml.Node {
	switch n.Kind {
	case unstable.Array:
		list := t.at(before, yaml.SequenceNode, "!!seq")
		for it := n.Children(); it.Next(); {
			list.Content = append(list.Content, t.value(it.Node(), list))
		}
		return list
	case unstable.InlineTable:
		m := t.node(yaml.MappingNode, int(n.Raw.Offset))
		m.Tag = "!!map"
		for it := n.Children(); it.Next(); {
			t.keyValue(m, it.Node())
		}
		return m
	}
	return t.scalar(n, tomlTags[n.Kind])
}
