package generator

import (
	"regexp"
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
	text              // string, or template without substitutions
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
		l.literal("string")
	case b == '`':
		l.literal("template")
	case b == '/' && l.operand():
		l.literal("regular expression")
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
	return b >= utf8.RuneSelf || isLetterOrDigit(rune(b)) || strings.IndexByte("_$@#", b) >= 0
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
	text := l.src[l.at : l.at+1]
	for _, long := range []string{"...", "===", "=>", "==", "!=", "<=", ">="} {
		if strings.HasPrefix(l.src[l.at:], long) {
			text = long
			break
		}
	}
	l.at += len(text)
	l.emit(punct, text)
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

// literal reads a string, a template or a regular expression, up to the character
// that it begins with.
func (l *lexer) literal(what string) {
	quote, class := l.src[l.at], false
	for l.at++; l.at < len(l.src); l.at++ {
		switch b := l.src[l.at]; {
		case b == '\\':
			l.at++
		case b == '\n' && quote != '`':
			l.broken = "unterminated " + what
			return
		case quote == '`' && strings.HasPrefix(l.src[l.at:], "${"):
			l.substitutions()
			return
		case quote == '/' && (b == '[' || b == ']'):
			class = b == '['
		case b != quote || class:
		case quote == '/':
			l.at++
			l.emit(unknown, "")
			return
		default:
			l.at++
			l.emit(text, unescape(l.src[l.start+1:l.at-1]))
			return
		}
	}
	l.at, l.broken = len(l.src), "unterminated "+what
}

var (
	escape  = regexp.MustCompile(`(?s)\\(?:u\{([^}]*)\}|u(.{4})|x(.{2})|(.))`)
	escapes = map[string]string{"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\x00", "\n": ""}
)

// unescape returns what the inside of a string or a template stands for.
func unescape(s string) string {
	return escape.ReplaceAllStringFunc(s, func(whole string) string {
		m := escape.FindStringSubmatch(whole)
		if m[4] != "" {
			if text, ok := escapes[m[4]]; ok {
				return text
			}
			return m[4]
		}
		code, err := strconv.ParseUint(m[1]+m[2]+m[3], 16, 32)
		if err != nil {
			code = utf8.RuneError
		}
		return string(rune(code))
	})
}

// substitutions skips the rest of a template from its first substitution on. The
// stack holds a brace for each open one and a backtick for each open template.
func (l *lexer) substitutions() {
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
