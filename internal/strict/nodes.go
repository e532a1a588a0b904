package strict

import (
	"github.com/sitewalk/sitewalk/diag"
	"gopkg.in/yaml.v3"
)

// Nodes read one small document after another into the same memory: the nodes
// of one are valid until the next is read. They are for one goroutine.
type Nodes struct {
	chunks [][]yaml.Node
	used   int
	lines  []int
	toml   tomlTree
}

const (
	nodesInChunk = 64
	keptChunks   = 16 // what a large document needs beyond is given back
)

// TOML is TOML for documents without a name.
func (m *Nodes) TOML(src []byte) (*yaml.Node, diag.List) {
	m.reset()
	m.toml.reset(m.places("", src))
	return m.toml.read(src)
}

// JSON is JSON for documents without a name.
func (m *Nodes) JSON(src []byte) (*yaml.Node, diag.List) {
	m.reset()
	return readJSON(m.places("", src), src)
}

func (m *Nodes) reset() {
	m.used = 0
	m.chunks = m.chunks[:min(len(m.chunks), keptChunks)]
}

func (m *Nodes) places(name string, src []byte) places {
	m.lines = lineStarts(m.lines[:0], src)
	return places{Places{name, m.lines}, m}
}

// next returns an empty node.
func (m *Nodes) next() *yaml.Node {
	i := m.used / nodesInChunk
	if i == len(m.chunks) {
		m.chunks = append(m.chunks, make([]yaml.Node, nodesInChunk))
	}
	n := &m.chunks[i][m.used%nodesInChunk]
	m.used++
	*n = yaml.Node{Content: n.Content[:0]}
	return n
}
