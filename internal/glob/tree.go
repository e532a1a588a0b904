package glob

import "slices"

// A Tree finds the patterns that match the beginning of a path, and is fast even with thousands of
// patterns. The only wildcard is the star, which matches any bytes including slashes. Patterns with
// the same beginning share nodes, so FindPrefixMatches reads a path only once. The zero Tree has no
// patterns.
type Tree struct {
	nodes   []treeNode // nodes[0] is the root
	numbers [][]int    // numbers passed to AddPattern, by the index of the pattern
}

// A treeNode is one byte of a pattern, or a star. The labels from the root to a node are the
// beginning of a pattern.
type treeNode struct {
	label       int16 // the byte, or star
	firstChild  int32 // index in Tree.nodes of the first child; 0 means none
	nextSibling int32 // index in Tree.nodes of the next sibling; 0 means none
	pattern     int32 // index in Tree.numbers plus 1 of the pattern that ends here; 0 means none
}

const star = 256 // value of treeNode.label for a star; no byte has this value

// AddPattern adds a pattern. The parts are the texts of the pattern between its stars: "/a*b" has
// the parts "/a" and "b". FindPrefixMatches returns number if the pattern matches. Several patterns
// may have the same number.
func (t *Tree) AddPattern(number int, parts ...string) {
	if len(t.nodes) == 0 {
		t.nodes = []treeNode{{}}
	}
	n := int32(0)
	for i, part := range parts {
		if i > 0 && t.nodes[n].label != star {
			n = t.addChild(n, star)
		}
		for j := range len(part) {
			n = t.addChild(n, int16(part[j]))
		}
	}
	if t.nodes[n].pattern == 0 {
		t.numbers = append(t.numbers, nil)
		t.nodes[n].pattern = int32(len(t.numbers))
	}
	all := &t.numbers[t.nodes[n].pattern-1]
	*all = append(*all, number)
}

// addChild returns the child of node with the given label. It creates the child if there is none.
func (t *Tree) addChild(node int32, label int16) int32 {
	if child := t.findChild(node, label); child != 0 {
		return child
	}
	child := int32(len(t.nodes))
	t.nodes = append(t.nodes, treeNode{label: label, nextSibling: t.nodes[node].firstChild})
	t.nodes[node].firstChild = child
	return child
}

func (t *Tree) findChild(node int32, label int16) int32 {
	node = t.nodes[node].firstChild
	for node != 0 && t.nodes[node].label != label {
		node = t.nodes[node].nextSibling
	}
	return node
}

// FindPrefixMatches returns the numbers of all patterns that match a prefix of path, in ascending
// order and without duplicates.
func (t *Tree) FindPrefixMatches(path string) []int {
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

// A treeWalk is the state of one call of FindPrefixMatches. A node is reached if the pattern up to
// the node matches all bytes that were read.
type treeWalk struct {
	*Tree
	reached, previous []int32        // nodes reached after the latest byte, and after the byte before it
	stars             map[int32]bool // star nodes that were reached; they match every further byte
	found             []int          // numbers of the patterns that match so far, unsorted
}

// readByte reads c, the next byte of the path. It replaces the reached nodes by the nodes that are
// reached after c: the children that match c, and each reached star itself.
func (t *treeWalk) readByte(c int16) {
	t.reached, t.previous = t.previous[:0], t.reached
	for _, n := range t.previous {
		if t.nodes[n].label == star {
			t.reached = append(t.reached, n)
		}
		if child := t.findChild(n, c); child != 0 {
			t.enterNode(child)
		}
	}
}

// enterNode adds the node n to the reached nodes, and the pattern that ends at n to the found
// patterns. A star may match nothing, so enterNode also enters a star that follows n.
func (t *treeWalk) enterNode(n int32) {
	t.reached = append(t.reached, n)
	if p := t.nodes[n].pattern; p > 0 {
		t.found = append(t.found, t.numbers[p-1]...)
	}
	next := t.findChild(n, star)
	if next == 0 || t.stars[next] {
		return
	}
	if t.stars == nil {
		t.stars = map[int32]bool{}
	}
	t.stars[next] = true
	t.enterNode(next)
}
