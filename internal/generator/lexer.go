package generator

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A token is one word of a script.
type token struct {
	text string // of a quoted one, what it stands for
	at   int
	kind tokenKind
}

type tokenKind uint8

const (
	punct   tokenKind = 1 + iota
	word              // identifier or keyword
	number            // as written
	quoted            // string, or template without substitutions
	unknown           // template with substitutions, regular expression
)

func (t *token) is(p string) bool { return t.kind == punct && t.text == p }

// A lexer takes a script apart. It knows enough to tell strings, comments,
// templates and regular expressions from the rest.
type lexer struct {
	src       string
	at, start int
	tokens    []token
	broken    string // what never ends
}

// next reads one token; false at the end, or when something never ends.
func (l *lexer) next() bool {
	l.space()
	if l.at >= len(l.src) || l.broken != "" {
		return false
	}
	l.start = l.at
	switch b := l.src[l.at]; {
	case b == '"' || b == '\'':
		l.quoted(b)
	case b == '`':
		l.template()
	case b == '/' && l.operand():
		l.regexp()
	case isWord(b):
		l.word()
	default:
		l.punct()
	}
	return l.broken == ""
}

func (l *lexer) emit(kind tokenKind, text string) {
	l.tokens = append(l.tokens, token{text, l.start, kind})
}

// space skips white space and comments.
func (l *lexer) space() {
	for l.at < len(l.src) {
		rest := l.src[l.at:]
		switch {
		case strings.HasPrefix(rest, "//"), l.at == 0 && strings.HasPrefix(rest, "#!"):
			l.at += cutAt(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				l.start, l.broken, l.at = l.at, "unterminated comment", len(l.src)
				return
			}
			l.at += end + 4
		case strings.HasPrefix(rest, "\ufeff"):
			l.at += 3
		case rest[0] <= ' ':
			l.at++
		default:
			return
		}
	}
}

// cutAt returns the index of sep in s, or its length.
func cutAt(s, sep string) int {
	if i := strings.Index(s, sep); i >= 0 {
		return i
	}
	return len(s)
}

func isWord(b byte) bool {
	return b == '_' || b == '$' || b == '@' || b == '#' || b >= utf8.RuneSelf ||
		'0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

func (l *lexer) word() {
	digit := l.src[l.at] >= '0' && l.src[l.at] <= '9'
	for l.at < len(l.src) && (isWord(l.src[l.at]) || digit && l.src[l.at] == '.') {
		l.at++
	}
	if digit {
		l.emit(number, l.src[l.start:l.at])
		return
	}
	l.emit(word, l.src[l.start:l.at])
}

func (l *lexer) punct() {
	for _, long := range []string{"...", "=>", "==="} {
		if strings.HasPrefix(l.src[l.at:], long) {
			l.at += len(long)
			l.emit(punct, long)
			return
		}
	}
	if two := l.src[l.at:min(l.at+2, len(l.src))]; two == "==" || two == "!=" || two == "<=" || two == ">=" {
		l.at += 2
		l.emit(punct, two)
		return
	}
	l.at++
	l.emit(punct, l.src[l.start:l.at])
}

// operand reports whether a value may begin here, so that a slash opens a
// regular expression.
func (l *lexer) operand() bool {
	if len(l.tokens) == 0 {
		return true
	}
	switch t := &l.tokens[len(l.tokens)-1]; t.kind {
	case punct:
		return !t.is(")") && !t.is("]") && !t.is("}")
	case word:
		return t.text == "return" || t.text == "typeof" || t.text == "case"
	}
	return false
}

func (l *lexer) regexp() {
	class := false
	for l.at++; l.at < len(l.src); l.at++ {
		switch b := l.src[l.at]; {
		case b == '\\':
			l.at++
		case b == '\n':
			l.broken = "unterminated regular expression"
			return
		case b == '[':
			class = true
		case b == ']':
			class = false
		case b == '/' && !class:
			l.at++
			l.emit(unknown, "")
			return
		}
	}
	l.broken = "unterminated regular expression"
}

func (l *lexer) quoted(quote byte) {
	var b strings.Builder
	for l.at++; l.at < len(l.src); {
		switch c := l.src[l.at]; c {
		case quote:
			l.at++
			l.emit(quoted, b.String())
			return
		case '\n':
			l.broken = "unterminated string"
			return
		case '\\':
			l.escape(&b)
		default:
			b.WriteByte(c)
			l.at++
		}
	}
	l.broken = "unterminated string"
}

// escape reads one escape sequence.
func (l *lexer) escape(b *strings.Builder) {
	rest := l.src[l.at+1:]
	switch {
	case rest == "":
		l.at++
	case rest[0] == '\n':
		l.at += 2
	case rest[0] == 'u' && strings.HasPrefix(rest, "u{"):
		end := cutAt(rest, "}")
		l.rune(b, rest[2:min(max(end, 2), len(rest))], min(end+2, len(rest)+1))
	case rest[0] == 'u' && len(rest) >= 5:
		l.rune(b, rest[1:5], 6)
	case rest[0] == 'x' && len(rest) >= 3:
		l.rune(b, rest[1:3], 4)
	default:
		c := rest[0]
		if i := strings.IndexByte("ntrbfv0", c); i >= 0 {
			c = "\n\t\r\b\f\v\x00"[i]
		}
		b.WriteByte(c)
		l.at += 2
	}
}

// rune writes the character with a hexadecimal code, and moves on by width.
func (l *lexer) rune(b *strings.Builder, hex string, width int) {
	code, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		code = utf8.RuneError
	}
	b.WriteRune(rune(code))
	l.at += width
}

// template reads a template: a string, unless it has substitutions.
func (l *lexer) template() {
	var b strings.Builder
	for l.at++; l.at < len(l.src); {
		switch c := l.src[l.at]; {
		case c == '`':
			l.at++
			l.emit(quoted, b.String())
			return
		case c == '\\':
			l.escape(&b)
		case strings.HasPrefix(l.src[l.at:], "${"):
			l.substituted()
			return
		default:
			b.WriteByte(c)
			l.at++
		}
	}
	l.broken = "unterminated template"
}

// substituted skips the rest of a template from its first substitution on. The
// stack holds a brace for each open one and a backtick for each open template.
func (l *lexer) substituted() {
	stack := []byte{'`'}
	for l.at < len(l.src) {
		c, inner := l.src[l.at], stack[len(stack)-1]
		switch {
		case c == '\\':
			l.at++
		case inner == '`' && strings.HasPrefix(l.src[l.at:], "${"):
			stack = append(stack, '{')
			l.at++
		case c == '`' && inner == '`', c == '}' && inner == '{':
			stack = stack[:len(stack)-1]
		case c == '`', c == '{' && inner == '{':
			stack = append(stack, c)
		case inner == '{' && (c == '"' || c == '\''):
			l.at += 1 + cutAt(l.src[l.at+1:], string(c))
		}
		l.at++
		if len(stack) == 0 {
			l.at = min(l.at, len(l.src))
			l.emit(unknown, "")
			return
		}
	}
	l.broken = "unterminated template"
}
