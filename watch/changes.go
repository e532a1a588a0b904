package watch

import (
	"maps"
	"slices"
)

// changes gather what happened until it is taken.
type changes struct {
	paths  map[string]map[string]bool // by tree
	linked bool
	rescan bool
}

// add notes a path, which says nothing more once everything is looked at.
func (c *changes) add(t *Tree, path string) {
	if c.rescan {
		return
	}
	if c.paths == nil {
		c.paths = map[string]map[string]bool{}
	}
	set := c.paths[t.name()]
	if set == nil {
		set = map[string]bool{}
		c.paths[t.name()] = set
	}
	set[path] = true
}

// forget forgets the paths of one tree.
func (c *changes) forget(t *Tree) { delete(c.paths, t.name()) }

// take returns what changed and forgets it. A batch that asks to look at
// everything may name paths, and those are not all.
func (c *changes) take() Batch {
	b := Batch{Rescan: c.rescan, Linked: c.linked, Paths: make(map[string][]string, len(c.paths))}
	for tree, set := range c.paths {
		b.Paths[tree] = slices.Sorted(maps.Keys(set))
	}
	*c = changes{}
	return b
}
