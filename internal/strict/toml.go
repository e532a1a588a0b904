package strict

import (
	"errors"

	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/sitewalk/sitewalk/diag"
	"gopkg.in/yaml.v3"
)

// TOML reads a TOML document into the nodes of the equal YAML. A date is a scalar with the tag
// !!timestamp and its text. After a syntax error TOML returns the part before the error.
func TOML(name string, src []byte) (*yaml.Node, diag.List) {
	r := &tomlReader{Places: NewPlaces(name, src), index: map[entry]*yaml.Node{}, defined: map[*yaml.Node]bool{}}
	if rejectLarge(&r.diags, name, src) {
		return nil, r.diags
	}
	r.parser.Reset(src)
	root := r.newNode(yaml.MappingNode, "!!map", 0)
	table := root
	for r.parser.NextExpression() {
		switch e := r.parser.Expression(); e.Kind {
		case unstable.Table:
			table = r.openTable(root, e)
		case unstable.ArrayTable:
			table = r.openArrayTable(root, e)
		case unstable.KeyValue:
			r.addKeyValue(table, e)
		}
	}
	var bad *unstable.ParserError
	if errors.As(r.parser.Error(), &bad) {
		r.diags.Errorf(r.Pos(r.offsetOf(bad.Highlight)), "bad-syntax", "", "not valid TOML: %s", bad.Message)
	}
	if hasManyNodes(src, root) {
		reportManyNodes(&r.diags, name)
		return nil, r.diags
	}
	return root, r.diags
}

// A tomlReader reads a TOML document into nodes.
type tomlReader struct {
	Places
	parser  unstable.Parser
	index   map[entry]*yaml.Node // of all mappings; a search in each would be quadratic
	defined map[*yaml.Node]bool  // by a header
	diags   diag.List
}

// An entry is a key of one mapping.
type entry struct {
	in  *yaml.Node
	key string
}

// offsetOf returns the offset of b in the document, or the end of the document if b is no part
// of it.
func (r *tomlReader) offsetOf(b []byte) int {
	off := cap(r.parser.Data()) - cap(b)
	if off < 0 || off > len(r.parser.Data()) {
		return len(r.parser.Data())
	}
	return off
}

func (r *tomlReader) newScalar(n *unstable.Node, tag string) *yaml.Node {
	s := r.newNode(yaml.ScalarNode, tag, int(n.Raw.Offset))
	s.Value = string(n.Data)
	return s
}

func nodeAt(place *yaml.Node, kind yaml.Kind, tag string) *yaml.Node {
	return &yaml.Node{Kind: kind, Tag: tag, Line: place.Line, Column: place.Column}
}

// set adds a value to a mapping that does not have the key yet.
func (r *tomlReader) set(m, key, v *yaml.Node) {
	m.Content = append(m.Content, key, v)
	r.index[entry{m, key.Value}] = v
}

func (r *tomlReader) reportDuplicate(key *yaml.Node) {
	r.diags.Errorf(diag.Pos{File: r.name, Line: key.Line, Col: key.Column}, "duplicate-key",
		"keep one of the two", "key %q is set here for the second time", key.Value)
}

// childMapping returns the mapping of key in m. It makes the mapping if there is none. In an
// array of tables, it returns the last table.
func (r *tomlReader) childMapping(m, key *yaml.Node) *yaml.Node {
	c := r.index[entry{m, key.Value}]
	if c != nil && c.Kind == yaml.SequenceNode && len(c.Content) > 0 && r.defined[c] {
		c = c.Content[len(c.Content)-1]
	}
	if c != nil && c.Kind == yaml.MappingNode {
		return c
	}
	fresh := nodeAt(key, yaml.MappingNode, "!!map")
	if c == nil {
		r.set(m, key, fresh)
	} else {
		r.reportDuplicate(key)
	}
	return fresh
}

// followKey follows all parts of a dotted key but the last.
func (r *tomlReader) followKey(m *yaml.Node, parts unstable.Iterator) (in, last *yaml.Node) {
	for depth := 0; parts.Next(); depth++ {
		key := r.newScalar(parts.Node(), "!!str")
		switch {
		case parts.IsLast():
			return m, key
		case depth > maxDepth:
			m = nodeAt(m, yaml.MappingNode, "!!map") // part of nothing
		default:
			m = r.childMapping(m, key)
		}
	}
	return m, nil
}

// openTable returns the mapping that a [header] opens.
func (r *tomlReader) openTable(root *yaml.Node, e *unstable.Node) *yaml.Node {
	m, key := r.followKey(root, e.Key())
	table := r.childMapping(m, key)
	if r.defined[table] {
		r.reportDuplicate(key)
	}
	r.defined[table] = true
	return table
}

// openArrayTable returns the mapping that a [[header]] opens.
func (r *tomlReader) openArrayTable(root *yaml.Node, e *unstable.Node) *yaml.Node {
	m, key := r.followKey(root, e.Key())
	fresh := nodeAt(key, yaml.MappingNode, "!!map")
	list := r.index[entry{m, key.Value}]
	switch {
	case list == nil:
		list = nodeAt(key, yaml.SequenceNode, "!!seq")
		r.defined[list] = true
		r.set(m, key, list)
	case !r.defined[list] || list.Kind != yaml.SequenceNode:
		r.reportDuplicate(key)
		return fresh
	}
	list.Content = append(list.Content, fresh)
	return fresh
}

func (r *tomlReader) addKeyValue(m *yaml.Node, e *unstable.Node) {
	in, key := r.followKey(m, e.Key())
	if r.index[entry{in, key.Value}] != nil {
		r.reportDuplicate(key)
		return
	}
	r.set(in, key, r.readValue(e.Value(), key))
}

var tomlTags = map[unstable.Kind]string{
	unstable.String: "!!str", unstable.Bool: "!!bool", unstable.Integer: "!!int", unstable.Float: "!!float",
	unstable.LocalDate: "!!timestamp", unstable.LocalTime: "!!str",
	unstable.LocalDateTime: "!!timestamp", unstable.DateTime: "!!timestamp",
}

// readValue returns the node of a value. The parser gives no place for a list, so a list gets the
// place of the node before it.
func (r *tomlReader) readValue(n *unstable.Node, before *yaml.Node) *yaml.Node {
	switch n.Kind {
	case unstable.Array:
		list := nodeAt(before, yaml.SequenceNode, "!!seq")
		for it := n.Children(); it.Next(); {
			list.Content = append(list.Content, r.readValue(it.Node(), list))
		}
		return list
	case unstable.InlineTable:
		m := r.newNode(yaml.MappingNode, "!!map", int(n.Raw.Offset))
		for it := n.Children(); it.Next(); {
			r.addKeyValue(m, it.Node())
		}
		return m
	}
	return r.newScalar(n, tomlTags[n.Kind])
}
