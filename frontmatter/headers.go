package frontmatter

import (
	"bufio"
	"bytes"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// Headers are front matter without fences: "Key: value" lines in MultiMarkdown, or a title and
// ":key: value" or ".. key: value" lines in reStructuredText and AsciiDoc.
var (
	headerLine = regexp.MustCompile(`^([A-Za-z][\w -]*):(?:[ \t]+(.*))?$`)
	fieldLine  = regexp.MustCompile(`^(?::|\.\. )([A-Za-z][\w -]*):(?:[ \t]+(.*))?$`)
)

// splitHeaders cuts the lines at the beginning of a file that may be headers: at most two
// paragraphs. The first one may be a title.
func splitHeaders(br *bufio.Reader) (block, error) {
	inText, paragraphs := false, 0
	data, err := readLines(br, func(text []byte) bool {
		before := inText
		if inText = len(bytes.TrimSpace(text)) > 0; before && !inText {
			paragraphs++
		}
		return paragraphs < 2
	})
	if n := readHeaders(data); len(n.Content) == 0 {
		return block{}, err
	}
	return block{notation: inHeaders, data: data}, err
}

// isHeading reports whether a line is the title of an AsciiDoc file.
func isHeading(text string) bool { return strings.HasPrefix(text, "= ") }

// isUnderline reports whether a line may stand below or above a title of
// reStructuredText.
func isUnderline(text string) bool {
	return len(text) > 2 && strings.Trim(text, text[:1]) == "" && strings.Contains("=-~^\"'#*+.:_`", text[:1])
}

// readHeaders reads a title and the headers or fields behind it, up to the first other line.
// Aliases are names between commas. The keys of AsciiDoc pages begin with "page-".
func readHeaders(src []byte) *yaml.Node {
	lines := newLines()
	add := func(line int, name, value string) {
		name = strings.TrimPrefix(strings.ToLower(name), "page-")
		at := yaml.Node{Line: line + 1, Column: 1}
		v := scalar(at, strings.TrimSpace(value))
		if name == "aliases" {
			v = list(at, strings.Split(value, ","))
		}
		lines.add(scalar(at, name), v)
	}
	fields, headers, heading := false, false, false
	all := append(strings.Split(string(src), "\n"), "")
	for i, raw := range all[:len(all)-1] {
		text := strings.TrimRight(raw, " \t\r")
		switch m, f := headerLine.FindStringSubmatch(text), fieldLine.FindStringSubmatch(text); {
		case f != nil && !headers:
			fields = true
			add(i, f[1], f[2])
		case m != nil && !fields && !heading:
			headers = true
			add(i, m[1], m[2])
		case text != "" && (fields || headers) && (raw[0] == ' ' || raw[0] == '\t'): // goes on
		case fields || headers:
			return lines.root
		case isUnderline(text):
			heading = true
		case isHeading(text), isUnderline(strings.TrimRight(all[i+1], " \t\r")) && text != "":
			heading = true
			add(i, "title", strings.TrimPrefix(text, "= "))
		case text != "" || !heading:
			return lines.root
		}
	}
	return lines.root
}
