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
	consts map[string]int    // what stands behind a constant's name, -1 where it may hold something else
	names  map[string]*value // what is known of them; "" is what the file exports as a whole
	file   string
	reader *reader // of the files that it may import; nil for a script alone
	read   map[string]*script
}

// newScript reads a file's tokens; a fault is a string, a comment or a bracket that
// never ends.
func newScript(src []byte, name string) (*script, *fault) {
	s := &script{Places: strict.NewPlaces(name, src), consts: map[string]int{}, names: map[string]*value{}, read: map[string]*script{}}
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
	s.declare()
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
			return s.statement(i+2, 0)
		case s.seq(i, "module", ".", "exports", "="):
			return s.statement(i+4, 0)
		case s.seq(i, "export", "="):
			return s.statement(i+2, 0)
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

// body returns where the body of the function at i begins, 0 when there is none.
func (s *script) body(i int) int {
	if s.seq(i, "async") {
		i++
	}
	switch {
	case s.tok(i).is("(") && s.tok(s.match[i]+1).is("=>"):
		return s.match[i] + 2
	case s.tok(i).kind == word && s.tok(i+1).is("=>"):
		return i + 2
	case s.seq(i, "function", "("):
		return s.match[i+1] + 1
	case s.seq(i, "function") && s.tok(i+2).is("("): // with a name
		return s.match[i+2] + 1
	}
	return 0
}

// returned returns what a function with its body at i returns, and where that ends: the
// body, where it is an expression, else what stands behind its only return, which no
// condition may keep from being reached.
func (s *script) returned(i, depth int) (v *value, end int) {
	if !s.tok(i).is("{") {
		return s.value(i, depth)
	}
	at := 0
	for j := range s.within(i+1, s.match[i]) {
		switch {
		case s.seq(j, "if", "(") && s.returns(s.match[j+1]+1), s.seq(j, "return") && at > 0:
			return nil, s.match[i] + 1
		case s.seq(j, "return"):
			at = j + 1
		}
	}
	if at > 0 {
		v = s.statement(at, depth)
	}
	return v, s.match[i] + 1
}

// returns reports whether the statement at i returns.
func (s *script) returns(i int) bool {
	end := i + 1
	if s.tok(i).is("{") {
		end = s.match[i]
	}
	return slices.ContainsFunc(s.tokens[min(i, end):min(end, len(s.tokens))], func(t token) bool { return t.kind == word && t.text == "return" })
}

// declare finds the constants of the file. One that is declared twice, each time in a
// function of its own, may hold something else, and so may one that something assigns
// to, or to what it holds: name.x = …, Object.assign(name, …).
func (s *script) declare() {
	for i, t := range s.tokens {
		switch {
		case s.seq(i, "const") && s.tok(i+1).kind == word:
			name := s.tok(i + 1).text
			if _, twice := s.consts[name]; twice {
				s.consts[name] = -1
			} else {
				s.consts[name] = i + 2
			}
		case s.seq(i, "assign", "("):
			s.consts[s.tok(i+2).text] = -1
		case t.kind == word && !s.tok(i-1).is(".") && s.assigns(i+1):
			s.consts[t.text] = -1
		}
	}
}

// assigns reports whether what stands behind a name assigns to a part of what it holds.
func (s *script) assigns(i int) bool {
	j := i
	for s.tok(j).is(".") || s.tok(j).is("[") {
		if s.tok(j).is("[") {
			j = s.match[j] + 1
		} else {
			j += 2
		}
	}
	return j > i && s.tok(j).is("=")
}

// constant returns what a constant is; false when the file has no such constant.
func (s *script) constant(name string) (v *value, ok bool) {
	at, ok := s.consts[name]
	if at > 0 {
		v = s.statement(s.initializer(at), 0)
	}
	return v, ok
}

// statement returns the value at i, with which a statement ends.
func (s *script) statement(i, depth int) *value {
	v, end := s.value(i, depth)
	if next := s.tok(end); next.kind == punct && !strings.Contains(";},", next.text) {
		return nil // 'a' + b
	}
	return v
}

// calls returns where a function is called: the index of the first argument of each.
func (s *script) calls(function string) (at []int) {
	for i := range s.tokens {
		if s.seq(i, function, "(") {
			at = append(at, i+2)
		}
	}
	return at
}

// argument returns what a function or a method is called with, if it is called once.
func (s *script) argument(function string) *value {
	at := s.calls(function)
	if len(at) != 1 {
		return nil
	}
	return s.expression(at[0], s.match[at[0]-1], 0)
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
