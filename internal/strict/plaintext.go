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
	n.Value = p.textLines(joint)
	if mark[1:] != "-" {
		n.Value += "\n"
	}
	return n
}

func isTextMark(text string) bool {
	return text == "|" || text == "|-" || text == ">" || text == ">-"
}

// textLines joins the lines below the one at hand that are indented more.
func (p *Plain) textLines(joint string) string {
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
		case depth > 0 && (line == "" || text != "" && indent <= p.indent):
			return b.String()
		case text == "" || indent <= p.indent || blank || !ended || depth > 0 && indent != depth || strings.HasSuffix(text, " "):
			p.fail()
			return ""
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
