package strict

import "gopkg.in/yaml.v3"

// Nodes read one small document after another into the same memory: the nodes
// of one are valid until the next is read. They are for one goroutine.
type Nodes struct {
	arena
	lines []int
	toml  tomlTree
}

// An arena makes nodes in memory that it has made before.
type arena struct {
	chunks [][]yaml.Node
	used   int
}

const (
	nodesInChunk = 64
	keptChunks   = 16 // what a large document needs beyond is given back
)

// reset takes back all nodes.
func (a *arena) reset() {
	a.used = 0
	a.chunks = a.chunks[:min(len(a.chunks), keptChunks)]
}

// next returns an empty node.
func (a *arena) next() *yaml.Node {
	i := a.used / nodesInChunk
	if i == len(a.chunks) {
		a.chunks = append(a.chunks, make([]yaml.Node, nodesInChunk))
	}
	n := &a.chunks[i][a.used%nodesInChunk]
	a.used++
	*n = yaml.Node{Content: n.Content[:0]}
	return n
}

// places makes room for the nodes of a document, at its places.
func (m *Nodes) places(name string, src []byte) places {
	m.reset()
	m.lines = lineStarts(m.lines[:0], src)
	return places{Places{name, m.lines}, &m.arena}
}
