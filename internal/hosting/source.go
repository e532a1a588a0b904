package hosting

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// sourcePattern compiles a "source" of vercel.json, in the notation of
// path-to-regexp 6.1 with the delimiter "/", strict and case-sensitive: names
// (:slug), patterns ((\\d+), :id(\\d+)), groups ({/:lang}?) and the modifiers
// ?, + and *. A pattern may begin with a negative lookahead when it is the
// first of a source; other lookarounds and back references cannot be matched
// in linear time and are errors.
func sourcePattern(source string) (pattern, error) {
	if err := checkPath(source); err != nil {
		return pattern{}, err
	}
	p := sourceParser{rest: source}
	if err := p.parse(); err != nil {
		return pattern{}, err
	}
	if p.expr.Len() == 0 {
		return pattern{literal: decoded(p.text)}, nil
	}
	p.flush("")
	return wholePattern(p.expr.String(), p.names)
}

// A sourceParser turns a source into a regular expression.
type sourceParser struct {
	rest  string
	text  string // literal text that is not written yet
	expr  strings.Builder
	names []string
}

// anySegment is what a name matches.
const anySegment = "[^/]+?"

func (p *sourceParser) parse() error {
	for p.text = p.plain(); p.rest != ""; p.text += p.plain() {
		var err error
		switch c := p.rest[0]; c {
		case '{':
			err = p.group()
		case ':', '(':
			err = p.key()
		case '\\':
			err = errors.New("it ends in a backslash")
		default:
			err = fmt.Errorf("%q stands where nothing can be repeated or closed", c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// flush writes the text but for the prefix at its end, which belongs to the
// key that follows.
func (p *sourceParser) flush(prefix string) {
	p.expr.WriteString(regexp.QuoteMeta(decoded(strings.TrimSuffix(p.text, prefix))))
	p.text = ""
}

// key reads a name, a pattern or both, and a modifier. A slash or a dot before
// it is part of what the modifier repeats.
func (p *sourceParser) key() error {
	prefix := ""
	if strings.HasSuffix(p.text, "/") || strings.HasSuffix(p.text, ".") {
		prefix = p.text[len(p.text)-1:]
	}
	name, expr, err := p.nameAndPattern()
	if err != nil {
		return err
	}
	mod := p.modifier()
	if mod == "" {
		prefix = "" // it is literal, and may tell more of the path
	}
	p.flush(prefix)
	p.write(name, expr, prefix, "", mod)
	return nil
}

// group reads {prefix key suffix} and a modifier.
func (p *sourceParser) group() error {
	p.rest = p.rest[1:]
	p.flush("")
	prefix := p.plain()
	name, expr, err := p.nameAndPattern()
	if err != nil {
		return err
	}
	suffix := p.plain()
	if !strings.HasPrefix(p.rest, "}") {
		return errors.New("a { is not closed")
	}
	p.rest = p.rest[1:]
	mod := p.modifier()
	if expr == "" {
		p.expr.WriteString("(?:" + regexp.QuoteMeta(decoded(prefix+suffix)) + ")" + mod)
		return nil
	}
	p.write(name, expr, prefix, suffix, mod)
	return nil
}

// plainText is text in which only a backslash means something.
var plainText = regexp.MustCompile(`^(?:\\(?s:.)|[^\\{}:(*+?])*`)

var escapedChar = regexp.MustCompile(`\\((?s:.))`)

// plain reads literal text.
func (p *sourceParser) plain() string {
	text := plainText.FindString(p.rest)
	p.rest = p.rest[len(text):]
	return escapedChar.ReplaceAllString(text, "$1")
}

// nameAndPattern reads ":name", "(pattern)" or both; expr is "" for neither.
func (p *sourceParser) nameAndPattern() (name, expr string, err error) {
	if strings.HasPrefix(p.rest, ":") {
		if name = leading(p.rest[1:], wordly); name == "" {
			return "", "", errors.New("a : has no name after it")
		}
		p.rest, expr = p.rest[1+len(name):], anySegment
	}
	if !strings.HasPrefix(p.rest, "(") {
		return name, expr, nil
	}
	end, err := closing(p.rest)
	if err != nil {
		return "", "", err
	}
	expr, p.rest = p.rest[1:end], p.rest[end+1:]
	if name == "" {
		name = "-" // no target can name it, only number it
	}
	return name, expr, nil
}

func (p *sourceParser) modifier() string {
	mod := leading(p.rest[:min(1, len(p.rest))], "*+?")
	p.rest = p.rest[len(mod):]
	return mod
}

// write appends a key as path-to-regexp does.
func (p *sourceParser) write(name, expr, prefix, suffix, mod string) {
	p.names = append(p.names, name)
	before, after := regexp.QuoteMeta(decoded(prefix)), regexp.QuoteMeta(decoded(suffix))
	switch {
	case before+after == "":
		p.expr.WriteString("(" + expr + ")" + mod)
	case mod == "+" || mod == "*":
		fmt.Fprintf(&p.expr, "(?:%s((?:%s)(?:%s%s(?:%s))*)%s)", before, expr, after, before, expr, after)
		if mod == "*" {
			p.expr.WriteByte('?')
		}
	default:
		fmt.Fprintf(&p.expr, "(?:%s(%s)%s)%s", before, expr, after, mod)
	}
}

// closing returns where the parenthesis that s begins with is closed. Groups
// within must not capture, which path-to-regexp refuses as well.
func closing(s string) (int, error) {
	for i, depth := range nesting(s) {
		switch {
		case s[i] == '(' && depth > 1 && !strings.HasPrefix(s[i:], "(?"):
			return 0, errors.New("a pattern must not have capturing groups; write (?:…)")
		case depth == 0 && i == 1:
			return 0, errors.New("a pattern is empty")
		case depth == 0:
			return i, nil
		}
	}
	return 0, errors.New("a ( is not closed")
}
