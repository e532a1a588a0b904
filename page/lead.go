package page

import (
	"unicode"
	"unicode/utf8"
)

// fewestLead is how many words make a paragraph: shorter ones are labels.
const fewestLead = 4

// startLead begins the first paragraph of the content, if the tag read last does.
func (r *Reader) startLead() {
	r.endLead()
	r.leading = r.o.Lead && !r.ignoring && (r.level > r.best || len(r.lead) == 0) && fold(r.name(), "p")
}

// endLead ends the first paragraph, unless it is too short to be one.
func (r *Reader) endLead() {
	if !r.leading {
		return
	}
	r.leading = false
	n := 0
	for range words(r.lead) {
		if n++; n == fewestLead {
			return
		}
	}
	r.lead = r.lead[:0]
}

// firstSentence returns the first sentence of a text as one line. A point ends one
// behind a word of more than one letter, when a blank follows, and neither a small letter nor a digit.
func firstSentence(b []byte) string {
	s := plain(b)
	word := 0 // letters since a blank or a point
	for i, c := range s {
		switch c {
		case '。', '！', '？':
			return s[:i+utf8.RuneLen(c)]
		case '.', '!', '?':
			next, n := utf8.DecodeRuneInString(s[i+1:])
			after, _ := utf8.DecodeRuneInString(s[i+1+n:])
			if word > 1 && next == ' ' && !unicode.IsLower(after) && !unicode.IsDigit(after) {
				return s[:i+1]
			}
		}
		if word++; !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != ')' {
			word = 0
		}
	}
	return s
}
