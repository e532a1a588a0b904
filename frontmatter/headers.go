package frontmatter

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// headerKey matches the key of a line of front matter without fences: "Key: value" in
// MultiMarkdown, ":key: value" and ".. key: value" in reStructuredText, and "#+KEY: value" in Org.
var headerKey = regexp.MustCompile(`^(:|\.\. |#\+)?([A-Za-z][\w -]{0,99})(\[\])?:([ \t]|$)`)

const orgPrefix = "#+"

// orgDate matches a date in Org's brackets, such as "<2024-01-02 Tue>".
var orgDate = regexp.MustCompile(`^[<\[](\d{4}-\d{2}-\d{2})(?: \p{L}+)?( \d{1,2}:\d{2})?[^>\]]*[>\]]$`)

// splitHeaders returns the front matter in the first two paragraphs of a file. There are two,
// because the first paragraph may be a title. It returns the zero block if these paragraphs begin
// with neither a title nor a header line.
func splitHeaders(br *bufio.Reader) (block, error) {
	var data []byte
	for wasText, paragraphs := false, 0; paragraphs < 2; {
		line, err := br.ReadBytes('\n')
		data = append(data, line...)
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return block{}, err
		}
		isText := len(bytes.TrimSpace(line)) > 0
		if wasText && !isText {
			paragraphs++
		}
		wasText = isText
	}
	if n := readHeaders(data); len(n.Content) == 0 {
		return block{}, nil
	}
	return block{notation: inHeaders, data: data}, nil
}

// readHeaders parses an optional title and the header lines after it into a YAML map. A header line
// may continue on indented lines, which are ignored. Blank lines, and lines that begin a comment,
// are skipped before the first header line. Any later line ends the headers, unless it is indented
// or is a header line with the same syntax. Of several lines with the same key, the first counts.
func readHeaders(src []byte) *yaml.Node {
	root := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: 1, Column: 1}
	names := map[string]bool{}
	add := func(at yaml.Node, prefix, name, value string, isList bool) {
		name = strings.ToLower(name)
		if !names[name] {
			names[name] = true
			root.Content = append(root.Content, newScalar(at, name), headerValue(at, prefix, name, value, isList))
		}
	}
	kind, hasTitle := "", false
	lines := append(strings.Split(string(src), "\n"), "")
	for i, raw := range lines[:len(lines)-1] {
		text := strings.TrimRight(raw, " \t\r")
		m := headerKey.FindStringSubmatch(text)
		switch {
		case m != nil && (kind == "" && (m[1] != "" || !hasTitle) || kind == headerSyntax(m[1])):
			kind = headerSyntax(m[1])
			value := strings.TrimLeft(text[len(m[0]):], " \t")
			at := yaml.Node{Line: i + 1, Column: len(text) - len(value) + 1}
			add(at, m[1], m[2], value, m[3] != "")
		case text != "" && kind != "" && (raw[0] == ' ' || raw[0] == '\t'): // continuation line of a value
		case kind != "":
			return root
		case text == "<!--": // Nikola writes the headers of Markdown files into a comment
		case isUnderline(text):
			hasTitle = true
		case text != "" && isUnderline(strings.TrimRight(lines[i+1], " \t\r")):
			hasTitle = true
			add(yaml.Node{Line: i + 1, Column: 1}, "", "title", text, false)
		case text != "":
			return root
		}
	}
	return root
}

// headerSyntax returns an identifier for the syntax of a header line whose key has the given
// prefix: "#+" for Org, "field" for the prefixes ":" and ".. ", and "header" without a prefix. All
// header lines of a file must have the same syntax.
func headerSyntax(prefix string) string {
	switch prefix {
	case "":
		return "header"
	case orgPrefix:
		return orgPrefix
	}
	return "field"
}

// headerValue converts the value of a header line to a YAML node at the position of at. In Org, a
// date in brackets becomes a plain date. If isList is true, or if name is "aliases", the value in
// Org is a list, whose items are separated by spaces.
// See https://gohugo.io/content-management/front-matter/#emacs-org-mode
func headerValue(at yaml.Node, prefix, name, value string, isList bool) *yaml.Node {
	if prefix != orgPrefix {
		return newScalar(at, value)
	}
	if m := orgDate.FindStringSubmatch(value); m != nil {
		return newScalar(at, m[1]+m[2])
	}
	if !isList && name != "aliases" {
		return newScalar(at, value)
	}
	list := at
	list.Kind, list.Tag = yaml.SequenceNode, "!!seq"
	for word := range strings.FieldsSeq(value) {
		list.Content = append(list.Content, newScalar(at, word))
	}
	return &list
}

func newScalar(at yaml.Node, value string) *yaml.Node {
	at.Kind, at.Tag, at.Value = yaml.ScalarNode, "!!str", value
	return &at
}

// isUnderline reports whether text can underline or overline a title in reStructuredText, such as
// "=====".
func isUnderline(text string) bool {
	return len(text) > 2 && strings.Trim(text, text[:1]) == "" && strings.Contains("=-~^\"'#*+.:_`", text[:1])
}
