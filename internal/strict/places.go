package strict

import (
	"sort"

	"github.com/sitewalk/sitewalk/internal/diag"
	"gopkg.in/yaml.v3"
)

// places turns offsets into lines and columns.
type places struct {
	name  string
	lines []int // offsets at which lines begin
	nodes *Nodes
}

func lineStarts(starts []int, src []byte) []int {
	starts = append(starts, 0)
	for i, c := range src {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

func (p places) pos(offset int) diag.Pos {
	line := sort.SearchInts(p.lines, offset+1)
	return diag.Pos{File: p.name, Line: line, Col: offset - p.lines[line-1] + 1}
}

func (p places) node(kind yaml.Kind, offset int) *yaml.Node {
	pos := p.pos(offset)
	n := p.nodes.next()
	n.Kind, n.Line, n.Column = kind, pos.Line, pos.Col
	return n
}
