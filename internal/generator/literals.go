package generator

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// maxDepth is the maximum depth of nested values in a program.
const maxDepth = 64

// maxSteps is the maximum number of steps for reading a program. Each skipped token or bracketed
// group is a step, and so is each value that "..." copies.
const maxSteps = 1_000_000

// A program is a parsed configuration program in JavaScript, TypeScript or Python. sitewalk reads
// the literals in the program, but does not run the program.
type program struct {
	strict.LineIndex
	python bool
	src    string
	tokens []token
	match  []int  // for each opening bracket: index in tokens of its closing bracket, or len(tokens) if there is none
	names  *value // values of the constants in a script, or of the variables in a Python program
	result *value // exported value of a script; nil if there is none
	steps  int    // see maxSteps
}

// A token is a string, a word, a punctuation mark or a regular expression in a program. Numbers
// count as words.
type token struct {
	text string // text in the program; for a string with a known value, this value
	at   int    // byte offset in the program
	kind tokenKind
}

type tokenKind uint8

const (
	punct    tokenKind = 1 + iota
	word               // identifier, keyword or number
	text               // string with a known value
	computed           // string with substitutions or with escapes such as \n, regular expression, or invalid byte
)

var (
	// scriptBlank and pythonBlank match white space and comments.
	scriptBlank = regexp.MustCompile(`^(?:[\x00- \x{a0}\x{feff}]|//.*|#!.*|/\*(?s:.*?)\*/)*`)
	pythonBlank = regexp.MustCompile(`^(?:[\x00- \\\x{feff}]|#.*)*`)
	// literalToken matches one token. Group 1 is the prefix of a string, groups 2 to 5 are the
	// content of a string in four kinds of quotes, and group 6 is the content of a template string.
	// Group 7 is a word, and group 8 a punctuation mark.
	literalToken = regexp.MustCompile(`^(?s:([rRuUbBfF]{0,2})(?:"""(.*?)"""|'''(.*?)'''|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')|` +
		"`((?:[^`\\\\]|\\\\.)*)`" + `|([\w$@\x{80}-\x{10ffff}]+)|(=>|\.\.\.|[-+*/|&=!<>]=+|.))`)
	// scriptRegexp matches a regular expression in a script, such as /a+/i.
	scriptRegexp = regexp.MustCompile(`^/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*`)
	// punctEscape matches an escaped punctuation mark, such as \". Group 1 is the mark.
	punctEscape = regexp.MustCompile(`\\([^\w\n])`)
)

// parseProgram parses a program. If a string is not terminated, p is nil, and unterminated is the
// position of the string.
func parseProgram(src []byte, name string, python bool) (p *program, unterminated diag.Pos) {
	p = &program{LineIndex: strict.NewLineIndex(name, src), python: python, src: string(src), names: newTable(diag.Pos{File: name})}
	blank := scriptBlank
	if python {
		blank = pythonBlank
	}
	for at := 0; ; {
		at += len(blank.FindString(p.src[at:]))
		if at == len(p.src) {
			break
		}
		t, length := p.readToken(at)
		if t.kind == punct && strings.Contains("\"'`", t.text) {
			return nil, p.Pos(at)
		}
		p.tokens = append(p.tokens, t)
		at += length
	}
	p.matchBrackets()
	p.result = p.readStatements(0, len(p.tokens), 0)
	return p, diag.Pos{}
}

