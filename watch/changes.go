package watch

import (
	"maps"
	"slices"
)

// changes gather what happened until it is taken.
type changes struct {
	paths  []map[string]bool // per tree
	linked bool
	rescan bool
}

func newChanges(trees int) changes {
	c := changes{paths: make([]map[string]bool, trees)}
	for i := range c.paths {
		c.paths[i] = map[string]bool{}
	}
	return c
}

// grow makes room for one more tree.
func (c *changes) grow() { c.paths = append(c.paths, map[string]bool{}) }

// add notes a path, which says nothing more once everything is looked at.
func (c *changes) add(tree int, path string) {
	if !c.rescan {
		c.paths[tree][path] = true
	}
}

// take returns what changed and forgets it. A batch that asks to look at
// everything may name paths, and those are not all.
func (c *changes) take() Batch {
	b := Batch{Rescan: c.rescan, Linked: c.linked, Paths: make([][]string, len(c.paths))}
	for i, set := range c.paths {
		b.Paths[i] = slices.Sorted(maps.Keys(set))
	}
	*c = newChanges(len(c.paths))
	return b
}
