// Package strict parses YAML, TOML and JSON into nodes with positions, and decodes the nodes into
// Go values. It reports each mistake in a file with its position. For YAML syntax errors, the
// position may have no column. Mistakes are syntax errors, unknown keys, values of the wrong type,
// and repeated keys. The decoder ignores the value of an unknown key, a value of the wrong type,
// and the second value of a repeated key.
package strict

import (
	"bytes"
	"errors"
	"io"
	"path"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/diag"
	"gopkg.in/yaml.v3"
)

// The limits for one file: its size in bytes, and its number of nodes. Each node needs more than
// 150 bytes of memory, usually much more than its text. Files that people write by hand stay far
// below both limits.
const (
	maxBytes = 4 << 20
	maxNodes = 200_000 // keys and values
)

var bom = []byte("\ufeff")

// Read parses src, the content of the file called name. It returns the top-level node, which may be
// nil, and the findings. It reads a file with the extension .toml as TOML, .json or .jsonc as JSON,
// and any other file as YAML.
func Read(name string, src []byte) (*yaml.Node, diag.List) {
	switch path.Ext(name) {
	case ".toml":
		return ReadTOML(name, src)
	case ".json", ".jsonc":
		return ReadJSON(name, src)
	}
	return ReadYAML(name, src)
}

// rejectLargeFile reports whether src is longer than maxBytes. If so, it adds a finding.
func rejectLargeFile(diags *diag.List, name string, src []byte) bool {
	if len(src) <= maxBytes {
		return false
	}
	diags.Errorf(diag.Pos{File: name}, "bad-syntax", "move the generated parts into another file",
		"the file has %d bytes; at most %d MiB are read", len(src), maxBytes>>20)
	return true
}

// reportTooManyNodes adds the finding that the file called name has more than maxNodes values.
func reportTooManyNodes(diags *diag.List, name string) {
	diags.Errorf(diag.Pos{File: name}, "bad-syntax", "move the generated parts into another file",
		"the file has more than %d values; it is not read", maxNodes)
}

// hasTooManyNodes reports whether the file with the root n has more than maxNodes nodes.
func hasTooManyNodes(n *yaml.Node) bool { return countNodes(n) > maxNodes }

// countNodes returns the number of nodes in n, including n. The target of an alias is not counted.
func countNodes(n *yaml.Node) int {
	count := 1
	for _, c := range n.Content {
		count += countNodes(c)
	}
	return count
}

// ReadYAML parses the YAML document in src, and returns its top-level node. The node is nil if the
// document is empty or invalid, or exceeds a limit. The columns of nodes count bytes. A second
// document in src is not read, and is a finding. name is the name of the file in findings.
func ReadYAML(name string, src []byte) (n *yaml.Node, diags diag.List) {
	if rejectLargeFile(&diags, name, src) {
		return nil, diags
	}
	src = bytes.TrimPrefix(src, bom)
	dec := yaml.NewDecoder(bytes.NewReader(src))
	var doc yaml.Node
	err := dec.Decode(&doc)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		reportYAMLError(&diags, name, src, err)
		return nil, diags
	}
	if hasTooManyNodes(&doc) {
		reportTooManyNodes(&diags, name)
		return nil, diags
	}
	if bytes.ContainsFunc(src, func(r rune) bool { return r >= utf8.RuneSelf }) {
		setByteColumns(&doc, bytes.Split(src, []byte("\n")))
	}
	var more yaml.Node
	switch err := dec.Decode(&more); {
	case errors.Is(err, io.EOF):
	case err != nil:
		reportYAMLError(&diags, name, src, err)
	default:
		diags.Errorf(diag.Pos{File: name, Line: more.Line, Col: more.Column}, "bad-syntax",
			"keep one document in this file", "a second document begins here and is not read")
	}
	return doc.Content[0], diags
}

// Patterns for the error texts of yaml.v3. yamlLine matches the beginning of a text. The other
// patterns match the rest.
var (
	yamlLine   = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)                                         // group 1 is the line number
	yamlParser = regexp.MustCompile(`^did not find expected (node content|key|',' or|'-' indicator|<)`) // an error that counts lines from 0
	yamlBytes  = regexp.MustCompile(`^control characters|UTF-8`)                                        // an error about invalid bytes
	yamlAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced`)                                // group 1 is the name of the anchor
)

// reportYAMLError adds a finding for an error of yaml.v3. It takes the line number from the text of
// the error, such as "yaml: line 3: …". If the text has no number, locateError finds the position.
// Some errors count lines from 0; reportYAMLError adds 1 to their numbers.
func reportYAMLError(diags *diag.List, name string, src []byte, err error) {
	text, pos := err.Error(), diag.Pos{File: name}
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		text = strings.TrimSpace(text[len(m[0]):])
		pos.Line, _ = strconv.Atoi(m[1])
	}
	if yamlParser.MatchString(text) {
		pos.Line++
	}
	pos.Line = min(pos.Line, 1+bytes.Count(src, []byte("\n"))) // yaml.v3 also counts line ends that editors do not show
	if pos.Line == 0 {
		pos = locateError(name, src, text)
	}
	hint := `put a value that contains any of * & { } [ ] @ ! \ or a colon and a blank into quotes`
	switch {
	case yamlBytes.MatchString(text):
		hint = "save the file as UTF-8 without control characters"
	case isTabError(src, pos.Line):
		hint = "indent with spaces; YAML does not allow tabs"
	}
	diags.Errorf(pos, "bad-syntax", hint, "not valid YAML: %s", text)
}

// isTabError reports whether a line of src, or the line after it, is indented with a tab. line is
// the number of the first line, counted from 1. yaml.v3 may report the line before the mistake.
func isTabError(src []byte, line int) bool {
	lines := bytes.Split(src, []byte("\n"))
	for _, text := range lines[line-1 : min(line+1, len(lines))] {
		if indent := text[:len(text)-len(bytes.TrimLeft(text, " \t"))]; bytes.ContainsRune(indent, '\t') {
			return true
		}
	}
	return false
}

// locateError returns the position of an error whose text has no line number. It finds an alias
// without an anchor, and a character that YAML forbids. For any other error, it returns the first
// line.
func locateError(name string, src []byte, text string) diag.Pos {
	at := bytes.IndexFunc(src, func(r rune) bool {
		return r == utf8.RuneError || r < ' ' && !strings.ContainsRune("\t\r\n", r) || r == 0x7f
	})
	if m := yamlAnchor.FindStringSubmatch(text); m != nil {
		at = bytes.Index(src, []byte("*"+m[1]))
	}
	if at < 0 {
		return diag.Pos{File: name, Line: 1}
	}
	return NewLineIndex(name, src).Pos(at)
}

// setByteColumns converts the columns of n and of all nodes below n, so that they count bytes
// instead of characters. lines are the lines of the file.
func setByteColumns(n *yaml.Node, lines [][]byte) {
	if n.Line > 0 && n.Line <= len(lines) {
		line, col := lines[n.Line-1], 0
		for i := 1; i < n.Column && col < len(line); i++ {
			_, size := utf8.DecodeRune(line[col:])
			col += size
		}
		n.Column = col + 1
	}
	for _, c := range n.Content {
		setByteColumns(c, lines)
	}
}

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