// readToken returns the token at the given byte offset, and the length of the token in bytes.
func (p *program) readToken(offset int) (t token, length int) {
	rest := p.src[offset:]
	if !p.python && rest[0] == '/' && p.expectsOperand(len(p.tokens)) {
		if m := scriptRegexp.FindString(rest); m != "" {
			return token{m, offset, computed}, len(m)
		}
	}
	m := literalToken.FindStringSubmatch(rest)
	if m == nil { // not UTF-8
		return token{rest[:1], offset, computed}, 1
	}
	t = token{m[0], offset, text}
	switch content := m[2] + m[3] + m[4] + m[5] + m[6]; {
	case m[8] != "":
		t.kind = punct
	case m[7] != "":
		t.kind = word
	case strings.ContainsAny(m[1], "fFbB"), m[0][0] == '`' && strings.Contains(content, "${"):
		t.kind = computed
	case strings.ContainsAny(m[1], "rR"):
		t.text = content
	default:
		if t.text = punctEscape.ReplaceAllString(content, "$1"); strings.Contains(t.text, `\`) {
			t.kind = computed // an escape such as \n or \u0041
		}
	}
	return t, len(m[0])
}

// expectsOperand reports whether the syntax requires an operand, such as a literal, at token i.
// This is the case at the beginning of the program, after "return", and after each punctuation mark
// except closing brackets. If token i is a slash, it then begins a regular expression. In all other
// places, a slash is a division.
func (p *program) expectsOperand(i int) bool {
	before := p.token(i - 1)
	return before.kind == 0 || before.kind == punct && !p.isOneOf(i-1, ")", "]", "}") || p.isOneOf(i-1, "return")
}

func (p *program) matchBrackets() {
	p.match = make([]int, len(p.tokens)+1)
	var open []int
	for i := range p.tokens {
		p.match[i] = len(p.tokens)
		switch {
		case p.isOneOf(i, "(", "[", "{"):
			open = append(open, i)
		case p.isOneOf(i, ")", "]", "}") && len(open) > 0:
			p.match[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
	}
}

// token returns the token with the index i, or the zero token if i is out of range.
func (p *program) token(i int) token {
	if i < 0 || i >= len(p.tokens) {
		return token{}
	}
	return p.tokens[i]
}

// isOneOf reports whether token i is one of words, which are words and punctuation marks. It
// returns false for a string.
func (p *program) isOneOf(i int, words ...string) bool {
	t := p.token(i)
	return t.kind != text && slices.Contains(words, t.text)
}

// hasTokens reports whether the tokens from index i on are the given words and punctuation marks.
func (p *program) hasTokens(i int, words ...string) bool {
	for j, w := range words {
		if !p.isOneOf(i+j, w) {
			return false
		}
	}
	return true
}

// skipTokenOrGroup returns the index after token i. If token i is an opening bracket, it returns
// the index after the closing bracket. When maxSteps is exceeded, it returns the end of the
// program.
func (p *program) skipTokenOrGroup(i int) int {
	if p.steps++; p.steps > maxSteps {
		return len(p.tokens)
	}
	if p.isOneOf(i, "(", "[", "{") {
		return p.match[i] + 1
	}
	return i + 1
}

// readStatements reads the statements in p.tokens[from:to], and records constants and variables in
// p.names. It returns the value of the last export statement or, inside a function, of the last
// return statement. It skips blocks, such as the block of an if statement. Without an export or
// return statement, the result is nil. depth is the number of enclosing values.
func (p *program) readStatements(from, to, depth int) (result *value) {
	for i := from; i < to; i = p.skipTokenOrGroup(i) {
		switch {
		case p.python:
			p.readAssignment(i)
		case p.isOneOf(i, "const"):
			at := i + 1
			for at < to && !p.isOneOf(at, "=", ";") {
				at = p.skipTokenOrGroup(at)
			}
			v, _ := p.readExpression(at+1, depth+1)
			p.names.set(p.token(i+1).text, v)
		case p.hasTokens(i, "export", "default"), p.hasTokens(i, "export", "="):
			result, _ = p.readExpression(i+2, depth+1)
		case p.hasTokens(i, "module", ".", "exports", "="):
			result, _ = p.readExpression(i+4, depth+1)
		case p.isOneOf(i, "return") && depth > 0:
			result, _ = p.readExpression(i+1, depth+1)
		}
	}
	return result
}

// readAssignment records the variable of a Python assignment such as "a = 1" in p.names, if the
// assignment begins at token i. The recorded value is unknown if the assignment is indented,
// because Python may not run it, or if its operator is "+=" or "|=".
func (p *program) readAssignment(i int) {
	t := p.token(i)
	if t.kind != word || !p.isOneOf(i+1, "=", "+=", "|=") {
		return
	}
	v := &value{pos: p.Pos(t.at)}
	if p.isOneOf(i+1, "=") && (t.at == 0 || p.src[t.at-1] == '\n') {
		v, _ = p.readExpression(i+2, 0)
	}
	p.names.set(t.text, v)
}

// readExpression returns the value of the expression that begins at token i. v is never nil; the
// value of a computed expression is unknown. rest is the index of the first token that was not
// read. The expression may continue there; expressionEnd returns the index of its end.
func (p *program) readExpression(i, depth int) (v *value, rest int) {
	rest = i
	if depth <= maxDepth && p.steps <= maxSteps {
		v, rest = p.readOperand(i, depth)
	}
	if v == nil || !p.isExpressionEnd(rest) && !p.isOneOf(rest, "as", "satisfies") {
		v = &value{}
	}
	return v.withPos(p.Pos(min(p.token(i).at, len(p.src)))), rest
}

// expressionEnd returns the index of the first token after the expression that token i continues.
// It returns i if the expression ends before token i.
func (p *program) expressionEnd(i int) int {
	for !p.isExpressionEnd(i) {
		i = p.skipTokenOrGroup(i)
	}
	return i
}

// isExpressionEnd reports whether token i is the first token after an expression. An expression
// ends before a comma, a semicolon or a closing bracket, at the end of a line if it is complete,
// and at the end of the program.
func (p *program) isExpressionEnd(i int) bool {
	t := p.token(i)
	return t.kind == 0 || p.isOneOf(i, ",", ";", ")", "]", "}") ||
		t.kind != punct && !p.expectsOperand(i) && strings.Contains(p.src[p.token(i-1).at:t.at], "\n")
}

// readOperand returns the value of the operand at token i, and the index of the token after the
// operand. The operand may be a literal, or a constant with members, such as "a.b". The value of a
// function is its result. The value of a call such as defineConfig(…) or withPlugin(…) is its first
// argument; calls of functions with other names are unknown. If the value is unknown, v may be nil.
func (p *program) readOperand(i, depth int) (v *value, end int) {
	t := p.token(i)
	switch body := p.functionBody(i); {
	case body > 0 && p.isOneOf(body, "{"):
		return p.readStatements(body+1, p.match[body], depth+1), p.match[body] + 1
	case body > 0:
		return p.readExpression(body, depth+1)
	case t.kind == text, t.kind == word && '0' <= t.text[0] && t.text[0] <= '9':
		return &value{scalar: t.text}, i + 1
	case p.isOneOf(i, "true", "True", "false", "False"):
		return &value{scalar: strings.EqualFold(t.text, "true")}, i + 1
	case p.isOneOf(i, "{"):
		return p.readTable(i, depth), p.match[i] + 1
	case p.isOneOf(i, "["):
		return p.readList(i, depth), p.match[i] + 1
	case p.isOneOf(i, "("):
		v = p.readList(i, depth)
		if len(v.list) == 1 && !p.isOneOf(p.match[i]-1, ",") {
			v = v.list[0]
		}
		end = p.match[i] + 1
	case strings.HasPrefix(t.text, "define") || strings.HasPrefix(t.text, "with"):
		end = i + 1
	case t.kind == word:
		v = p.names.at(t.text)
		for end = i + 1; p.isOneOf(end, "."); end += 2 {
			v = v.at(p.token(end + 1).text)
		}
		return v, end
	default:
		return nil, i + 1
	}
	for p.isOneOf(end, "(") { // a call
		if arguments := p.readList(end, depth); len(arguments.list) > 0 {
			v = arguments.list[0]
		}
		end = p.match[end] + 1
	}
	return v, end
}

// functionBody returns the index of the body of the function that begins at token i, or 0 if no
// function begins there.
func (p *program) functionBody(i int) int {
	if p.isOneOf(i, "async") {
		i++
	}
	if p.isOneOf(i, "function") {
		for i < len(p.tokens) && !p.isOneOf(i, "(") {
			i = p.skipTokenOrGroup(i)
		}
		return p.skipTokenOrGroup(i)
	}
	if end := p.skipTokenOrGroup(i); p.isOneOf(end, "=>") {
		return end + 1
	}
	return 0
}

// readList returns the list of the items between the opening bracket at token i and its closing
// bracket. An item such as "...a" has an unknown value.
func (p *program) readList(i, depth int) *value {
	v := &value{kind: list}
	for j := i + 1; j < p.match[i]; j++ { // skip the comma
		var item *value
		item, j = p.readExpression(j, depth+1)
		j = p.expressionEnd(j)
		v.list = append(v.list, item)
	}
	return v
}

// readTable returns the table of the object or dict that begins at token i. The value of a key is
// unknown if it is a function. If an unknown value is spread into the object, as in {a: 1, ...b},
// all values before b are unknown.
func (p *program) readTable(i, depth int) *value {
	v := newTable(p.Pos(p.token(i).at))
	for j := i + 1; j < p.match[i]; j++ { // skip the comma
		key, w := p.token(j), new(value)
		switch {
		case p.isOneOf(j, "..."):
			w, j = p.readExpression(j+1, depth+1)
			j = p.expressionEnd(j)
			p.steps += len(w.keys)
			w.eachEntry(v.set)
			if w.kind != table {
				v.eachEntry(func(name string, old *value) { v.table[name] = &value{pos: old.pos} })
			}
			continue
		case p.isOneOf(j+1, ":") && p.functionBody(j+2) == 0:
			w, j = p.readExpression(j+2, depth+1)
		case p.isOneOf(j+1, ",", "}"): // {key} means {key: key}
			w, j = p.readExpression(j, depth+1)
		}
		j = p.expressionEnd(j) // also skips a method and a computed key
		name := key.text
		if s := p.names.at(name).str(); p.python && key.kind == word && s != "" {
			name = s
		}
		v.set(name, w.withPos(p.Pos(key.at)))
	}
	return v
}

// withPos returns a copy of v with the position pos.
func (v *value) withPos(pos diag.Pos) *value {
	w := *v
	w.pos = pos
	return &w
}

// callArguments returns the arguments of each call of the named function or method in the program.
func (p *program) callArguments(function string) (calls [][]*value) {
	for i := range p.tokens {
		if p.hasTokens(i, function, "(") {
			calls = append(calls, p.readList(i+1, 0).list)
		}
	}
	return calls
}

// onlyCallArgument returns the first argument in the only call of the named function. It returns
// nil if the program does not call the function exactly once, or calls it without arguments.
func (p *program) onlyCallArgument(function string) *value {
	if calls := p.callArguments(function); len(calls) == 1 && len(calls[0]) > 0 {
		return calls[0][0]
	}
	return nil
}
