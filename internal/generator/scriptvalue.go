package generator

import (
	"cmp"
	"iter"

	"github.com/sitewalk/sitewalk/diag"
)

// table reads the object literal at i. A property whose value is not written
// out is there without a value; one that stands before a spread that is not
// written out is not believed, because the spread may replace it.
func (s *script) table(i, depth int) *value {
	v := newTable(s.Pos(s.tok(i).at))
	if depth > maxDepth {
		return v
	}
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
	case (t.kind == word || t.kind == text) && s.tok(i+1).is(":"):
		v.set(t.text, s.expression(i+2, end, depth+1).from(s.Pos(t.at)))
	case t.kind == word && end == i+1: // shorthand
		v.set(t.text, s.expression(i, end, depth+1).from(s.Pos(t.at)))
	case t.kind == word || t.kind == text:
		v.set(t.text, &value{pos: s.Pos(t.at)}) // method, getter
	}
}

// from returns v as it stands at another place.
func (v *value) from(pos diag.Pos) *value {
	w := *v
	w.pos = pos
	return &w
}

// expression reads the expression between i and end: a literal, or a value that
// says nothing.
func (s *script) expression(i, end, depth int) *value {
	t := s.tok(i)
	v := &value{pos: s.Pos(t.at)}
	last := i
	switch {
	case i >= end:
		return v
	case t.kind == text, t.kind == number:
		v.scalar = t.text
	case s.seq(i, "true"), s.seq(i, "false"):
		v.scalar = t.text == "true"
	case t.is("{"):
		v, last = s.table(i, depth), s.match[i]
	case t.is("["):
		v, last = s.items(i, depth), s.match[i]
	case t.kind == word:
		return cmp.Or(s.reference(i, end), v)
	default:
		return v
	}
	if last+1 < end && !s.seq(last+1, "as") && !s.seq(last+1, "satisfies") {
		return &value{pos: v.pos} // 'a' + b, {…}.b
	}
	return v
}

// reference returns what the expression between i and end stands for, where it is
// a name, a part of what a name stands for, or a call that hands its argument on.
func (s *script) reference(i, end int) *value {
	if s.tok(i + 1).is("(") {
		if s.match[i+1]+1 < end {
			return nil
		}
		return s.object(i)
	}
	v := s.resolve(s.tok(i).text)
	for i++; i+1 < end && s.tok(i).is("."); i += 2 {
		v = v.at(s.tok(i + 1).text)
	}
	if i < end && !s.seq(i, "as") && !s.seq(i, "satisfies") {
		return nil
	}
	return v
}

func (s *script) items(i, depth int) *value {
	v := &value{kind: list, pos: s.Pos(s.tok(i).at)}
	if depth > maxDepth {
		return v
	}
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
