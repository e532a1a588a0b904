package strict

import (
	"bytes"
	"sort"

	"github.com/sitewalk/sitewalk/diag"
	"gopkg.in/yaml.v3"
)

// Places convert offsets in a text into lines and columns.
type Places struct {
	name  string
	lines []int // offsets of the beginnings of lines
}

// NewPlaces returns the Places of a file called name.
func NewPlaces(name string, src []byte) Places {
	lines, offset := []int{0}, 0
	for line := range bytes.Lines(src) {
		if offset += len(line); line[len(line)-1] == '\n' {
			lines = append(lines, offset)
		}
	}
	return Places{name, lines}
}

// Pos returns the place of an offset.
func (p Places) Pos(offset int) diag.Pos {
	line := sort.SearchInts(p.lines, offset+1)
	return diag.Pos{File: p.name, Line: line, Col: offset - p.lines[line-1] + 1}
}

func (p Places) newNode(kind yaml.Kind, tag string, offset int) *yaml.Node {
	pos := p.Pos(offset)
	return &yaml.Node{Kind: kind, Tag: tag, Line: pos.Line, Column: pos.Col}
}
