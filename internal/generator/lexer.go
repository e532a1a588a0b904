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
	src    string
	at     int
	depth  int // of templates around one another
	tokens []token
	broken string // what begins here and never ends
}

var (
	scriptBlank    = regexp.MustCompile(`^(?:[\x00- \x{feff}]|//.*|#!.*|/\*(?s:.*?)\*/)*`)
	scriptNumber   = regexp.MustCompile(`^[0-9][\w$@#.\x{80}-\x{10ffff}]*`)
	scriptWord     = regexp.MustCompile(`^[\w$@#\x{80}-\x{10ffff}]+`)
	scriptPunct    = regexp.MustCompile(`^(?:\.\.\.|===|=>|[=!<>]=|(?s:.))`)
	scriptString   = regexp.MustCompile(`^(?:"(?:[^"\\\n]|\\(?s:.))*"|'(?:[^'\\\n]|\\(?s:.))*')`)
	scriptRegexp   = regexp.MustCompile(`^/(?:[^/\\\[\n]|\\(?s:.)|\[(?:[^\]\\\n]|\\(?s:.))*\])+/`)
	scriptTemplate = regexp.MustCompile("^[`}]((?:[^`\\\\]|\\\\(?s:.))*?)(`|\\$\\{)") // a part of one, between substitutions
)

// next reads one token; false at the end, or when something never ends.
func (l *lexer) next() bool {
	l.at += len(scriptBlank.FindString(l.src[l.at:]))
	rest := l.src[l.at:]
	if rest == "" {
		return false
	}
	switch b := rest[0]; {
	case strings.HasPrefix(rest, "/*"):
		l.broken = "comment"
	case b == '"' || b == '\'':
		l.take(text, scriptString, "string")
	case b == '`':
		l.template()
	case b == '/' && l.operand():
		l.take(unknown, scriptRegexp, "regular expression")
	case '0' <= b && b <= '9':
		l.take(number, scriptNumber, "")
	case scriptWord.MatchString(rest):
		l.take(word, scriptWord, "")
	default:
		l.take(punct, scriptPunct, "")
	}
	return l.broken == ""
}

// take reads a token by its expression; what says what it is to be.
func (l *lexer) take(kind tokenKind, re *regexp.Regexp, what string) {
	m := re.FindString(l.src[l.at:])
	if m == "" {
		l.broken = what
		return
	}
	t := token{m, l.at, kind}
	if kind == text {
		t.text = unescape(m[1 : len(m)-1])
	}
	l.tokens = append(l.tokens, t)
	l.at += len(m)
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

// template reads a template. The tokens of its substitutions are read and dropped.
func (l *lexer) template() {
	inner := lexer{src: l.src, at: l.at, depth: l.depth + 1}
	for t := (token{at: l.at, kind: text}); ; t.kind = unknown {
		part := scriptTemplate.FindStringSubmatch(l.src[inner.at:])
		if part == nil || inner.broken != "" || l.depth > maxDepth {
			l.broken = "template"
			return
		}
		inner.at += len(part[0])
		if part[2] == "`" {
			if t.kind == text {
				t.text = unescape(part[1])
			}
			l.tokens, l.at = append(l.tokens, t), inner.at
			return
		}
		inner.substitution()
	}
}

// substitution goes to the brace that closes a substitution.
func (l *lexer) substitution() {
	for open := 1; l.next(); {
		switch t := &l.tokens[len(l.tokens)-1]; {
		case t.is("{"):
			open++
		case t.is("}"):
			open--
		}
		if open == 0 {
			l.at--
			return
		}
	}
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
