package generator

import (
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
)

// python reads a configuration that is a Python program, as far as it assigns
// literals at the top level; nil when there is no such file. What is assigned
// twice, computed or assigned below an if is not believed.
func (r *reader) python(file string) *value {
	src, name, ok := r.read(file)
	if !ok {
		return nil
	}
	p := &pythonReader{src: string(src), name: name, line: 1}
	v := newTable(diag.Pos{File: name})
	for p.at < len(p.src) {
		p.statement(v)
	}
	return v
}

type pythonReader struct {
	src, name string
	at        int // offset
	start     int // of the line
	line      int
}

var (
	pythonAssign  = regexp.MustCompile(`^([A-Za-z_]\w*)[ \t]*=[ \t]*`)
	pythonMention = regexp.MustCompile(`^\s+([A-Za-z_]\w*)[ \t]*=[^=]|^([A-Za-z_]\w*)[ \t]*(?:[-+*/|&]=|:|=)`)
)

// statement reads one line, or an assignment over several.
func (p *pythonReader) statement(v *value) {
	rest := p.src[p.at:]
	if m := pythonAssign.FindStringSubmatch(rest); m != nil && !strings.HasPrefix(rest[len(m[0]):], "=") {
		_, twice := v.table[m[1]]
		p.skip(len(m[0]))
		w := p.literal(0)
		if twice || w == nil || !p.ends() {
			w = nil
		}
		v.set(m[1], w)
	} else if m := pythonMention.FindStringSubmatch(rest); m != nil {
		v.set(m[1]+m[2], nil)
	} else if quote := p.tripled(); quote != "" {
		p.text(quote)
	}
	p.rest()
}

// skip goes on by n bytes.
func (p *pythonReader) skip(n int) {
	for range n {
		if p.src[p.at] == '\n' {
			p.line, p.start = p.line+1, p.at+1
		}
		p.at++
	}
}

// rest goes on to the next line.
func (p *pythonReader) rest() {
	if i := strings.IndexByte(p.src[p.at:], '\n'); i >= 0 {
		p.skip(i + 1)
		return
	}
	p.at = len(p.src)
}

// ends reports whether nothing but a comment stands in the rest of the line.
func (p *pythonReader) ends() bool {
	rest, _, _ := strings.Cut(p.src[p.at:], "\n")
	rest = strings.TrimSpace(rest)
	return rest == "" || rest[0] == '#'
}

// blank goes over white space and comments between the parts of a literal.
func (p *pythonReader) blank() {
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == '#':
			p.rest()
		case strings.IndexByte(" \t\r\n\\", c) >= 0:
			p.skip(1)
		default:
			return
		}
	}
}

// literal reads a text, True, False, or a list, tuple or dict of them; anything
// else is nil.
func (p *pythonReader) literal(depth int) *value {
	rest := p.src[p.at:]
	v := &value{pos: diag.Pos{File: p.name, Line: p.line, Col: p.at - p.start + 1}}
	switch {
	case rest == "" || depth > maxDepth:
		return nil
	case rest[0] == '[' || rest[0] == '(' || rest[0] == '{':
		return p.collection(v, depth)
	}
	if m := pythonWord.FindString(rest); m != "" {
		p.skip(len(m))
		if m == "True" || m == "False" {
			v.scalar = m == "True"
		}
		return v
	}
	s, ok := p.quoted()
	if !ok {
		return nil
	}
	v.scalar = s
	return v
}

var pythonWord = regexp.MustCompile(`^(?:True|False|None|-?\d[\d.]*)\b`)

// collection reads a list, a tuple or a dict.
func (p *pythonReader) collection(v *value, depth int) *value {
	closes := map[byte]byte{'[': ']', '(': ')', '{': '}'}[p.src[p.at]]
	v.kind = list
	if closes == '}' {
		v.kind, v.table = table, map[string]*value{}
	}
	p.skip(1)
	for p.blank(); p.at < len(p.src) && p.src[p.at] != closes; p.blank() {
		w := p.literal(depth + 1)
		p.blank()
		if w == nil || p.at == len(p.src) {
			return nil
		}
		if v.kind == table {
			if p.src[p.at] != ':' || w.kind != scalar {
				return nil
			}
			key := w.str()
			p.skip(1)
			p.blank()
			if w = p.literal(depth + 1); w == nil {
				return nil
			}
			p.blank()
			v.set(key, w)
		} else {
			v.list = append(v.list, w)
		}
		if p.at < len(p.src) && p.src[p.at] == ',' {
			p.skip(1)
		} else if p.at == len(p.src) || p.src[p.at] != closes {
			return nil // computed
		}
	}
	if p.at == len(p.src) {
		return nil
	}
	p.skip(1)
	return v
}

// tripled returns the three quotes that stand here, or "".
func (p *pythonReader) tripled() string {
	for _, quote := range []string{`"""`, `'''`} {
		if strings.HasPrefix(p.src[p.at:], quote) {
			return quote
		}
	}
	return ""
}

// quoted reads a text; one with escapes other than of quotes and backslashes, or
// with values put in, is none.
func (p *pythonReader) quoted() (s string, ok bool) {
	raw := false
	if c := p.src[p.at]; strings.IndexByte("rRuU", c) >= 0 {
		raw = c == 'r' || c == 'R'
		p.skip(1)
	}
	quote := p.tripled()
	if quote == "" {
		if p.at == len(p.src) || p.src[p.at] != '"' && p.src[p.at] != '\'' {
			return "", false
		}
		quote = p.src[p.at : p.at+1]
	}
	s, ok = p.text(quote)
	if !ok || raw || !strings.Contains(s, `\`) {
		return s, ok
	}
	return "", false
}

// text reads up to the closing quotes.
func (p *pythonReader) text(quote string) (s string, ok bool) {
	p.skip(len(quote))
	for from := p.at; p.at < len(p.src); p.skip(1) {
		switch {
		case strings.HasPrefix(p.src[p.at:], quote):
			s = p.src[from:p.at]
			p.skip(len(quote))
			return s, true
		case p.src[p.at] == '\\' && p.at+1 < len(p.src):
			p.skip(1)
		case p.src[p.at] == '\n' && len(quote) == 1:
			return "", false
		}
	}
	return "", false
}
