package generator

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// python reads a program in Python as far as it assigns literals at the top level. What
// is assigned twice, computed or assigned below an if is not believed.
func python(src []byte, name string) *value {
	p := &pythonReader{Places: strict.NewPlaces(name, src), src: string(src), names: newTable(diag.Pos{File: name})}
	for p.at < len(p.src) {
		p.statement()
	}
	return p.names
}

type pythonReader struct {
	strict.Places
	src   string
	at    int // offset
	names *value
}

var (
	pythonAssign  = regexp.MustCompile(`^([A-Za-z_]\w*)[ \t]*=[ \t]*`)
	pythonMention = regexp.MustCompile(`^(?:[ \t]+([A-Za-z_]\w*)[ \t]*=[^=]|([A-Za-z_]\w*)[ \t]*(?:[-+*/|&]=|:|=))`)
	pythonLine    = regexp.MustCompile(`^.*\n?`)
	pythonEnd     = regexp.MustCompile(`(?m)\A[^\S\n]*(?:#.*)?$`) // nothing but a comment in the rest of a line
	pythonBlank   = regexp.MustCompile(`^(?:[ \t\r\n\\]|#.*)*`)   // between the parts of a literal
	pythonWord    = regexp.MustCompile(`^(?:True|False|None|-?\d[\d.]*)\b`)
	pythonName    = regexp.MustCompile(`^[A-Za-z_]\w*`)
	pythonText    = regexp.MustCompile(`^([rRuU]?)(?:"""((?s:[^\\]|\\.)*?)(?:"""|\z)|'''((?s:[^\\]|\\.)*?)(?:'''|\z)|"((?:[^"\\\n]|(?s:\\.))*)"|'((?:[^'\\\n]|(?s:\\.))*)')`)
)

// take goes over what matches here, and returns it with its groups.
func (p *pythonReader) take(re *regexp.Regexp) []string {
	m := re.FindStringSubmatch(p.src[p.at:])
	if m != nil {
		p.at += len(m[0])
	}
	return m
}

// next returns the byte that stands here, 0 at the end.
func (p *pythonReader) next() byte {
	if p.at == len(p.src) {
		return 0
	}
	return p.src[p.at]
}

// statement reads one line, or an assignment or a text over several.
func (p *pythonReader) statement() {
	v, rest := p.names, p.src[p.at:]
	if m := pythonAssign.FindStringSubmatch(rest); m != nil && !strings.HasPrefix(rest[len(m[0]):], "=") {
		_, twice := v.table[m[1]]
		p.at += len(m[0])
		w := p.literal(0)
		if twice || p.take(pythonEnd) == nil {
			w = nil
		}
		v.set(m[1], w)
	} else if m := pythonMention.FindStringSubmatch(rest); m != nil {
		v.set(m[1]+m[2], nil)
	} else {
		p.take(pythonText)
	}
	p.take(pythonLine)
}

// literal reads a text, True, False, a name that stands for one, or a list, tuple or
// dict of them; anything else is nil, as is a text with escapes or with values put in.
func (p *pythonReader) literal(depth int) *value {
	v := &value{pos: p.Pos(p.at)}
	if depth > maxDepth {
		return nil
	}
	if closes := pythonCloses[p.next()]; closes != 0 {
		return p.collection(v, closes, depth)
	}
	if m := p.take(pythonWord); m != nil {
		if m[0] == "True" || m[0] == "False" {
			v.scalar = m[0] == "True"
		}
		return v
	}
	m := p.take(pythonText)
	if m == nil {
		return p.constant()
	}
	text := cmp.Or(m[2], m[3], m[4], m[5])
	if strings.Contains(text, `\`) && !strings.EqualFold(m[1], "r") {
		return nil
	}
	v.scalar = text
	return v
}

// constant reads a name that stands for a text, a number or a truth value.
func (p *pythonReader) constant() *value {
	name := p.take(pythonName)
	if name == nil {
		return nil
	}
	v := p.names.at(name[0])
	if v == nil || v.kind != scalar {
		return nil
	}
	return v
}

var pythonCloses = map[byte]byte{'[': ']', '(': ')', '{': '}'}

// collection reads a list, a tuple or a dict into v.
func (p *pythonReader) collection(v *value, closes byte, depth int) *value {
	if v.kind = list; closes == '}' {
		v.kind, v.table = table, map[string]*value{}
	}
	for p.at++; ; {
		p.take(pythonBlank)
		if p.next() == closes {
			p.at++
			return v
		}
		item := p.item(depth)
		switch key := item; {
		case v.kind == list:
			v.list = append(v.list, item)
		case key == nil || key.kind != scalar || p.next() != ':':
			return nil
		default:
			p.at++
			item = p.item(depth)
			v.set(key.str(), item)
		}
		if item == nil || p.next() != ',' && p.next() != closes {
			return nil // computed
		}
		if p.next() == ',' {
			p.at++
		}
	}
}

// item reads a literal within another one.
func (p *pythonReader) item(depth int) *value {
	p.take(pythonBlank)
	v := p.literal(depth + 1)
	p.take(pythonBlank)
	return v
}
