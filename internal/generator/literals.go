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

// maxSteps is the maximum number of steps for reading a program. Each skipped token is a step, and
// so is each value that "..." copies. Without a limit, the values of a short program could double
// with each line: b = [...a, ...a].
const maxSteps = 1_000_000

// A program is a parsed configuration program in JavaScript, TypeScript or Python. sitewalk reads
// the literals in the program, but does not run the program.
type program struct {
	strict.LineIndex
	python bool
	src    string
	tokens []token
	match  []int  // for each opening bracket: index in tokens of its closing bracket
	names  *value // values of the constants in a script, or of the variables in a Python program
	result *value // exported value of a script; nil if there is none
	steps  int    // number of skipped tokens and copied values; see maxSteps
}

// A token is a string, a word, a punctuation mark or a regular expression in a program. Numbers
// count as words.
type token struct {
	text string // text in the program; for a string, its content
	at   int    // byte offset in the program
	kind tokenKind
}

type tokenKind uint8

const (
	punct    tokenKind = 1 + iota
	word               // identifier, keyword or number
	text               // string
	computed           // string with substitutions, or regular expression
)

// isWordOrMark reports whether t is the word or punctuation mark s. It returns false for a string
// whose content is s.
func (t token) isWordOrMark(s string) bool { return t.kind != text && t.text == s }

