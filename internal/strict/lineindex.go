package strict

import (
	"bytes"
	"sort"

	"github.com/sitewalk/sitewalk/diag"
	"gopkg.in/yaml.v3"
)

// A LineIndex converts byte offsets in a file to lines and columns.
type LineIndex struct {
	name  string
	lines []int // byte offset of the beginning of each line
}

// NewLineIndex returns a LineIndex for src, the content of the file called name.
func NewLineIndex(name string, src []byte) LineIndex {
	lines, offset := []int{0}, 0
	for line := range bytes.Lines(src) {
		if offset += len(line); line[len(line)-1] == '\n' {
			lines = append(lines, offset)
		}
	}
	return LineIndex{name, lines}
}

// Pos returns the position of a byte offset: the file, the line and the column. Lines and columns
// start at 1. Columns count bytes.
func (l LineIndex) Pos(offset int) diag.Pos {
	line := sort.SearchInts(l.lines, offset+1)
	return diag.Pos{File: l.name, Line: line, Col: offset - l.lines[line-1] + 1}
}

// newNode returns an empty node of the given kind and tag, such as "!!map", with the position of
// the byte offset.
func (l LineIndex) newNode(kind yaml.Kind, tag string, offset int) *yaml.Node {
	pos := l.Pos(offset)
	return &yaml.Node{Kind: kind, Tag: tag, Line: pos.Line, Column: pos.Col}
}
