package glob

import "slices"

// A Tree matches paths against patterns with stars. A star matches any bytes. Patterns share the
// nodes of their common beginning, and a path is read once, so matching stays fast with thousands
// of patterns. The zero Tree has no patterns.
type Tree struct {
	nodes   []treeNode // the first is the root
	numbers [][]int    // the numbers of each pattern
}

// A treeNode is one byte of a pattern, or a star.
type treeNode struct {
	mark    int16
	first   int32 // the first child, or 0
	next    int32 // the next sibling, or 0
	pattern int32 // the pattern that ends here, counted from 1, or 0
}

const star = 256 // no byte

// Add adds a pattern under a number. texts are the texts between its stars.
func (t *Tree) Add(number int, texts ...string) {
	if len(t.nodes) == 0 {
		t.nodes = []treeNode{{}}
	}
	n := int32(0)
	for i, text := range texts {
		if i > 0 && t.nodes[n].mark != star {
			n = t.addChild(n, star)
		}
		for j := range len(text) {
			n = t.addChild(n, int16(text[j]))
		}
	}
	if t.nodes[n].pattern == 0 {
		t.numbers = append(t.numbers, nil)
		t.nodes[n].pattern = int32(len(t.numbers))
	}
	all := &t.numbers[t.nodes[n].pattern-1]
	*all = append(*all, number)
}

// addChild returns the child of node n with a mark, and adds it if necessary.
func (t *Tree) addChild(n int32, mark int16) int32 {
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

// Find returns the numbers of all patterns that match the beginning of a path, sorted, each once.
func (t *Tree) Find(path string) []int {
	if len(t.nodes) == 0 {
		return nil
	}
	w := treeWalk{Tree: t}
	w.enterNode(0)
	for i := range len(path) {
		w.readByte(int16(path[i]))
	}
	slices.Sort(w.found)
	return slices.Compact(w.found)
}

// A treeWalk matches one path against a Tree.
type treeWalk struct {
	*Tree
	at, before []int32        // the nodes reached by the bytes so far
	open       map[int32]bool // the stars among them, which stay reached
	found      []int
}

// readByte reads one byte of the path.
func (w *treeWalk) readByte(c int16) {
	w.at, w.before = w.before[:0], w.at
	for _, n := range w.before {
		if w.nodes[n].mark == star {
			w.at = append(w.at, n)
		}
		if child := w.child(n, c); child != 0 {
			w.enterNode(child)
		}
	}
}

// enterNode enters a node, and the star after it, which may match nothing.
func (w *treeWalk) enterNode(n int32) {
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
	w.enterNode(next)
}
