package hosting

// robots are the Allow and Disallow lines of robots.txt for all agents, as a
// tree of their patterns: those that begin alike share the nodes of what they
// begin with. A path is read once and goes down all branches that it matches
// at the same time, so that neither thousands of lines nor a pattern full of
// wildcards make a path expensive.
type robots struct {
	rules []robotsRule
	nodes []robotsNode // the first is the root
	stars int32        // how many nodes are wildcards
}

// A robotsRule is one Allow or Disallow line.
type robotsRule struct {
	allow   bool
	length  int // of the pattern, normalized
	verdict Verdict
}

// A robotsNode is one byte of a pattern: one that a path has too, a * for any
// bytes, or a $ for the end of the path.
type robotsNode struct {
	mark  byte
	first int32 // of the bytes that follow this one; 0 is none, as the root follows nothing
	next  int32 // of those that follow what this one follows
	rule  int32 // whose pattern ends here, counted from 1
	star  int32 // of a wildcard, counted from 0
}

// add takes a rule in. The pattern begins with / or *; a * or $ in it that
// stands for itself is percent-encoded.
func (r *robots) add(pattern string, rule robotsRule) {
	if len(r.nodes) == 0 {
		r.nodes = []robotsNode{{}}
	}
	n := int32(0)
	for i := range len(pattern) {
		if pattern[i] != '*' || r.nodes[n].mark != '*' { // ** is *
			n = r.grow(n, pattern[i])
		}
	}
	rule.length = len(pattern)
	r.rules = append(r.rules, rule)
	r.nodes[n].rule = r.stronger(r.nodes[n].rule, int32(len(r.rules)))
}

// grow returns the node of the byte c after node n, and makes it where there
// is none.
func (r *robots) grow(n int32, c byte) int32 {
	if child := r.child(n, c); child != 0 {
		return child
	}
	child := int32(len(r.nodes))
	r.nodes = append(r.nodes, robotsNode{mark: c, next: r.nodes[n].first, star: r.stars})
	r.nodes[n].first = child
	if c == '*' {
		r.stars++
	}
	return child
}

func (r *robots) child(n int32, c byte) int32 {
	n = r.nodes[n].first
	for n != 0 && r.nodes[n].mark != c {
		n = r.nodes[n].next
	}
	return n
}

// stronger returns which of two rules decides: the one with the longer
// pattern, of two that are equally long the Allow, RFC 9309 section 2.2.2, and
// else the first. 0 is no rule.
func (r *robots) stronger(a, b int32) int32 {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	first, second := &r.rules[a-1], &r.rules[b-1]
	if second.length > first.length || second.length == first.length && (second.allow && !first.allow || second.allow == first.allow && b < a) {
		return b
	}
	return a
}

// decides returns the rule that decides about a path, or nil.
func (r *robots) decides(path string) *robotsRule {
	if len(r.rules) == 0 {
		return nil
	}
	w := robotsWalk{robots: r, open: make([]bool, r.stars)}
	w.reach(0)
	for i := range len(path) {
		w.step(path[i])
	}
	for _, n := range w.at {
		w.best = r.stronger(w.best, r.nodes[r.child(n, '$')].rule)
	}
	if w.best == 0 {
		return nil
	}
	return &r.rules[w.best-1]
}

// A robotsWalk is a path on its way down the tree.
type robotsWalk struct {
	*robots
	at, before []int32 // the nodes that the bytes so far lead to
	open       []bool  // of each wildcard: it is among them, and stays
	best       int32   // the rule that decides so far
}

// step reads one byte of the path.
func (w *robotsWalk) step(c byte) {
	w.at, w.before = w.before[:0], w.at
	for _, n := range w.before {
		if w.nodes[n].mark == '*' {
			w.at = append(w.at, n)
		}
		if child := w.child(n, c); child != 0 {
			w.reach(child)
		}
	}
}

// reach enters a node, and the wildcard behind it, which may stand for nothing.
func (w *robotsWalk) reach(n int32) {
	w.at = append(w.at, n)
	w.best = w.stronger(w.best, w.nodes[n].rule)
	if star := w.child(n, '*'); star != 0 && !w.open[w.nodes[star].star] {
		w.open[w.nodes[star].star] = true
		w.reach(star)
	}
}
