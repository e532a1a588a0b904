package glob

import "slices"

// A Tree holds patterns of texts with stars between them, each of which stands for
// any bytes. Patterns that begin alike share the nodes of what they begin with. A
// path is read once and goes down all branches that it matches at the same time, so
// that neither thousands of patterns nor one full of stars make a path expensive.
// The zero Tree has no patterns.
type Tree struct {
	nodes   []treeNode // the first is the root
	numbers [][]int    // of each pattern
}

// A treeNode is one byte of a pattern, or a star.
type treeNode struct {
	mark    int16
	first   int32 // of the nodes that follow this one; 0 is none, as the root follows nothing
	next    int32 // of those that follow what this one follows
	pattern int32 // that ends here, counted from 1
}

const star = 256 // no byte

// Add takes a pattern in under a number of its own: the texts between its stars.
func (t *Tree) Add(number int, texts ...string) {
	if len(t.nodes) == 0 {
		t.nodes = []treeNode{{}}
	}
	n := int32(0)
	for i, text := range texts {
		if i > 0 && t.nodes[n].mark != star {
			n = t.grow(n, star)
		}
		for j := range len(text) {
			n = t.grow(n, int16(text[j]))
		}
	}
	if t.nodes[n].pattern == 0 {
		t.numbers = append(t.numbers, nil)
		t.nodes[n].pattern = int32(len(t.numbers))
	}
	all := &t.numbers[t.nodes[n].pattern-1]
	*all = append(*all, number)
}

// grow returns the node of a mark after node n, and makes it where there is none.
func (t *Tree) grow(n int32, mark int16) int32 {
	if child := t.child(n, mark); child != 0 {
		return child
	}
	child := int32(len(t.nodes))
	t.nodes = append(t.nodes, treeNode{mark: mark, next: t.nodes[n].first})
	t.nodes[n].first = child
	return child
}

func (t *Tree) child(n int32, mark int16) int32 {
	n = t.nodes[n].first
	for n != 0 && t.nodes[n].mark != mark {
		n = t.nodes[n].next
	}
	return n
}

// Find returns the numbers of all patterns that match what a path begins with, in
// ascending order, each once.
func (t *Tree) Find(path string) []int {
	if len(t.nodes) == 0 {
		return nil
	}
	w := treeWalk{Tree: t}
	w.reach(0)
	for i := range len(path) {
		w.step(int16(path[i]))
	}
	slices.Sort(w.found)
	return slices.Compact(w.found)
}

// A treeWalk is a path on its way down the tree.
type treeWalk struct {
	*Tree
	at, before []int32        // the nodes that the bytes so far lead to
	open       map[int32]bool // the stars among them, which stay
	found      []int
}

// step reads one byte of the path.
func (w *treeWalk) step(c int16) {
	w.at, w.before = w.before[:0], w.at
	for _, n := range w.before {
		if w.nodes[n].mark == star {
			w.at = append(w.at, n)
		}
		if child := w.child(n, c); child != 0 {
			w.reach(child)
		}
	}
}

// reach enters a node, and the star behind it, which may stand for nothing.
func (w *treeWalk) reach(n int32) {
	w.at = append(w.at, n)
	if p := w.nodes[n].pattern; p > 0 {
		w.found = append(w.found, w.numbers[p-1]...)
	}
	next := w.child(n, star)
	if next == 0 || w.open[next] {
		return
	}
	if w.open == nil {
		w.open = map[int32]bool{}
	}
	w.open[next] = true
	w.reach(next)
}
