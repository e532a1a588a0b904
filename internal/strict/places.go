package strict

import (
	"sort"

	"github.com/sitewalk/sitewalk/diag"
	"gopkg.in/yaml.v3"
)

// Places turn the offsets of a text into lines and columns.
type Places struct {
	name  string
	lines []int // offsets at which lines begin
}

// NewPlaces returns those of a file called name.
func NewPlaces(name string, src []byte) Places { return Places{name, lineStarts(nil, src)} }

func lineStarts(starts []int, src []byte) []int {
	starts = append(starts, 0)
	for i, c := range src {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// Pos returns the place of an offset.
func (p Places) Pos(offset int) diag.Pos {
	line := sort.SearchInts(p.lines, offset+1)
	return diag.Pos{File: p.name, Line: line, Col: offset - p.lines[line-1] + 1}
}

// places are those at which nodes are to be made.
type places struct {
	Places
	nodes *arena
}

func (p places) node(kind yaml.Kind, offset int) *yaml.Node {
	pos := p.Pos(offset)
	n := p.nodes.next()
	n.Kind, n.Line, n.Column = kind, pos.Line, pos.Col
	return n
}
