// Package strict reads YAML, TOML and JSON as nodes with positions, and decodes the nodes into Go
// values. It reports all mistakes at once, each with its line and column. An unknown key, a wrong
// type or a duplicate key is a finding, and the value is not used.
package strict

import (
	"bytes"
	"errors"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/diag"
	"gopkg.in/yaml.v3"
)

// The maximum size of a file. People write these files, and a node needs 200 bytes of memory and
// more once it is decoded.
const (
	maxBytes = 4 << 20
	maxNodes = 200_000
)

var bom = []byte("\ufeff")

// Read reads a file into nodes, in the notation of the extension of its name.
func Read(name string, src []byte) (*yaml.Node, diag.List) {
	switch path.Ext(name) {
	case ".toml":
		return TOML(name, src)
	case ".json", ".jsonc":
		return JSON(name, src)
	}
	return YAML(name, src)
}

// rejectLarge reports a file of more than maxBytes.
func rejectLarge(diags *diag.List, name string, src []byte) bool {
	if len(src) <= maxBytes {
		return false
	}
	diags.Errorf(diag.Pos{File: name}, "bad-syntax", "move the generated parts into another file",
		"the file has %d bytes; at most %d MiB are read", len(src), maxBytes>>20)
	return true
}

// reportManyNodes reports a file of more than maxNodes values.
func reportManyNodes(diags *diag.List, name string) {
	diags.Errorf(diag.Pos{File: name}, "bad-syntax", "move the generated parts into another file",
		"the file has more than %d values; it is not read", maxNodes)
}

// hasManyNodes reports whether a file has more than maxNodes values.
func hasManyNodes(src []byte, n *yaml.Node) bool {
	return len(src) > maxNodes && countNodes(n) > maxNodes
}

func countNodes(n *yaml.Node) int {
	count := 1
	for _, c := range n.Content {
		count += countNodes(c)
	}
	return count
}

// YAML reads one YAML document and returns its top value, or nil if the document is empty or
// invalid. The columns of its nodes count bytes. A second document is a finding.
func YAML(name string, src []byte) (n *yaml.Node, diags diag.List) {
	if rejectLarge(&diags, name, src) {
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
	if hasManyNodes(src, &doc) {
		reportManyNodes(&diags, name)
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

var (
	yamlLine   = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)
	yamlParser = regexp.MustCompile(`^did not find expected (node content|key|',' or|'-' indicator|<)`)
	yamlBytes  = regexp.MustCompile(`^control characters|UTF-8`)
	yamlAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced`)
)

// reportYAMLError reports an error of yaml.v3. The error names the line in its text, except for
// the first line. The parser of yaml.v3 counts lines from 0.
func reportYAMLError(diags *diag.List, name string, src []byte, err error) {
	text, pos := err.Error(), diag.Pos{File: name}
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		text = strings.TrimSpace(text[len(m[0]):])
		pos.Line, _ = strconv.Atoi(m[1])
	}
	if yamlParser.MatchString(text) {
		pos.Line++
	}
	pos.Line = min(pos.Line, 1+bytes.Count(src, []byte("\n"))) // YAML knows other line ends, editors do not
	if pos.Line == 0 {
		pos = locateError(name, src, text)
	}
	hint := `put a value that contains any of * & { } [ ] @ ! \ or a colon and a blank into quotes`
	switch {
	case yamlBytes.MatchString(text):
		hint = "save the file as UTF-8 without control characters"
	case isTabError(src, pos.Line):
		hint = "indent with spaces; YAML takes no tabs"
	}
	diags.Errorf(pos, "bad-syntax", hint, "not valid YAML: %s", text)
}

// isTabError reports whether a tab indents the line, or the line after it: yaml.v3 may name the
// line before the mistake.
func isTabError(src []byte, line int) bool {
	lines := bytes.Split(src, []byte("\n"))
	for _, text := range lines[line-1 : min(line+1, len(lines))] {
		if indent := text[:len(text)-len(bytes.TrimLeft(text, " \t"))]; bytes.ContainsRune(indent, '\t') {
			return true
		}
	}
	return false
}

// locateError finds the place of an error without a line: an unknown alias, or a character that
// YAML forbids. For other errors it returns the first line.
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
	return NewPlaces(name, src).Pos(at)
}

// setByteColumns converts columns in characters into columns in bytes.
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
