package generator

import (
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// A fault is why a script cannot be read, and where.
type fault struct {
	pos     diag.Pos
	message string
}

// A script reads the literals of a JavaScript or TypeScript configuration. It
// believes what is written out, and nothing that running the file could change.
type script struct {
	strict.Places
	tokens []token
	match  []int             // of an opening bracket: the index of its closing one
	names  map[string]*value // what is known of them; "" is what the file exports as a whole
	file   string
	reader *reader // of the files that it may import; nil for a script alone
	read   map[string]*script
}

// newScript reads a file's tokens; a fault is a string, a comment or a bracket that
// never ends.
func newScript(src []byte, name string) (*script, *fault) {
	s := &script{Places: strict.NewPlaces(name, src), names: map[string]*value{}, read: map[string]*script{}}
	l := lexer{src: string(src)}
	for l.next() {
	}
	s.tokens = l.tokens
	if l.broken != "" {
		return nil, &fault{s.Pos(l.at), "unterminated " + l.broken}
	}
	if open := s.pair(); open >= 0 {
		return nil, &fault{s.Pos(s.tokens[open].at), "unbalanced " + s.tokens[open].text}
	}
	return s, nil
}

// pair finds the partner of each bracket; a bracket without one is returned,
// else -1.
func (s *script) pair() int {
	s.match = make([]int, len(s.tokens))
	var open []int
	for i := range s.tokens {
		switch t := &s.tokens[i]; {
		case t.is("{"), t.is("("), t.is("["):
			open = append(open, i)
		case t.is("}"), t.is(")"), t.is("]"):
			if len(open) == 0 || closing[s.tokens[open[len(open)-1]].text] != t.text {
				return i
			}
			s.match[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		return open[0]
	}
	return -1
}

var closing = map[string]string{"{": "}", "(": ")", "[": "]"}

// tok returns the token at i, or an empty one behind the end.
func (s *script) tok(i int) *token {
	if i < 0 || i >= len(s.tokens) {
		return &token{}
	}
	return &s.tokens[i]
}

// seq reports whether words stand at i.
func (s *script) seq(i int, words ...string) bool {
	for j, w := range words {
		if t := s.tok(i + j); t.kind == text || t.text != w {
			return false
		}
	}
	return true
}

// exports returns the object that the file exports as a whole, or nil.
func (s *script) exports() *value { return s.once("", s.export) }

func (s *script) export() *value {
	for i := range s.top() {
		switch {
		case s.seq(i, "export", "default"):
			return s.object(i+2, 0)
		case s.seq(i, "module", ".", "exports", "="):
			return s.object(i+4, 0)
		case s.seq(i, "export", "="):
			return s.object(i+2, 0)
		}
	}
	return nil
}

// top runs through the tokens that no bracket holds, each opening bracket
// standing for what it holds.
func (s *script) top() func(yield func(int) bool) {
	return s.within(0, len(s.tokens))
}

func (s *script) within(from, to int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := from; i < to; i++ {
			if !yield(i) {
				return
			}
			if s.match[i] > i {
				i = s.match[i]
			}
		}
	}
}

// initializer returns the index behind the = of a declaration, over its type.
func (s *script) initializer(i int) int {
	for j := range s.within(i, len(s.tokens)) {
		if s.tok(j).is("=") {
			return j + 1
		}
		if s.tok(j).is(";") {
			break
		}
	}
	return len(s.tokens)
}

// object returns the object that the expression at i is: written out, the
// argument of a defining call, a constant, or what a function returns.
func (s *script) object(i, depth int) *value {
	t := s.tok(i)
	switch {
	case depth > maxDepth:
		return nil
	case t.is("{"):
		return s.table(i, 0)
	case t.is("(") && s.tok(s.match[i]+1).is("=>"):
		return s.returned(s.match[i]+2, depth)
	case t.is("("), s.seq(i, "async"):
		return s.object(i+1, depth+1)
	case t.kind != word:
		return nil
	case s.tok(i + 1).is("=>"):
		return s.returned(i+2, depth)
	case s.seq(i, "function"):
		if s.tok(i+1).kind == word { // its name
			i++
		}
		if s.tok(i + 1).is("(") {
			return s.returned(s.match[i+1]+1, depth)
		}
	case s.tok(i + 1).is("("):
		if strings.HasPrefix(t.text, "define") || strings.HasPrefix(t.text, "with") {
			return s.object(i+2, depth+1) // the call hands its argument on: defineConfig, withMDX
		}
	case !s.tok(i + 1).is("."):
		return s.resolve(t.text)
	}
	return nil
}

// returned returns the object that a function with its body at i returns: the body
// itself where it is an expression, else that of its only return, which no
// condition may keep from being reached.
func (s *script) returned(i, depth int) *value {
	if !s.tok(i).is("{") {
		return s.object(i, depth+1)
	}
	var v *value
	for j := range s.within(i+1, s.match[i]) {
		switch {
		case s.seq(j, "if", "(") && s.returns(s.match[j+1]+1), s.seq(j, "return") && v != nil:
			return nil
		case s.seq(j, "return"):
			v = s.object(j+1, depth+1)
		}
	}
	return v
}

// returns reports whether the statement at i returns.
func (s *script) returns(i int) bool {
	end := i + 1
	if s.tok(i).is("{") {
		end = s.match[i]
	}
	return slices.ContainsFunc(s.tokens[min(i, end):min(end, len(s.tokens))], func(t token) bool { return t.kind == word && t.text == "return" })
}

// constant returns what a constant is, if nothing assigns to it or to what it
// holds; false when the file has no such constant.
func (s *script) constant(name string) (v *value, ok bool) {
	at := -1
	for i := range s.tokens {
		if t := &s.tokens[i]; t.text != name && t.text != "const" && t.text != "assign" {
			continue
		}
		if s.assigns(i, name) {
			return nil, true
		}
		if s.seq(i, "const", name) {
			if at >= 0 { // each in a function of its own
				return nil, true
			}
			at = i
		}
	}
	if at < 0 {
		return nil, false
	}
	return s.statement(s.initializer(at + 2)), true
}

// statement returns what a constant is set to by the expression at i.
func (s *script) statement(i int) *value {
	if v := s.object(i, 0); v != nil {
		return v
	}
	end := i + 1
	if s.tok(i).is("[") {
		end = s.match[i] + 1
	}
	if next := s.tok(end); next.kind == punct && !next.is(";") && !next.is("}") {
		return nil // 'a' + b
	}
	return s.expression(i, end, 0)
}

// assigns reports whether a statement at i changes name: name.x = …,
// Object.assign(name, …).
func (s *script) assigns(i int, name string) bool {
	if s.seq(i, "assign", "(", name) {
		return true
	}
	if !s.seq(i, name) || s.tok(i-1).is(".") {
		return false
	}
	j := i + 1
	for s.tok(j).is(".") || s.tok(j).is("[") {
		if s.tok(j).is("[") {
			j = s.match[j] + 1
			continue
		}
		j += 2
	}
	return j > i+1 && s.tok(j).is("=")
}

// calls returns the string that a method is called with, if every call gives
// the same one, written out.
func (s *script) calls(method string) *value {
	var arg *value
	for i := range s.tokens {
		if !s.seq(i, ".", method, "(") {
			continue
		}
		v := s.expression(i+3, s.match[i+2], 0)
		if arg != nil || v.str() == "" {
			return nil
		}
		arg = v
	}
	return arg
}

// mentions reports whether a function is called in the script.
func (s *script) mentions(function string) bool {
	for i := range s.tokens {
		if s.seq(i, function, "(") {
			return true
		}
	}
	return false
}

// argumentOf returns the object that a function of the script's imports is called
// with, if it is called once.
func (s *script) argumentOf(function string) *value {
	var arg *value
	for i := range s.tokens {
		if !s.seq(i, function, "(") || s.tok(i-1).is(".") || s.tok(i-1).is("function") {
			continue
		}
		if arg != nil {
			return nil
		}
		arg = s.object(i+2, 0)
	}
	return arg
}

// first returns the first value that is there.
func first(values ...*value) *value {
	for _, v := range values {
		if v.str() != "" {
			return v
		}
	}
	return nil
}
