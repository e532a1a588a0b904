package sitemap

import (
	"fmt"
	"strings"
	"time"
)

// ParseDate reads a date in every notation that Hugo and Jekyll accept for one
// moment: W3C Datetime and its relatives with a blank for the T, zones without
// a colon and digits left out; YAML timestamps and TOML's local dates; RFC 822,
// 850 and 1123, asctime and date(1); a day with the month's name. What has no
// zone is in the one given, nil meaning UTC. It refuses what leaves the day
// open, such as a year alone or 03/04/2024. The first day of year 1 is how Go's
// templates write no date at all, and so it is the zero Date.
func ParseDate(s string, zone *time.Location) (Date, error) {
	if isNoDate(s) {
		return Date{}, nil
	}
	if d, ok := rfc3339(s); ok {
		return d, nil
	}
	return parseDate(s, zone)
}

func parseDate(s string, zone *time.Location) (Date, error) {
	p := dateParser{rest: strings.TrimSpace(s)}
	p.parse()
	if p.err == "" && p.rest != "" {
		p.err = "is not a date"
	}
	var d Date
	if p.err == "" {
		d = p.date(zone)
	}
	if p.err != "" {
		return Date{}, fmt.Errorf("date %q %s; write 2006-01-02 or 2006-01-02T15:04:05+07:00", s, p.err)
	}
	if isNoDate(d.String()) {
		return Date{}, nil // 0001-1-1, too, and the first moments of the next day, whose old offset loses its seconds
	}
	return d, nil
}

// ParseDateBytes is ParseDate for a date in a buffer; one in the notation that
// most pages use costs no allocation.
func ParseDateBytes(b []byte, zone *time.Location) (Date, error) {
	if isNoDate(b) {
		return Date{}, nil
	}
	if d, ok := rfc3339(b); ok {
		return d, nil
	}
	return ParseDate(string(b), zone)
}

// isNoDate reports whether a date is Go's zero time, in whatever zone.
func isNoDate[T string | []byte](s T) bool {
	const day = "0001-01-01"
	return len(s) >= len(day) && s[3] == '1' && string(s[:len(day)]) == day
}

// A dateParser eats a date from its left. Each method leaves rest alone when it
// does not find what it looks for; the first mistake stays in err.
type dateParser struct {
	rest string
	err  string // what is wrong with the date, or ""

	year, month, day        int
	hour, minute, sec, nsec int
	hasTime, hasZone        bool
	offset                  int    // minutes, with hasZone
	zoneName                string // when it has no offset of its own
}

func (p *dateParser) fail(format string, args ...any) {
	if p.err == "" {
		p.err = fmt.Sprintf(format, args...)
	}
}

func (p *dateParser) parse() {
	p.weekday()
	if c := p.peek(); isDigit(c) {
		p.numberFirst()
	} else {
		p.monthFirst()
	}
	if p.err != "" {
		return
	}
	p.timeAndZone()
}

// numberFirst reads 2006-01-02, 2006/01/02, 20060102, 02 Jan 2006 or 31/12/2006.
func (p *dateParser) numberFirst() {
	n := p.digits()
	switch {
	case len(n) == 8, len(n) == 14:
		p.year, p.month, p.day = atoi(n[:4]), atoi(n[4:6]), atoi(n[6:8])
		p.compactTime(n[8:])
	case len(n) == 4:
		p.yearFirst(atoi(n))
	case len(n) <= 2:
		p.dayFirst(atoi(n))
	default:
		p.fail("is not a date")
	}
}

// compactTime reads the 150405 of 20060102150405.
func (p *dateParser) compactTime(n string) {
	if n != "" {
		p.hasTime = true
		p.hour, p.minute, p.sec = atoi(n[:2]), atoi(n[2:4]), atoi(n[4:])
	}
}

func (p *dateParser) yearFirst(year int) {
	p.year = year
	sep := p.peek()
	if p.rest == "" {
		p.fail("has no month and no day")
		return
	}
	if !p.oneOf("-/.") {
		p.fail("is not a date")
		return
	}
	if name := p.monthName(); name > 0 {
		p.month = name
	} else {
		p.month = p.upTo2()
	}
	if p.err == "" && p.rest == "" {
		p.fail("has no day")
		return
	}
	if p.err == "" && !p.eat(sep) {
		p.fail("is not a date")
		return
	}
	p.day = p.upTo2()
}

