package generator

import (
	"errors"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/sitewalk/sitewalk/internal/diag"
)

// parseTOML reads a TOML document.
func parseTOML(src []byte, name string) (*value, error) {
	var whole map[string]any
	if err := toml.Unmarshal(src, &whole); err != nil {
		e := &parseError{pos: diag.Pos{File: name}, message: err.Error()}
		if d, ok := errors.AsType[*toml.DecodeError](err); ok {
			e.pos.Line, e.pos.Col = d.Position()
		}
		return nil, e
	}
	r := tomlReader{name: name, root: newTable(diag.Pos{File: name, Line: 1})}
	r.here = r.root
	r.parser.Reset(src)
	for r.parser.NextExpression() {
		r.expression(r.parser.Expression())
	}
	return r.root, r.parser.Error()
}

type tomlReader struct {
	name       string
	parser     unstable.Parser
	root, here *value
}

func (r *tomlReader) expression(n *unstable.Node) {
	switch n.Kind {
	case unstable.Table:
		r.here, _ = r.open(r.root, n.Key(), false)
	case unstable.ArrayTable:
		r.here, _ = r.open(r.root, n.Key(), true)
	case unstable.KeyValue:
		r.keyValue(r.here, n)
	}
}

// open walks down to the table that a key names, making what is not there; with
// array its last part names a list, to which it adds a table.
func (r *tomlReader) open(v *value, key unstable.Iterator, array bool) (*value, bool) {
	for key.Next() {
		k := key.Node()
		pos, name := r.pos(k), string(k.Data)
		next := v.table[name]
		if key.IsLast() && array {
			if next == nil {
				next = &value{kind: list, pos: pos}
				v.set(name, next)
			}
			next.list = append(next.list, newTable(pos))
		}
		if next == nil {
			next = newTable(pos)
			v.set(name, next)
		}
		if next.kind == list && len(next.list) > 0 {
			next = next.list[len(next.list)-1]
		}
		if next.kind != table {
			return v, false
		}
		v = next
	}
	return v, true
}

func (r *tomlReader) keyValue(v *value, n *unstable.Node) {
	key := n.Key()
	for key.Next() {
		k := key.Node()
		if key.IsLast() {
			v.set(string(k.Data), r.value(n.Value(), r.pos(k)))
			return
		}
		next := v.table[string(k.Data)]
		if next == nil || next.kind != table {
			next = newTable(r.pos(k))
			v.set(string(k.Data), next)
		}
		v = next
	}
}

// value makes a value of a node, which stands where its key does.
func (r *tomlReader) value(n *unstable.Node, pos diag.Pos) *value {
	switch n.Kind {
	case unstable.Array:
		v := &value{kind: list, pos: pos}
		for it := n.Children(); it.Next(); {
			v.list = append(v.list, r.value(it.Node(), pos))
		}
		return v
	case unstable.InlineTable:
		v := newTable(pos)
		for it := n.Children(); it.Next(); {
			r.keyValue(v, it.Node())
		}
		return v
	case unstable.Bool:
		return &value{scalar: string(n.Data) == "true", pos: pos}
	}
	return &value{scalar: string(n.Data), pos: pos}
}

func (r *tomlReader) pos(n *unstable.Node) diag.Pos {
	start := r.parser.Shape(n.Raw).Start
	return diag.Pos{File: r.name, Line: start.Line, Col: start.Column}
}
