package strict

import (
	"errors"

	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/sitewalk/sitewalk/diag"
	"gopkg.in/yaml.v3"
)

// ReadTOML parses the TOML document in src, and returns it as a YAML node. A date becomes a scalar
// with the tag "!!timestamp". A key that is set twice occurs twice in the node, and Decode reports
// the key. A table with two headers occurs once. After a syntax error, ReadTOML returns the values
// before the error, and a finding. For a document that is too large or has too many nodes, ReadTOML
// returns nil and a finding. name is the name of the file in findings.
func ReadTOML(name string, src []byte) (n *yaml.Node, diags diag.List) {
	r := &tomlReader{LineIndex: NewLineIndex(name, src), index: map[indexKey]*yaml.Node{}}
	if rejectLargeFile(&diags, name, src) {
		return nil, diags
	}
	r.parser.Reset(src)
	root := r.newNode(yaml.MappingNode, "!!map", 0)
	table := root
	for r.parser.NextExpression() {
		switch e := r.parser.Expression(); e.Kind {
		case unstable.Table:
			table = r.childMapping(r.resolveKey(root, e.Key()))
		case unstable.ArrayTable:
			table = r.openArrayTable(root, e)
		case unstable.KeyValue:
			r.addKeyValue(table, e)
		}
	}
	var bad *unstable.ParserError
	if errors.As(r.parser.Error(), &bad) {
		diags.Errorf(r.Pos(r.offsetOf(bad.Highlight)), "bad-syntax", "", "not valid TOML: %s", bad.Message)
	}
	if hasTooManyNodes(root) {
		reportTooManyNodes(&diags, name)
		return nil, diags
	}
	return root, diags
}

// A tomlReader converts a TOML document into YAML nodes.
type tomlReader struct {
	LineIndex
	parser unstable.Parser
	index  map[indexKey]*yaml.Node // value of each key in each mapping; a linear search would be too slow
}

// An indexKey identifies a value in tomlReader.index by a mapping and the name of a key in it.
type indexKey struct {
	in  *yaml.Node
	key string
}

// offsetOf returns the byte offset of b, a part of the document. If b cannot be a part of the
// document, it returns the length of the document.
func (t *tomlReader) offsetOf(b []byte) int {
	off := cap(t.parser.Data()) - cap(b)
	if off < 0 || off > len(t.parser.Data()) {
		return len(t.parser.Data())
	}
	return off
}

// newScalar returns a scalar node with the given tag, and with the text and the position of n.
func (t *tomlReader) newScalar(n *unstable.Node, tag string) *yaml.Node {
	s := t.newNode(yaml.ScalarNode, tag, int(n.Raw.Offset))
	s.Value = string(n.Data)
	return s
}

// newNodeAt returns an empty node of the given kind and tag, at the position of the node place.
func newNodeAt(place *yaml.Node, kind yaml.Kind, tag string) *yaml.Node {
	return &yaml.Node{Kind: kind, Tag: tag, Line: place.Line, Column: place.Column}
}

// addEntry appends the key and its value v to the mapping m.
func (t *tomlReader) addEntry(m, key, v *yaml.Node) {
	m.Content = append(m.Content, key, v)
	t.index[indexKey{m, key.Value}] = v
}

// childMapping returns the mapping that is the value of key in the mapping m. If the value is a
// list of tables, it returns the last table. If the key is missing or has another value, it adds
// the key to m with an empty mapping, and returns this mapping.
func (t *tomlReader) childMapping(m, key *yaml.Node) *yaml.Node {
	c := t.index[indexKey{m, key.Value}]
	if c != nil && c.Kind == yaml.SequenceNode && len(c.Content) > 0 {
		c = c.Content[len(c.Content)-1]
	}
	if c == nil || c.Kind != yaml.MappingNode {
		c = newNodeAt(key, yaml.MappingNode, "!!map")
		t.addEntry(m, key, c)
	}
	return c
}

// resolveKey resolves a dotted key such as a.b.c, beginning at the mapping m. It returns the last
// part of the key, here c, and the mapping that contains this part, here the value of a.b. It adds
// missing mappings. If the key is nested deeper than maxDepth, the result is not part of the
// document.
func (t *tomlReader) resolveKey(m *yaml.Node, parts unstable.Iterator) (in, last *yaml.Node) {
	for depth := 0; parts.Next(); depth++ {
		key := t.newScalar(parts.Node(), "!!str")
		switch {
		case parts.IsLast():
			return m, key
		case depth > maxDepth:
			m = newNodeAt(m, yaml.MappingNode, "!!map") // not added to the document
		default:
			m = t.childMapping(m, key)
		}
	}
	return m, nil
}

// openArrayTable returns a new mapping for the lines below a [[header]]. It appends the mapping to
// the list that the header names.
func (t *tomlReader) openArrayTable(root *yaml.Node, e *unstable.Node) *yaml.Node {
	m, key := t.resolveKey(root, e.Key())
	list := t.index[indexKey{m, key.Value}]
	if list == nil || list.Kind != yaml.SequenceNode {
		list = newNodeAt(key, yaml.SequenceNode, "!!seq")
		t.addEntry(m, key, list)
	}
	table := newNodeAt(key, yaml.MappingNode, "!!map")
	list.Content = append(list.Content, table)
	return table
}

func (t *tomlReader) addKeyValue(m *yaml.Node, e *unstable.Node) {
	in, key := t.resolveKey(m, e.Key())
	t.addEntry(in, key, t.readValue(e.Value(), key))
}

// tomlTags maps the type of a TOML value to the tag of its YAML node.
var tomlTags = map[unstable.Kind]string{
	unstable.String: "!!str", unstable.Bool: "!!bool", unstable.Integer: "!!int", unstable.Float: "!!float",
	unstable.LocalDate: "!!timestamp", unstable.LocalTime: "!!str",
	unstable.LocalDateTime: "!!timestamp", unstable.DateTime: "!!timestamp",
}

// readValue converts a TOML value into a node. before is the key of the value, or the list around
// it. A list gets the position of before, because the parser gives lists no position.
func (t *tomlReader) readValue(n *unstable.Node, before *yaml.Node) *yaml.Node {
	switch n.Kind {
	case unstable.Array:
		list := newNodeAt(before, yaml.SequenceNode, "!!seq")
		for it := n.Children(); it.Next(); {
			list.Content = append(list.Content, t.readValue(it.Node(), list))
		}
		return list
	case unstable.InlineTable:
		m := t.newNode(yaml.MappingNode, "!!map", int(n.Raw.Offset))
		for it := n.Children(); it.Next(); {
			t.addKeyValue(m, it.Node())
		}
		return m
	}
	return t.newScalar(n, tomlTags[n.Kind])
}