var (
	scriptBlank = regexp.MustCompile(`^(?:[\x00- \x{a0}\x{feff}]|//.*|#!.*|/\*(?s:.*?)\*/)*`)
	pythonBlank = regexp.MustCompile(`^(?:[\x00- \\\x{feff}]|#.*)*`)
	// literalToken matches one token. Group 1 is the prefix of a string, groups 2 to 5 are the
	// content of a string in four kinds of quotes, and group 6 is the content of a template string.
	// Group 7 is a word, and group 8 a punctuation mark.
	literalToken = regexp.MustCompile(`^(?s:([rRuUbBfF]{0,2})(?:"""(.*?)"""|'''(.*?)'''|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')|` +
		"`((?:[^`\\\\]|\\\\.)*)`" + `|([\w$@\x{80}-\x{10ffff}]+)|(=>|\.\.\.|[-+*/|&=!<>]=+|.))`)
	scriptRegexp = regexp.MustCompile(`^/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*`)
	escape       = regexp.MustCompile(`\\([^\w\n])`)
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
	if !p.python && rest[0] == '/' && p.expectsOperand() {
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
		if t.text = escape.ReplaceAllString(content, "$1"); strings.Contains(t.text, `\`) {
			t.kind = computed // an escape such as \n or \u0041
		}
	}
	return t, len(m[0])
}

// expectsOperand reports whether the next token must be an operand, such as a value. If so, a slash
// begins a regular expression; otherwise it is a division.
func (p *program) expectsOperand() bool {
	last := p.token(len(p.tokens) - 1)
	return last.kind == 0 || last.kind == punct && !strings.Contains(")]}", last.text) || last.isWordOrMark("return")
}

func (p *program) matchBrackets() {
	p.match = make([]int, len(p.tokens)+1)
	var open []int
	for i, t := range p.tokens {
		p.match[i] = len(p.tokens)
		switch {
		case t.kind == punct && strings.Contains("([{", t.text):
			open = append(open, i)
		case t.kind == punct && strings.Contains(")]}", t.text) && len(open) > 0:
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

// hasTokens reports whether the tokens from index i on are the given words and punctuation marks.
func (p *program) hasTokens(i int, words ...string) bool {
	for j, w := range words {
		if !p.token(i + j).isWordOrMark(w) {
			return false
		}
	}
	return true
}

// skipTokenOrGroup returns the index after token i. If token i is an opening bracket, it returns the index
// after the closing bracket. When maxSteps is exceeded, it returns the end of the program.
func (p *program) skipTokenOrGroup(i int) int {
	if p.steps++; p.steps > maxSteps {
		return len(p.tokens)
	}
	if t := p.token(i); t.kind == punct && strings.Contains("([{", t.text) {
		return p.match[i] + 1
	}
	return i + 1
}

// readStatements reads the statements in p.tokens[from:to], and records constants and variables in
// p.names. It returns the value of the last export statement or, inside a function, of the last
// return statement. It returns nil if there is none. depth is the number of enclosing values.
func (p *program) readStatements(from, to, depth int) (result *value) {
	for i := from; i < to; i = p.skipTokenOrGroup(i) {
		at := 0
		switch {
		case p.python:
			p.readAssignment(i)
			continue
		case p.hasTokens(i, "const"):
			for at = i + 1; at < to && !p.isOneOf(at, "=;"); {
				at = p.skipTokenOrGroup(at)
			}
			v, _ := p.readValue(at+1, depth+1)
			p.names.set(p.token(i+1).text, v)
			continue
		case p.hasTokens(i, "export", "default"), p.hasTokens(i, "export", "="):
			at = i + 2
		case p.hasTokens(i, "module", ".", "exports", "="):
			at = i + 4
		case p.hasTokens(i, "return") && depth > 0:
			at = i + 1
		default:
			continue
		}
		result, _ = p.readValue(at, depth+1)
	}
	return result
}

// readAssignment records in p.names the variable that token i of a Python program assigns, if any.
// The value of the variable is unknown after an assignment in a block, which may not run, and after
// an operator such as "+=".
func (p *program) readAssignment(i int) {
	t, operator := p.token(i), p.token(i+1)
	if t.kind != word || operator.kind != punct || !strings.HasSuffix(operator.text, "=") || strings.Contains("== != <= >=", operator.text) && operator.text != "=" {
		return
	}
	v := &value{pos: p.Pos(t.at)}
	if operator.text == "=" && (t.at == 0 || p.src[t.at-1] == '\n') {
		v, _ = p.readValue(i+2, 0)
	}
	p.names.set(t.text, v)
}

// readExpression returns the value of the expression at token i, and the index of the token after
// the expression. v is never nil; the value of a computed expression is unknown.
func (p *program) readExpression(i, depth int) (v *value, end int) {
	v, end = p.readValue(i, depth)
	if end < 0 {
		end = p.expressionEnd(i)
	} else if p.isOneOf(end, "", "as", "satisfies") {
		end = p.expressionEnd(end)
	}
	return v, end
}

// readValue is like readExpression, but returns end = -1 for a computed expression. Finding its end
// can take long in a program without semicolons.
func (p *program) readValue(i, depth int) (v *value, end int) {
	pos := p.Pos(min(p.token(i).at, len(p.src)))
	if depth <= maxDepth && p.steps <= maxSteps {
		v, end = p.readOperand(i, depth)
	}
	if v == nil || !p.endsExpression(end) {
		v, end = &value{}, -1
	}
	return v.withPos(pos), end
}

// expressionEnd returns the index of the token that ends the expression at token i, such as a
// comma.
func (p *program) expressionEnd(i int) int {
	for i < len(p.tokens) && !p.isOneOf(i, ",;)]}") {
		i = p.skipTokenOrGroup(i)
	}
	return i
}

// isOneOf reports whether token i is one of the punctuation marks in marks, such as ",;", or one of
// words.
func (p *program) isOneOf(i int, marks string, words ...string) bool {
	t := p.token(i)
	return t.kind == punct && len(t.text) == 1 && strings.Contains(marks, t.text) || t.kind == word && slices.Contains(words, t.text)
}

// endsExpression reports whether an expression can end before token i. An expression can end before
// a mark such as a comma, before "as" and "satisfies", at the end of a line, and at the end of the
// program.
func (p *program) endsExpression(i int) bool {
	t := p.token(i)
	if t.kind == 0 || p.isOneOf(i, ",;:)]}", "as", "satisfies") {
		return true
	}
	last := p.token(i - 1)
	return (t.kind != punct || t.isWordOrMark("@")) && strings.Contains(p.src[last.at:t.at], "\n")
}

// readOperand returns the value of the operand at token i, and the index of the token after the
// operand. The operand may be a literal or a constant. The value of a function is its result. The
// value of a call such as defineConfig(…) is its first argument. For any other operand, v is nil,
// and end is i + 1.
func (p *program) readOperand(i, depth int) (v *value, end int) {
	t := p.token(i)
	switch body := p.functionBody(i); {
	case body > 0 && p.token(body).isWordOrMark("{"):
		return p.readStatements(body+1, p.match[body], depth+1), p.match[body] + 1
	case body > 0:
		return p.readExpression(body, depth+1)
	case t.kind == text:
		return &value{scalar: t.text}, i + 1
	case t.isWordOrMark("true"), t.isWordOrMark("True"):
		return &value{scalar: true}, i + 1
	case t.isWordOrMark("false"), t.isWordOrMark("False"):
		return &value{scalar: false}, i + 1
	case t.isWordOrMark("{"):
		return p.readTable(i, depth), p.match[i] + 1
	case t.isWordOrMark("["):
		return p.readList(i, depth), p.match[i] + 1
	case t.isWordOrMark("("):
		v = p.readList(i, depth)
		if len(v.list) == 1 && !p.token(p.match[i]-1).isWordOrMark(",") {
			v = v.list[0]
		}
		end = p.match[i] + 1
	case strings.HasPrefix(t.text, "define") || strings.HasPrefix(t.text, "with"):
		end = i + 1
	case t.kind == word && '0' <= t.text[0] && t.text[0] <= '9':
		return &value{scalar: t.text}, i + 1
	case t.kind == word:
		v = p.names.at(t.text)
		for end = i + 1; p.token(end).isWordOrMark("."); end += 2 {
			v = v.at(p.token(end + 1).text)
		}
		return v, end
	default:
		return nil, i + 1
	}
	for p.token(end).isWordOrMark("(") { // a call
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
	if p.token(i).isWordOrMark("async") {
		i++
	}
	if p.token(i).isWordOrMark("function") {
		for i < len(p.tokens) && !p.token(i).isWordOrMark("(") {
			i = p.skipTokenOrGroup(i)
		}
		return p.skipTokenOrGroup(i)
	}
	if end := p.skipTokenOrGroup(i); p.token(end).isWordOrMark("=>") {
		return end + 1
	}
	return 0
}

// readList returns the list of the items between the opening bracket at token i and its closing
// bracket.
func (p *program) readList(i, depth int) *value {
	v := &value{kind: list}
	for j := i + 1; j < p.match[i]; {
		spread := p.token(j).isWordOrMark("...")
		if spread {
			j++
		}
		var item *value
		item, j = p.readExpression(j, depth+1)
		if spread && item.kind == list {
			p.steps += len(item.list)
			v.list = append(v.list, item.list...)
		} else {
			v.list = append(v.list, item)
		}
		j++ // skip the comma
	}
	return v
}

// readTable returns the table of the object or dict that begins at token i. If an unknown value is
// spread into the object, as in {a: 1, ...b}, all values before b are unknown.
func (p *program) readTable(i, depth int) *value {
	v := newTable(p.Pos(p.token(i).at))
	for j := i + 1; j < p.match[i]; j++ { // skip the comma
		key, w := p.token(j), (*value)(nil)
		switch {
		case key.isWordOrMark("..."):
			w, j = p.readExpression(j+1, depth+1)
			p.steps += len(w.keys)
			w.eachEntry(v.set)
			if w.kind != table {
				v.eachEntry(func(name string, old *value) { v.table[name] = &value{pos: old.pos} })
			}
			continue
		case p.token(j+1).isWordOrMark(":") && p.functionBody(j+2) == 0:
			w, j = p.readExpression(j+2, depth+1)
		case p.isOneOf(j+1, ",}"): // {key} means {key: key}
			w, j = p.readExpression(j, depth+1)
		default: // a method or a computed key
			w, j = new(value), p.expressionEnd(j)
		}
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

// callArguments returns the arguments of each call of the named function in the program.
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
