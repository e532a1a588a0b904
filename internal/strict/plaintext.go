package strict

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// textBlock reads the block of text that a mark opens, if its lines are indented
// alike and none between them is blank.
// https://yaml.org/spec/1.2.2/#81-block-scalar-styles
func (p *Plain) textBlock(mark string, col int) *yaml.Node {
	joint, style := "\n", yaml.Style(yaml.LiteralStyle)
	if mark[0] == '>' {
		joint, style = " ", yaml.FoldedStyle
	}
	n := p.scalarNode("", "!!str", style, col)
	text, ok := p.textLines(joint)
	if n == nil || !ok {
		return nil
	}
	if mark[1:] != "-" {
		text += "\n"
	}
	n.Value = text
	return n
}

func isTextMark(text string) bool {
	return text == "|" || text == "|-" || text == ">" || text == ">-"
}

// textLines joins the lines below the one at hand that are indented more.
func (p *Plain) textLines(joint string) (text string, ok bool) {
	var b strings.Builder
	depth, blank := 0, false
	for {
		line, rest, ended := strings.Cut(p.rest, "\n")
		line = strings.TrimSuffix(line, "\r")
		text := strings.TrimLeft(line, " ")
		indent := len(line) - len(text)
		switch {
		case line == "" && ended:
			blank = true
		case line != "" && text == "":
			return "", false
		case line == "" || indent <= p.indent:
			return b.String(), depth > 0
		case blank || !ended || depth > 0 && indent != depth || strings.HasSuffix(text, " "):
			return "", false
		default:
			if depth > 0 {
				b.WriteString(joint)
			}
			depth = indent
			b.WriteString(text)
		}
		p.rest = rest
		p.line++
	}
}
