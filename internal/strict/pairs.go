package strict

import "gopkg.in/yaml.v3"

// A pair is one key of a mapping and its value.
type pair struct {
	name       string // the key as it stands in a map
	key, value *yaml.Node
}

// each calls f for the entries of a mapping, each key once, those of merge keys
// after its own, and reports whether n is one.
func (d *Decoder) each(n *yaml.Node, f func(pair)) bool {
	if n.Kind != yaml.MappingNode {
		return d.WrongType(n, "a map of keys and values")
	}
	c := collector{d: d, since: len(d.stack)}
	c.own(n, false)
	for _, p := range d.stack[c.since:] {
		f(p)
	}
	d.stack = d.stack[:c.since]
	return true
}

type collector struct {
	d     *Decoder
	since int                   // index of the first of its pairs in d.stack
	names map[string]*yaml.Node // its keys by name; nil while they are few
}

// first returns the key that has a name already, or nil.
func (c *collector) first(name string) *yaml.Node {
	if c.names != nil {
		return c.names[name]
	}
	for _, p := range c.d.stack[c.since:] {
		if p.name == name {
			return p.key
		}
	}
	return nil
}

func (c *collector) keep(p pair) {
	const few = 32
	c.d.stack = append(c.d.stack, p)
	switch pairs := c.d.stack[c.since:]; {
	case c.names != nil:
		c.names[p.name] = p.key
	case len(pairs) == few:
		c.names = map[string]*yaml.Node{}
		for _, p := range pairs {
			c.names[p.name] = p.key
		}
	}
}

func (c *collector) own(n *yaml.Node, merged bool) {
	var merges []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		for key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		switch {
		case key.Kind != yaml.ScalarNode:
			c.d.Errorf(key, "wrong-type", "", "a key is %s; it must be text", describe(key))
		case key.ShortTag() == "!!merge":
			merges = append(merges, value)
		default:
			c.add(key, value, merged)
		}
	}
	for _, m := range merges {
		c.merge(m)
	}
}

func (c *collector) add(key, value *yaml.Node, merged bool) {
	name := c.d.fold(key.Value)
	first := c.first(name)
	if first == nil {
		c.keep(pair{name, key, value})
		return
	}
	if !merged {
		c.d.Errorf(key, "duplicate-key", "keep one of the two", "key %q is set here for the second time, first in line %d", key.Value, first.Line)
	}
}

// merge adds what the value of a merge key says: a mapping, or a list of them.
func (c *collector) merge(n *yaml.Node) {
	c.d.depth++
	c.d.inAlias++
	defer func() { c.d.depth--; c.d.inAlias-- }()
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if !c.d.within(n) {
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		c.d.aliased += len(n.Content) / 2
		c.own(n, true)
	case yaml.SequenceNode:
		for _, item := range n.Content {
			c.merge(item)
		}
	default:
		c.d.Errorf(n, "wrong-type", "", "a merge key is %s; it must be a map or a list of maps", describe(n))
	}
}
