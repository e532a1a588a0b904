package frontmatter

import (
	"bufio"
	"bytes"
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"gopkg.in/yaml.v3"
)

// Headers are front matter without fences: "Key: value" lines as MultiMarkdown
// has them, or the title and then ":key: value" or ".. key: value" lines as they
// begin reStructuredText and AsciiDoc.
var (
	headerLine = regexp.MustCompile(`^([A-Za-z][\w -]*):(?:[ \t]+(.*))?$`)
	fieldLine  = regexp.MustCompile(`^(?::|\.\. )([A-Za-z][\w -]*):(?:[ \t]+(.*))?$`)
)

// splitHeaders cuts the lines that begin a file and may be headers: two paragraphs at
// most, of which the first may be a title.
func splitHeaders(br *bufio.Reader, line int) (block, error) {
	inText, paragraphs := false, 0
	data, err := readLines(br, func(text []byte) bool {
		before := inText
		if inText = len(bytes.TrimSpace(text)) > 0; before && !inText {
			paragraphs++
		}
		return paragraphs < 2
	})
	if n, _ := readHeaders(data); len(n.Content) == 0 {
		return block{}, err
	}
	return block{inHeaders, data, line}, err
}

// isHeading reports whether a line is the title of an AsciiDoc file.
func isHeading(text string) bool { return strings.HasPrefix(text, "= ") }

// isUnderline reports whether a line may stand below or above a title of
// reStructuredText.
func isUnderline(text string) bool {
	return len(text) > 2 && strings.Trim(text, text[:1]) == "" && strings.Contains("=-~^\"'#*+.:_`", text[:1])
}

// readHeaders reads a title, and the headers or the fields that follow it, up to what is
// none of them. Aliases are names with commas between them, and a key of AsciiDoc's
// pages begins with "page-".
func readHeaders(src []byte) (*yaml.Node, diag.List) {
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
			return lines.root, nil
		case isUnderline(text):
			heading = true
		case isHeading(text), isUnderline(strings.TrimRight(all[i+1], " \t\r")) && text != "":
			heading = true
			add(i, "title", strings.TrimPrefix(text, "= "))
		case text != "" || !heading:
			return lines.root, nil
		}
	}
	return lines.root, nil
}
