package generator

import (
	"gopkg.in/yaml.v3"

	"github.com/sitewalk/sitewalk/internal/diag"
)

// maxDepth bounds the nesting of a configuration, maxNodes the cost of YAML
// aliases.
const (
	maxDepth = 64
	maxNodes = 100_000
)

// newValue makes a value of a node. Tags that name a programming language's
// objects, as MkDocs has them, are no mistake: their values are nil.
func newValue(n *yaml.Node, name string) *value {
	r := yamlReader{name: name}
	return r.value(n, 0)
}

// A yamlReader counts the nodes that it makes values of, because an alias may
// stand for many.
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

// yamlScalar returns a string, a boolean or nil; a number is the string that
// stands there.
func yamlScalar(n *yaml.Node) any {
	switch n.ShortTag() {
	case "!!str", "!!int", "!!float", "!!timestamp":
		return n.Value
	case "!!bool":
		var b bool
		if n.Decode(&b) == nil {
			return b
		}
	}
	return nil
}
