package generator

// table reads the object literal at i. A property whose value is not written
// out is there without a value; one that stands before a spread is not believed,
// because the spread may replace it.
func (s *script) table(i, depth int) *value {
	v := newTable(s.pos(s.tok(i).at))
	if depth > maxDepth {
		return v
	}
	end := s.match[i]
	for j := i + 1; j < end; {
		next := s.comma(j, end)
		s.property(v, j, next, depth)
		j = next + 1
	}
	return v
}

// comma returns the index of the comma that ends the entry at i, or end.
func (s *script) comma(i, end int) int {
	for j := range s.within(i, end) {
		if s.tok(j).is(",") {
			return j
		}
	}
	return end
}

// property reads one entry of an object literal.
func (s *script) property(v *value, i, end, depth int) {
	t := s.tok(i)
	switch {
	case i >= end:
	case t.is("..."), t.is("["):
		for _, key := range v.keys {
			v.table[key] = &value{pos: v.table[key].pos}
		}
	case (t.kind == word || t.kind == quoted) && s.tok(i+1).is(":"):
		w := s.expression(i+2, end, depth+1)
		w.pos = s.pos(t.at)
		v.set(t.text, w)
	case t.kind == word || t.kind == quoted:
		v.set(t.text, &value{pos: s.pos(t.at)}) // shorthand, method, getter
	}
}

// expression reads the expression between i and end: a literal, or a value that
// says nothing.
func (s *script) expression(i, end, depth int) *value {
	t := s.tok(i)
	v := &value{pos: s.pos(t.at)}
	last := i
	switch {
	case i >= end:
		return v
	case t.kind == quoted, t.kind == number:
		v.scalar = t.text
	case s.seq(i, "true"), s.seq(i, "false"):
		v.scalar = t.text == "true"
	case t.is("{"):
		v, last = s.table(i, depth), s.match[i]
	case t.is("["):
		v, last = s.items(i, depth), s.match[i]
	default:
		return v
	}
	if last+1 < end && !s.seq(last+1, "as") && !s.seq(last+1, "satisfies") {
		return &value{pos: v.pos} // 'a' + b, {…}.b
	}
	return v
}

func (s *script) items(i, depth int) *value {
	v := &value{kind: list, pos: s.pos(s.tok(i).at)}
	if depth > maxDepth {
		return v
	}
	end := s.match[i]
	for j := i + 1; j < end; {
		next := s.comma(j, end)
		if s.tok(j).is("...") {
			return &value{pos: v.pos}
		}
		v.list = append(v.list, s.expression(j, next, depth+1))
		j = next + 1
	}
	return v
}
