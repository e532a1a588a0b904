package frontmatter

import (
	"bufio"
	"bytes"
	"errors"
	"io"
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

// splitHeaders cuts the lines that begin a file and may be headers: up to what is
// neither, or the empty line behind the first one.
func splitHeaders(br *bufio.Reader, line int) (block, error) {
	var data []byte
	fields, headers, heading := false, false, false
	for n := 0; ; n++ {
		raw, err := br.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return block{}, err
		}
		text := strings.TrimRight(string(raw), " \t\r\n")
		switch {
		case fieldLine.MatchString(text) && !headers:
			fields = true
		case headerLine.MatchString(text) && !fields && !heading:
			headers = true
		case text != "" && (fields || headers) && (raw[0] == ' ' || raw[0] == '\t'): // goes on
		case n < 3 && !fields && !headers && (isHeading(text) || isUnderline(text) || mayBeHeading(br, text)):
			heading = true
		case text == "" && !fields && !headers && heading:
		default:
			err = io.EOF
			raw = nil
		}
		data = append(data, raw...)
		if err != nil {
			break
		}
	}
	if !fields && !headers && !heading {
		return block{}, nil
	}
	return block{inHeaders, data, line}, nil
}

// isHeading reports whether a line is the title of an AsciiDoc file.
func isHeading(text string) bool { return strings.HasPrefix(text, "= ") }

// isUnderline reports whether a line may stand below or above a title of
// reStructuredText.
func isUnderline(text string) bool {
	return len(text) > 2 && strings.Trim(text, text[:1]) == "" && strings.Contains("=-~^\"'#*+.:_`", text[:1])
}

// mayBeHeading reports whether the line that follows is an underline.
func mayBeHeading(br *bufio.Reader, text string) bool {
	head, _ := br.Peek(4 * (len(text) + 2))
	next, _, _ := bytes.Cut(head, newline)
	return text != "" && isUnderline(strings.TrimRight(string(next), " \t\r"))
}

// readHeaders reads such lines. Aliases are names with commas between them, and a
// key of AsciiDoc's pages begins with "page-".
func readHeaders(src []byte) (*yaml.Node, diag.List) {
	lines := newLines()
	add := func(line int, name, value string) {
		name = strings.TrimPrefix(strings.ToLower(name), "page-")
		at := yaml.Node{Line: line, Column: 1}
		v := scalar(at, strings.TrimSpace(value))
		if name == "aliases" {
			v = list(at, strings.Split(value, ","))
		}
		lines.add(scalar(at, name), v)
	}
	line, before, heading := 0, "", false
	for raw := range bytes.Lines(src) {
		line++
		text := strings.TrimRight(string(raw), " \t\r\n")
		switch m, f := headerLine.FindStringSubmatch(text), fieldLine.FindStringSubmatch(text); {
		case f != nil:
			add(line, f[1], f[2])
		case isHeading(text):
			heading = true
			add(line, "title", text[2:])
		case isUnderline(text):
			if heading = true; before != "" {
				add(line-1, "title", before)
			}
			text = ""
		case m != nil && !heading:
			add(line, m[1], m[2])
		}
		before = strings.TrimSpace(text)
	}
	return lines.root, nil
}
