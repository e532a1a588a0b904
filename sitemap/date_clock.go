package sitemap

import "strings"

// timeAndZone reads what may follow a day: a time and a zone, or nothing. A
// zone without a time, as XML Schema allows it, does not change the day.
func (p *dateParser) timeAndZone() {
	if !p.hasTime && !p.clockAhead() && p.rest != "" {
		p.zone()
		if p.zoneName != "" {
			p.fail("is not a date")
		}
		p.hasZone, p.offset = false, 0
		return
	}
	if !p.hasTime && p.rest != "" {
		p.rest = p.afterJoint()
		p.clock()
	}
	p.blanks()
	if p.rest != "" && !p.hasZone && p.zoneName == "" {
		p.zone()
	}
}

// clockAhead reports whether a T, a comma, blanks or the word "at" come next, and
// then a digit.
func (p *dateParser) clockAhead() bool {
	rest := p.afterJoint()
	return rest != "" && len(rest) < len(p.rest) && isDigit(rest[0])
}

// afterJoint returns rest without what joins a time to its day.
func (p *dateParser) afterJoint() string {
	rest := p.rest
	if rest != "" && strings.IndexByte("Tt,", rest[0]) >= 0 {
		rest = rest[1:]
	}
	rest = strings.TrimLeft(rest, " \t")
	return strings.TrimLeft(strings.TrimPrefix(rest, "at "), " \t")
}

// clock reads 15:04, 15:04:05, 15:04:05.999, 3:04 PM, or 1504 and 150405 after
// a compact day.
func (p *dateParser) clock() {
	p.hasTime = true
	n := p.digits()
	switch {
	case len(n) == 6:
		p.sec = atoi(n[4:])
		fallthrough
	case len(n) == 4:
		p.hour, p.minute = atoi(n[:2]), atoi(n[2:4])
	case len(n) == 1 || len(n) == 2:
		p.hour = atoi(n)
		if !p.eat(':') {
			p.fail("has no minutes")
			return
		}
		p.minute = p.upTo2()
		if p.eat(':') {
			p.sec = p.upTo2()
		}
	default:
		p.fail("is not a date")
		return
	}
	if c := p.peek(); c == '.' || c == ',' {
		p.fraction()
	}
	p.halfDay()
}

// fraction reads the digits of a second after the point; those beyond
// nanoseconds are cut off.
func (p *dateParser) fraction() {
	p.rest = p.rest[1:]
	n := p.digits()
	if n == "" {
		p.fail("is not a date")
		return
	}
	p.nsec = atoi((n + "000000000")[:9])
}

// halfDay reads AM or PM.
func (p *dateParser) halfDay() {
	rest := strings.TrimLeft(p.rest, " \t")
	if len(rest) < 2 || rest[1]|0x20 != 'm' || len(rest) > 2 && isLetter(rest[2]) {
		return
	}
	half := rest[0] | 0x20
	if half != 'a' && half != 'p' {
		return
	}
	if p.hour < 1 || p.hour > 12 {
		p.fail("has no such time as %d %s", p.hour, rest[:2])
	}
	p.rest = rest[2:]
	p.hour %= 12
	if half == 'p' {
		p.hour += 12
	}
}

// zone reads Z, +07:00, +0700, +07, a name, GMT+0700, or an offset and then the
// name or the comment that repeats it.
func (p *dateParser) zone() {
	p.blanks()
	if name := p.letters(); name != "" {
		p.rest = p.rest[len(name):]
		p.namedZone(strings.ToUpper(name))
	} else {
		p.numericZone()
	}
	p.comment()
}

func (p *dateParser) namedZone(name string) {
	if c := p.peek(); (c == '+' || c == '-') && (name == "GMT" || name == "UTC") {
		p.numericZone()
		return
	}
	if h, ok := zoneHours[name]; ok {
		p.hasZone, p.offset = true, h*60
		return
	}
	p.zoneName = name
}

func (p *dateParser) numericZone() {
	sign := 1
	switch c := p.peek(); {
	case c == '-':
		sign = -1
	case c != '+':
		p.fail("is not a date")
		return
	}
	p.rest = p.rest[1:]
	n := p.digits()
	if len(n) == 2 && p.eat(':') {
		n += p.digits()
	}
	if len(n) != 2 && len(n) != 4 {
		p.fail("is not a date")
		return
	}
	n = (n + "00")[:4]
	if atoi(n[2:]) > 59 {
		p.fail("has no such zone")
	}
	p.hasZone, p.offset = true, sign*(atoi(n[:2])*60+atoi(n[2:]))
}

// comment skips the name that repeats a numeric zone, as Go's Time.String
// ("+0200 CEST", "+0300 +03") and JavaScript's Date ("GMT+0200 (CEST)") write
// it.
func (p *dateParser) comment() {
	if !p.hasZone {
		return
	}
	rest := strings.TrimLeft(p.rest, " \t")
	if len(rest) == len(p.rest) {
		return
	}
	switch word, _, _ := strings.Cut(rest, " "); {
	case strings.HasPrefix(rest, "(") && strings.HasSuffix(rest, ")"):
		p.rest = ""
	case isZoneName(word):
		p.rest = rest[len(word):]
	}
}

// isZoneName reports whether s looks like CEST, +03 or -0930.
func isZoneName(s string) bool {
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) == 1 {
		return (len(digits) == 2 || len(digits) == 4) && strings.Trim(digits, "0123456789") == ""
	}
	return len(s) >= 3 && len(s) <= 5 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
