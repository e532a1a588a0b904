package generator

import (
	"iter"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// table reads the object literal at i. A property whose value is not written
// out is there without a value; one that stands before a spread that is not
// written out is not believed, because the spread may replace it.
func (s *script) table(i, depth int) *value {
	v := newTable(s.Pos(s.tok(i).at))
	for from, to := range s.entries(i) {
		s.property(v, from, to, depth)
	}
	return v
}

// entries runs through what the commas divide between the bracket at i and its partner:
// where each entry begins and ends.
func (s *script) entries(i int) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		from, end := i+1, s.match[i]
		for j := range s.within(from, end) {
			if s.tok(j).is(",") {
				if !yield(from, j) {
					return
				}
				from = j + 1
			}
		}
		if from < end {
			yield(from, end)
		}
	}
}

// property reads one entry of an object literal.
func (s *script) property(v *value, i, end, depth int) {
	t := s.tok(i)
	switch {
	case i >= end:
	case t.is("..."), t.is("["):
		if more := s.expression(i+1, end, depth+1); t.is("...") && more.kind == table {
			more.each(v.set)
			return
		}
		for _, key := range v.keys {
			v.table[key] = &value{pos: v.table[key].pos}
		}
	case (t.kind == word || t.kind == text) && s.tok(i+1).is(":") && s.body(i+2) == 0:
		v.set(t.text, s.expression(i+2, end, depth+1).from(s.Pos(t.at)))
	case t.kind == word && end == i+1: // shorthand
		v.set(t.text, s.expression(i, end, depth+1).from(s.Pos(t.at)))
	case t.kind == word || t.kind == text:
		v.set(t.text, &value{pos: s.Pos(t.at)}) // method, getter, function
	}
}

// from returns v as it stands at another place.
func (v *value) from(pos diag.Pos) *value {
	w := *v
	w.pos = pos
	return &w
}

// expression returns what the expression between i and end stands for, or a value that
// says nothing.
func (s *script) expression(i, end, depth int) *value {
	if v, at := s.value(i, depth); v != nil && s.ends(at, end) {
		return v
	}
	return &value{pos: s.Pos(s.tok(i).at)} // 'a' + b, {…}.b
}

// ends reports whether nothing but a type stands between i, where an expression ends, and
// end.
func (s *script) ends(i, end int) bool {
	return i == end || s.seq(i, "as") || s.seq(i, "satisfies")
}

// value returns what the expression at i stands for, and where that ends: a literal, a
// constant or a part of it, what a call hands on or a function returns; nil when it is
// not written out.
func (s *script) value(i, depth int) (v *value, end int) {
	t := s.tok(i)
	switch body := s.body(i); {
	case depth > maxDepth:
		return nil, i
	case body > 0:
		return s.returned(body, depth+1)
	case t.kind == text, t.kind == number:
		return &value{scalar: t.text, pos: s.Pos(t.at)}, i + 1
	case s.seq(i, "true"), s.seq(i, "false"):
		return &value{scalar: t.text == "true", pos: s.Pos(t.at)}, i + 1
	case t.is("{"):
		return s.table(i, depth), s.match[i] + 1
	case t.is("["):
		return s.items(i, depth), s.match[i] + 1
	case t.is("("):
		v, end = s.handedOn(i, depth)
		if s.body(i+1) > 0 && s.tok(end).is("(") { // the function is called at once
			end = s.match[end] + 1
		}
		return v, end
	case t.kind == word && s.tok(i+1).is("("):
		if strings.HasPrefix(t.text, "define") || strings.HasPrefix(t.text, "with") { // defineConfig, withMDX
			return s.handedOn(i+1, depth)
		}
		return nil, i
	case t.kind != word:
		return nil, i
	}
	v = s.resolve(t.text)
	for end = i + 1; s.tok(end).is("."); end += 2 {
		v = v.at(s.tok(end + 1).text)
	}
	return v, end
}

// handedOn returns the first value between parentheses.
func (s *script) handedOn(open, depth int) (v *value, end int) {
	v, at := s.value(open+1, depth+1)
	if !s.ends(at, s.match[open]) && !s.tok(at).is(",") {
		v = nil
	}
	return v, s.match[open] + 1
}

func (s *script) items(i, depth int) *value {
	v := &value{kind: list, pos: s.Pos(s.tok(i).at)}
	for from, to := range s.entries(i) {
		if !s.tok(from).is("...") {
			v.list = append(v.list, s.expression(from, to, depth+1))
			continue
		}
		more := s.expression(from+1, to, depth+1)
		if more.kind != list {
			return &value{pos: v.pos}
		}
		v.list = append(v.list, more.list...)
	}
	return v
}
