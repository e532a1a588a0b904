package hosting

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// An expression is a regular expression that is known to be right. It is compiled
// when a path asks for it: most of a hundred thousand rules match no path, and a
// compiled expression takes kilobytes.
type expression struct {
	text  string
	names []string // of its groups, from 1

	once     sync.Once
	compiled *regexp.Regexp
}

func (e *expression) re() *regexp.Regexp {
	e.once.Do(func() { e.compiled = regexp.MustCompile(e.text) })
	return e.compiled
}

// required returns the texts that a path must have for the pattern to match, for an
// index of patterns.
func (p *pattern) required() []string {
	switch {
	case p.not:
		return []string{""}
	case p.base:
		return append([]string{""}, p.texts...)
	case p.in != "" && len(p.texts) == 1 && p.texts[0] == "":
		return []string{folded(p.in)}
	}
	return p.texts
}

// textsOf returns what an expression's matches have in this order, with any bytes
// between, the first at their beginning, in the case of folded.
func textsOf(re *syntax.Regexp) []string {
	var t textFinder
	t.visit(re)
	t.gap()
	for len(t.texts) > 1 && t.texts[len(t.texts)-1] == "" {
		t.texts = t.texts[:len(t.texts)-1] // the last text may be followed by anything
	}
	if !t.anchored {
		return append([]string{""}, t.texts...)
	}
	return t.texts
}

type textFinder struct {
	texts    []string
	text     string // that goes on
	anchored bool   // the first begins where the path does
}

// visit takes the texts out of an expression that follows what was visited before.
func (t *textFinder) visit(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		t.text += folded(string(re.Rune))
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			t.visit(sub)
		}
	case syntax.OpPlus:
		t.visit(re.Sub[0])
		t.gap()
	case syntax.OpBeginText:
		t.anchored = t.anchored || len(t.texts) == 0 && t.text == ""
	case syntax.OpEmptyMatch, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
	default:
		t.gap()
	}
}

func (t *textFinder) gap() { t.texts, t.text = append(t.texts, t.text), "" }

// folded returns a text with each letter in the first of the cases that (?i) takes
// for equal.
func folded(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case r < utf8.RuneSelf:
			return r
		}
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, s)
}
