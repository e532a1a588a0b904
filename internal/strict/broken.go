package strict

import "strings"

// Broken reports whether the text that Read has refused is no YAML for any text that follows
// where Read has stopped, so that YAML would say so, too. It knows the mistakes that
// most people make, and is false for all others.
func (p *Plain) Broken() bool { return p.broken }

// isOpen reports whether a value at the line at hand begins with a quote or a bracket
// that nothing below closes, or with what nothing may begin with.
func (p *Plain) isOpen(text string) bool {
	lacks := func(end string) bool { return !strings.Contains(text[1:], end) && !strings.Contains(p.rest, end) }
	switch text[0] {
	case '@', '`', '%', '*': // the last asks for an anchor, of which there is none above
		return true
	case '[':
		return lacks("]") || neverCloses(text, p.rest)
	case '{':
		return lacks("}") || neverCloses(text, p.rest)
	case '"', '\'':
		return lacks(text[:1])
	}
	return false
}

// neverCloses reports whether of the brackets that open from the beginning of texts on
// one stays open to the end of them. It is false where a quote, a comment or a tag may
// hide some.
func neverCloses(texts ...string) bool {
	depth := 0
	for _, text := range texts {
		for i := range len(text) {
			switch text[i] {
			case '[', '{':
				depth++
			case ']', '}':
				depth--
			case '"', '\'', '#', '!':
				return false
			}
			if depth == 0 {
				return false
			}
		}
	}
	return true
}

// isKeyTwice reports whether the text behind a key and its colon, on one line,
// has another key and its colon: a: b: c.
func isKeyTwice(text string) bool {
	text = cutComment(text)
	if text == "" || !isPlainScalar(text[:1]) {
		return false
	}
	return text[len(text)-1] == ':' || strings.Contains(text, ": ")
}

// isTabbed reports whether a line without the spaces before it is indented by a tab,
// and neither blank nor a comment, between which YAML's reader lets some tabs pass.
func isTabbed(line string) bool {
	text := strings.TrimLeft(line, " \t")
	return text != "" && text[0] != '#' && line[0] == '\t'
}