// dayFirst reads the rest of "2 Jan 2006", "2nd January 2006", "02-Jan-06" and
// of 31/12/2006, where no other reading is possible.
func (p *dateParser) dayFirst(day int) {
	p.day = day
	p.ordinal()
	sep := p.peek()
	if sep == '/' || sep == '.' {
		p.dayMonthYear(sep)
		return
	}
	p.oneOf("- ")
	p.blanks()
	if p.month = p.monthName(); p.month == 0 {
		p.fail("is not a date")
		return
	}
	if !p.eat('-') {
		p.eat('.')
		p.eat(',')
	}
	p.blanks()
	p.shortYear()
}

func (p *dateParser) dayMonthYear(sep byte) {
	p.eat(sep)
	p.month = p.upTo2()
	if !p.eat(sep) {
		p.fail("is not a date")
		return
	}
	year := p.digits()
	if len(year) != 4 {
		p.fail("is not a date")
		return
	}
	p.year = atoi(year)
	if p.day <= 12 && p.month <= 12 && p.day != p.month {
		p.fail("may name either of two days")
	}
}

// monthFirst reads "January 2, 2006", and of asctime "Jan _2 15:04:05 2006"
// with an optional zone before the year.
func (p *dateParser) monthFirst() {
	if p.month = p.monthName(); p.month == 0 {
		p.fail("is not a date")
		return
	}
	p.eat('.')
	p.blanks()
	n := p.digits()
	if len(n) == 4 {
		p.fail("has no day")
	}
	p.day = p.number2(n)
	p.ordinal()
	p.eat(',')
	p.blanks()
	if i := strings.IndexByte(p.rest, ':'); i == 1 || i == 2 {
		p.clock()
		p.blanks()
		if !isDigit(p.peek()) {
			p.zone()
			p.blanks()
		}
	}
	p.shortYear()
}

// shortYear reads a year of four digits, or of two as RFC 822 has it: 69 to 99
// belong to the last century.
func (p *dateParser) shortYear() {
	switch n := p.digits(); len(n) {
	case 4:
		p.year = atoi(n)
	case 2:
		if p.year = 2000 + atoi(n); p.year >= 2069 {
			p.year -= 100
		}
	case 0:
		p.fail("has no year")
	default:
		p.fail("is not a date")
	}
}

// date puts the parts together, each of which must be within its range.
func (p *dateParser) date(zone *time.Location) Date {
	p.checkRange()
	if p.err != "" {
		return Date{}
	}
	t := time.Date(p.year, time.Month(p.month), p.day, p.hour, p.minute, p.sec, p.nsec, time.UTC)
	if !p.hasTime {
		return newDay(t.Unix())
	}
	d := p.inZone(t, zone)
	if d.IsZero() {
		p.fail("is not within the years 1 to 9999")
	}
	return d
}

func (p *dateParser) checkRange() {
	switch {
	case p.err != "":
	case p.year < 1:
		p.fail("has no such year as %d", p.year)
	case p.month < 1 || p.month > 12:
		p.fail("has no such month as %d", p.month)
	case p.day < 1 || p.day > daysIn(p.year, p.month):
		p.fail("has no such day as %d", p.day)
	case p.hour > 23 || p.minute > 59 || p.sec > 59:
		p.fail("has no such time as %02d:%02d:%02d", p.hour, p.minute, p.sec)
	case p.offset < -maxOffset || p.offset > maxOffset:
		p.fail("has a zone beyond 14 hours")
	}
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// inZone returns the moment at which the clock of the zone shows t, which is
// given in UTC.
func (p *dateParser) inZone(t time.Time, zone *time.Location) Date {
	if p.hasZone {
		return newDate(t.Unix()-int64(p.offset)*60, t.Nanosecond(), p.offset)
	}
	if zone == nil {
		zone = time.UTC
	}
	t = time.Date(p.year, time.Month(p.month), p.day, p.hour, p.minute, p.sec, p.nsec, zone)
	if name, _ := t.Zone(); p.zoneName != "" && p.zoneName != name {
		p.fail("has the zone %q, which has no one offset", p.zoneName)
	}
	return DateOf(t, Fraction)
}
