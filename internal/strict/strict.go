// Package strict decodes YAML nodes into Go values and blames every mistake on
// its own line and column, all of them at once. TOML and JSON are read into the
// same nodes, so that there is one way to decode.
//
// It refuses to guess: an unknown key, a wrong type or a key that stands twice
// is a finding, and the value behind it says nothing.
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

var bom = []byte("\ufeff")

// Read reads a file into nodes, in the notation that the end of its name says.
func Read(name string, src []byte) (*yaml.Node, diag.List) {
	switch path.Ext(name) {
	case ".toml":
		return new(Nodes).TOML(name, src)
	case ".json", ".jsonc":
		return new(Nodes).JSON(name, src)
	}
	return YAML(name, src)
}

// YAML reads one YAML document and returns its top value, or nil when the
// document is empty or broken. Columns of its nodes count bytes. A second
// document is a finding.
func YAML(name string, src []byte) (n *yaml.Node, diags diag.List) {
	src = bytes.TrimPrefix(src, bom)
	dec := yaml.NewDecoder(bytes.NewReader(src))
	var doc yaml.Node
	err := dec.Decode(&doc)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		yamlError(&diags, name, src, err)
		return nil, diags
	}
	if bytes.ContainsFunc(src, func(r rune) bool { return r >= utf8.RuneSelf }) {
		countBytes(&doc, bytes.Split(src, []byte("\n")))
	}
	var more yaml.Node
	switch err := dec.Decode(&more); {
	case errors.Is(err, io.EOF):
	case err != nil:
		yamlError(&diags, name, src, err)
	default:
		diags.Errorf(diag.Pos{File: name, Line: more.Line, Col: more.Column}, "bad-syntax",
			"keep one document in this file", "a second document begins here and is not read")
	}
	return doc.Content[0], diags
}

var (
	yamlLine   = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)
	yamlParser = regexp.MustCompile(`^did not find expected (node content|key|',' or|'-' indicator|<)`)
	yamlAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced`)
)

// yamlError reports an error of the YAML library, which names lines in its
// text, counted from 0 when its parser complains, and never the first.
func yamlError(diags *diag.List, name string, src []byte, err error) {
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
		pos = blame(name, src, text)
	}
	d := diags.Errorf(pos, "bad-syntax", "", "not valid YAML: %s", text)
	blameSlip(d, src, text)
}

// blame finds the place of an error that the library gives without one: an alias, or
// what YAML cannot hold. It returns the first line for others.
func blame(name string, src []byte, text string) diag.Pos {
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

// countBytes turns columns that count characters into columns that count bytes.
func countBytes(n *yaml.Node, lines [][]byte) {
	if n.Line > 0 && n.Line <= len(lines) {
		line, col := lines[n.Line-1], 0
		for i := 1; i < n.Column && col < len(line); i++ {
			_, size := utf8.DecodeRune(line[col:])
			col += size
		}
		n.Column = col + 1
	}
	for _, c := range n.Content {
		countBytes(c, lines)
	}
}
