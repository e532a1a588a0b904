package strict

import (
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// A Plain reads the YAML that most front matter consists of, many times faster
// than YAML does: block maps and lists, flow lists, scalars of one line, and
// blocks of even lines. It refuses all that asks for a second look. It reuses
// its memory and is for one goroutine.
type Plain struct {
	rest   string // the lines below the one at hand
	text   string // the line at hand, without its indent and the spaces at its end
	indent int
	line   int
	more   bool // there is a line at hand
	failed bool // the text is not plain
	depth  int
	nodes  arena
}

const (
	plainDepth = 8
	plainKey   = 128 // bytes of a key
)

// Read returns the value that YAML would give for src, or false when src is not
// plain. The nodes lack comments, and their lines are counted on from the
// number given. A plain scalar's tag may be left to ShortTag. They are valid
// until the next call.
func (p *Plain) Read(src string, lines int) (n *yaml.Node, ok bool) {
	if !isPlain(src) {
		return nil, false
	}
	p.rest, p.line, p.depth, p.failed = src, lines, 0, false
	p.nodes.reset()
	p.next()
	if !p.more || p.indent > 0 {
		return nil, false
	}
	n = p.block()
	return n, !p.failed && !p.more
}

// fail ends the reading of a text that is not plain.
func (p *Plain) fail() *yaml.Node {
	p.failed, p.more, p.rest = true, false, ""
	return nil
}

// isPlain reports whether a text has only characters that mean the same to
// every reader: no tabs but in front of lines, no control characters, no line ends
// but LF and CRLF.
func isPlain(src string) bool {
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(src[i:])
			if r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff' || r == utf8.RuneError || r&0xfffe == 0xfffe {
				return false
			}
			i += size
			continue
		case c == '\n':
		case c == '\r':
			if i+1 == len(src) || src[i+1] != '\n' {
				return false
			}
		case c < ' ', c == 0x7f:
			return false
		}
		i++
	}
	return true
}

// next goes to the next line that is neither blank nor a comment.
func (p *Plain) next() {
	for p.rest != "" {
		p.text, p.rest, _ = strings.Cut(p.rest, "\n")
		p.line++
		text := strings.TrimLeft(p.text, " ")
		p.indent = len(p.text) - len(text)
		p.text = strings.TrimRight(strings.TrimSuffix(text, "\r"), " ")
		if p.text != "" && p.text[0] != '#' {
			p.more = true
			return
		}
	}
	p.more = false
}

// node returns a node at a column, counted from 0, of the line at hand.
func (p *Plain) node(kind yaml.Kind, tag string, col int) *yaml.Node {
	n := p.nodes.next()
	n.Kind, n.Tag, n.Line, n.Column = kind, tag, p.line, col+1
	return n
}

func (p *Plain) scalarNode(value, tag string, style yaml.Style, col int) *yaml.Node {
	n := p.node(yaml.ScalarNode, tag, col)
	n.Value, n.Style = value, style
	return n
}

// block reads the map or the list that begins at the line at hand, and goes to
// the line after it. Like all below it fails at what is not plain.
func (p *Plain) block() *yaml.Node {
	if p.depth == plainDepth {
		return p.fail()
	}
	p.depth++
	defer func() { p.depth-- }()
	if isItem(p.text) {
		return p.list()
	}
	return p.mapping()
}

func isItem(text string) bool { return strings.HasPrefix(text, "- ") }

func (p *Plain) mapping() *yaml.Node {
	indent := p.indent
	n := p.node(yaml.MappingNode, "!!map", indent)
	for p.more && p.indent == indent && !isItem(p.text) {
		size := keyLen(p.text)
		if size == 0 {
			return p.fail()
		}
		key := p.scalarNode(p.text[:size], plainTag(p.text[:size]), 0, indent)
		n.Content = append(n.Content, key, p.value(size+1))
	}
	if p.more && p.indent > indent {
		return p.fail()
	}
	return n
}

// keyLen returns the length of the key at the beginning of a line, or 0.
func keyLen(text string) int {
	for i := 0; i < len(text) && i < plainKey; i++ {
		c := text[i]
		switch {
		case c == ':' && (i+1 == len(text) || text[i+1] == ' '):
			return i
		case c == '_', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		case i > 0 && (c == '-' || c == '.' || '0' <= c && c <= '9'):
		default:
			return 0
		}
	}
	return 0
}

// value reads what stands behind the first n bytes of the line, which are a key
// and its colon.
func (p *Plain) value(n int) *yaml.Node {
	indent, text := p.indent, strings.TrimLeft(p.text[n:], " ")
	if col := indent + len(p.text) - len(text); text != "" {
		read := p.scalar
		if isTextMark(text) {
			read = p.textBlock
		}
		v := read(text, col)
		p.next()
		return v
	}
	null := p.scalarNode("", "!!null", 0, indent+n)
	p.next()
	if !p.more || p.indent < indent || p.indent == indent && !isItem(p.text) {
		return null
	}
	return p.block()
}

