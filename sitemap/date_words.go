package sitemap

import "strings"

var (
	monthNames = []string{
		"january", "february", "march", "april", "may", "june", "july",
		"august", "september", "october", "november", "december",
	}
	dayNames = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}
)

// zoneHours are the zones that have one offset wherever their name is used:
// those of RFC 822, and those of Europe and Japan. IST, for one, has three.
var zoneHours = map[string]int{
	"Z": 0, "UT": 0, "UTC": 0, "GMT": 0,
	"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
	"WET": 0, "WEST": 1, "CET": 1, "CEST": 2, "EET": 2, "EEST": 3, "MSK": 3, "JST": 9,
}

// weekday skips the name of a day of the week, whichever it is.
func (p *dateParser) weekday() {
	w := p.letters()
	if i := wordIndex(dayNames, w); i < 0 {
		return
	}
	p.rest = p.rest[len(w):]
	p.eat('.')
	p.eat(',')
	p.blanks()
}

// monthName eats the name of a month and returns its number, or 0.
func (p *dateParser) monthName() int {
	w := p.letters()
	i := wordIndex(monthNames, w)
	if i >= 0 {
		p.rest = p.rest[len(w):]
	}
	return i + 1
}

// wordIndex returns the index of the word that w is, or its first three
// letters are; -1 when there is none. Case does not matter.
func wordIndex(words []string, w string) int {
	w = strings.ToLower(w)
	if w == "sept" {
		w = "sep"
	}
	for i, word := range words {
		if w == word || w == word[:3] {
			return i
		}
	}
	return -1
}

// ordinal skips the ending of 1st, 2nd, 3rd and 4th.
func (p *dateParser) ordinal() {
	switch w := p.letters(); strings.ToLower(w) {
	case "st", "nd", "rd", "th":
		p.rest = p.rest[len(w):]
	}
}

func (p *dateParser) letters() string {
	i := 0
	for i < len(p.rest) && isLetter(p.rest[i]) {
		i++
	}
	return p.rest[:i]
}

// digits eats all digits ahead.
func (p *dateParser) digits() string {
	i := 0
	for i < len(p.rest) && isDigit(p.rest[i]) {
		i++
	}
	s := p.rest[:i]
	p.rest = p.rest[i:]
	return s
}

// upTo2 eats a number of one or two digits.
func (p *dateParser) upTo2() int { return p.number2(p.digits()) }

// number2 returns the number of one or two digits that s writes.
func (p *dateParser) number2(s string) int {
	if len(s) != 1 && len(s) != 2 {
		p.fail("is not a date")
		return 0
	}
	return atoi(s)
}

func (p *dateParser) peek() byte {
	if p.rest == "" {
		return 0
	}
	return p.rest[0]
}

// eat skips c and reports whether it was there.
func (p *dateParser) eat(c byte) bool {
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// oneOf skips one of the characters and reports whether one was there.
func (p *dateParser) oneOf(chars string) bool {
	return p.rest != "" && strings.IndexByte(chars, p.rest[0]) >= 0 && p.eat(p.rest[0])
}

func (p *dateParser) blanks() { p.rest = strings.TrimLeft(p.rest, " \t") }

// atoi returns the number that at most eight digits write.
func atoi(digits string) int {
	n := 0
	for i := range len(digits) {
		n = n*10 + int(digits[i]-'0')
	}
	return n
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
