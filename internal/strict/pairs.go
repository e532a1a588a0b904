package strict

import "gopkg.in/yaml.v3"

// A pair is one key of a mapping, and the value of that key.
type pair struct {
	name       string // the key, in lower case if case is ignored
	key, value *yaml.Node
}

// mappingPairs returns the keys and values of the mapping n. Each key occurs once. The keys that
// merge keys ("<<") add come last. ok is false, and there is a finding, if n is not a mapping.
func (d *Decoder) mappingPairs(n *yaml.Node) (pairs []pair, ok bool) {
	if n.Kind != yaml.MappingNode {
		return nil, d.ReportWrongType(n, "a map of keys and values")
	}
	c := pairCollector{d: d, lines: make(map[string]int, len(n.Content)/2)}
	c.addMapping(n, false)
	return c.pairs, true
}

// A pairCollector collects the keys and values of one mapping, including those that merge keys add.
type pairCollector struct {
	d     *Decoder
	pairs []pair
	lines map[string]int // the line of each key so far
}

// addMapping adds the keys and values of the mapping n. merged is true if n is the value of a merge
// key.
func (p *pairCollector) addMapping(n *yaml.Node, merged bool) {
	var merges []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch {
		case key.Kind != yaml.ScalarNode:
			p.d.Errorf(key, "wrong-type", "", "a key is %s; it must be text", describeNode(key))
		case key.ShortTag() == "!!merge":
			merges = append(merges, value)
		default:
			p.addPair(key, value, merged)
		}
	}
	for _, m := range merges {
		p.addMergeValue(m)
	}
}

// addPair adds a key and its value. If the key was added before, addPair ignores the new value. A
// repeated key is a finding, unless merged is true.
func (p *pairCollector) addPair(key, value *yaml.Node, merged bool) {
	name := p.d.normalizeKey(key.Value)
	line, exists := p.lines[name]
	switch {
	case !exists:
		p.lines[name] = key.Line
		p.pairs = append(p.pairs, pair{name, key, value})
	case !merged:
		p.d.Errorf(key, "duplicate-key", "keep one of the two", "key %q is set here for the second time, first in line %d", key.Value, line)
	}
}

// addMergeValue adds the keys and values in n, the value of a merge key. n is a mapping or a list
// of mappings; any other value is a finding.
func (p *pairCollector) addMergeValue(n *yaml.Node) {
	p.d.inAlias++
	p.d.enterNode(n, func(n *yaml.Node) bool {
		switch n.Kind {
		case yaml.MappingNode:
			p.d.aliased += len(n.Content) / 2
			p.addMapping(n, true)
		case yaml.SequenceNode:
			for _, item := range n.Content {
				p.addMergeValue(item)
			}
		default:
			p.d.Errorf(n, "wrong-type", "", "a merge key is %s; it must be a map or a list of maps", describeNode(n))
		}
		return true
	})
	p.d.inAlias--
}