func (p *Plain) list() *yaml.Node {
	indent := p.indent
	n := p.node(yaml.SequenceNode, "!!seq", indent)
	for p.more && p.indent == indent && isItem(p.text) {
		n.Content = append(n.Content, p.item())
	}
	if p.more && p.indent > indent {
		return p.fail()
	}
	return n
}

// item reads an item of a list: a scalar, or a map whose first key stands behind
// the dash.
func (p *Plain) item() *yaml.Node {
	text := strings.TrimLeft(p.text[1:], " ")
	col := p.indent + len(p.text) - len(text)
	if keyLen(text) > 0 {
		p.text, p.indent = text, col
		return p.block()
	}
	n := p.scalar(text, col)
	p.next()
	return n
}

// scalar reads a value that fills the rest of the line but for a comment.
func (p *Plain) scalar(text string, col int) (n *yaml.Node) {
	rest := ""
	switch text[0] {
	case '"', '\'':
		n, rest = p.quotation(text, col)
	case '[':
		n, rest = p.flow(text, col)
	default:
		if text = cutComment(text); !isPlainScalar(text) {
			return p.fail()
		}
		n = p.scalarNode(text, plainTag(text), 0, col)
	}
	if cutComment(rest) != "" {
		return p.fail()
	}
	return n
}

// cutComment returns a text without the comment and the spaces at its end.
func cutComment(text string) string {
	if i := strings.Index(text, " #"); i >= 0 {
		text = text[:i]
	}
	return strings.TrimRight(text, " ")
}

// isPlainScalar reports whether a text is one scalar, and neither a key nor the
// beginning of anything else.
func isPlainScalar(text string) bool {
	if text == "" || strings.IndexByte("-?:,[]{}#&*!|>'\"%@`<", text[0]) >= 0 {
		return false
	}
	return text[len(text)-1] != ':' && !strings.Contains(text, ": ")
}

// quotation reads a scalar in quotes, and returns what stands behind it.
func (p *Plain) quotation(text string, col int) (n *yaml.Node, rest string) {
	if text[0] == '\'' {
		return p.singleQuoted(text, col)
	}
	escapes := false
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			value := text[1:i]
			if escapes {
				value = unescape.Replace(value)
			}
			return p.scalarNode(value, "!!str", yaml.DoubleQuotedStyle, col), text[i+1:]
		case '\\':
			if i++; i == len(text) || text[i] != '"' && text[i] != '\\' {
				return p.fail(), ""
			}
			escapes = true
		}
	}
	return p.fail(), ""
}

var unescape = strings.NewReplacer(`\"`, `"`, `\\`, `\`)

func (p *Plain) singleQuoted(text string, col int) (n *yaml.Node, rest string) {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] != '\'':
		case strings.HasPrefix(text[i+1:], "'"):
			i++
		default:
			value := strings.ReplaceAll(text[1:i], "''", "'")
			return p.scalarNode(value, "!!str", yaml.SingleQuotedStyle, col), text[i+1:]
		}
	}
	return p.fail(), ""
}

// flow reads a list of words and quoted texts in brackets, and returns what
// stands behind it.
func (p *Plain) flow(text string, col int) (n *yaml.Node, rest string) {
	end := col + len(text)
	n = p.node(yaml.SequenceNode, "!!seq", col)
	n.Style = yaml.FlowStyle
	rest = strings.TrimLeft(text[1:], " ")
	for !strings.HasPrefix(rest, "]") {
		if len(n.Content) > 0 {
			if !strings.HasPrefix(rest, ",") {
				return p.fail(), ""
			}
			rest = strings.TrimLeft(rest[1:], " ")
		}
		var item *yaml.Node
		item, rest = p.flowItem(rest, end-len(rest))
		n.Content = append(n.Content, item)
	}
	return n, rest[1:]
}

// flowItem reads one item of a flow list, and returns what stands behind it and
// the spaces after it.
func (p *Plain) flowItem(text string, col int) (n *yaml.Node, rest string) {
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		n, rest = p.quotation(text, col)
		return n, strings.TrimLeft(rest, " ")
	}
	end := 0
	for end < len(text) && isWord(text[end], end) {
		end++
	}
	word := strings.TrimRight(text[:end], " ")
	if word == "" {
		return p.fail(), ""
	}
	return p.scalarNode(word, plainTag(word), 0, col), text[end:]
}

// isWord reports whether a byte may stand at a place of a word in a flow list.
func isWord(c byte, at int) bool {
	switch {
	case c >= utf8.RuneSelf, c == '_', c == '/', c == '.', '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		return true
	}
	return at > 0 && (c == ' ' || c == '-' || c == '+' || c == '&')
}

// plainTag returns the tag of a plain scalar, or "" when finding it is worth
// work only for those who ask: numbers and dates.
func plainTag(text string) string {
	switch c := text[0]; {
	case '0' <= c && c <= '9', c == '+', c == '-', c == '.', c == '~':
		return ""
	case len(text) > len("false"):
		return "!!str"
	}
	switch text {
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return "!!bool"
	case "null", "Null", "NULL":
		return "!!null"
	}
	return "!!str"
}
