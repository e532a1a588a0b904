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
	depth  int

	nodes   [plainNodes]yaml.Node
	used    int
	open    []*yaml.Node // content of the maps and lists that are being read
	content []*yaml.Node // of those that are complete
}

const (
	plainNodes = 256 // what has more is left to YAML
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
	p.rest, p.line, p.depth, p.used = src, lines, 0, 0
	p.open, p.content = p.open[:0], p.content[:0]
	p.next()
	if !p.more || p.indent > 0 {
		return nil, false
	}
	n = p.block()
	return n, n != nil && !p.more
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

// node returns a node at a column, counted from 0, of the line at hand; nil when
// there are none left.
func (p *Plain) node(kind yaml.Kind, tag string, col int) *yaml.Node {
	if p.used == len(p.nodes) {
		return nil
	}
	n := &p.nodes[p.used]
	p.used++
	n.Kind, n.Style, n.Tag, n.Value, n.Content = kind, 0, tag, "", nil // the rest is never set
	n.Line, n.Column = p.line, col+1
	return n
}

func (p *Plain) scalarNode(value, tag string, style yaml.Style, col int) *yaml.Node {
	n := p.node(yaml.ScalarNode, tag, col)
	if n != nil {
		n.Value, n.Style = value, style
	}
	return n
}

// close ends a map or a list whose content is all that was opened since.
func (p *Plain) close(n *yaml.Node, since int) *yaml.Node {
	from := len(p.content)
	p.content = append(p.content, p.open[since:]...)
	p.open = p.open[:since]
	n.Content = p.content[from:len(p.content):len(p.content)]
	return n
}

// block reads the map or the list that begins at the line at hand, and goes to
// the line after it. Like all below it returns nil for what is not plain.
func (p *Plain) block() *yaml.Node {
	if p.depth == plainDepth {
		return nil
	}
	p.depth++
	var n *yaml.Node
	if isItem(p.text) {
		n = p.list()
	} else {
		n = p.mapping()
	}
	p.depth--
	return n
}

func isItem(text string) bool { return strings.HasPrefix(text, "- ") }

func (p *Plain) mapping() *yaml.Node {
	indent, since := p.indent, len(p.open)
	n := p.node(yaml.MappingNode, "!!map", indent)
	for n != nil && p.more && p.indent == indent && !isItem(p.text) {
		size := keyLen(p.text)
		if size == 0 {
			return nil
		}
		key := p.scalarNode(p.text[:size], plainTag(p.text[:size]), 0, indent)
		value := p.value(size + 1)
		if key == nil || value == nil {
			return nil
		}
		p.open = append(p.open, key, value)
	}
	if n == nil || p.more && p.indent > indent {
		return nil
	}
	return p.close(n, since)
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
	indent, since := p.indent, len(p.open)
	n := p.node(yaml.SequenceNode, "!!seq", indent)
	for n != nil && p.more && p.indent == indent && isItem(p.text) {
		item := p.item()
		if item == nil {
			return nil
		}
		p.open = append(p.open, item)
	}
	if n == nil || p.more && p.indent > indent {
		return nil
	}
	return p.close(n, since)
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
		if text = cutComment(text); isPlainScalar(text) {
			n = p.scalarNode(text, plainTag(text), 0, col)
		}
	}
	if cutComment(rest) != "" {
		return nil
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
				return nil, ""
			}
			escapes = true
		}
	}
	return nil, ""
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
	return nil, ""
}

// flow reads a list of words and quoted texts in brackets, and returns what
// stands behind it.
func (p *Plain) flow(text string, col int) (n *yaml.Node, rest string) {
	since, end := len(p.open), col+len(text)
	if n = p.node(yaml.SequenceNode, "!!seq", col); n == nil {
		return nil, ""
	}
	n.Style = yaml.FlowStyle
	rest = strings.TrimLeft(text[1:], " ")
	for !strings.HasPrefix(rest, "]") {
		if len(p.open) > since {
			if !strings.HasPrefix(rest, ",") {
				return nil, ""
			}
			rest = strings.TrimLeft(rest[1:], " ")
		}
		var item *yaml.Node
		if item, rest = p.flowItem(rest, end-len(rest)); item == nil {
			return nil, ""
		}
		p.open = append(p.open, item)
	}
	return p.close(n, since), rest[1:]
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
		return nil, ""
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
