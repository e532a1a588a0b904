package sitemap

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
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
	if d, ok := common(s, zone); ok {
		return d, nil
	}
	return parseDate(strings.Clone(s), zone) // an error keeps it; usual dates made of bytes are not allocated
}

func parseDate(s string, zone *time.Location) (Date, error) {
	d, err := readDate(strings.TrimSpace(s), zone)
	if err != nil {
		return Date{}, &dateError{s, err}
	}
	if isNoDate(d.String()) {
		return Date{}, nil // 0001-1-1, too, and the first moments of the next day, whose old offset loses its seconds
	}
	return d, nil
}

// A dateError says of a text why it is no date. Most are never read.
type dateError struct {
	text string
	why  error
}

func (e *dateError) Error() string {
	return fmt.Sprintf("date %q %v; write 2006-01-02 or 2006-01-02T15:04:05+07:00", e.text, e.why)
}

func (e *dateError) Unwrap() error { return e.why }

// isNoDate reports whether a date is Go's zero time, in any zone.
func isNoDate(s string) bool { return strings.HasPrefix(s, "0001-01-01") }

// readDate reads a day, and the clock that stands behind it or, as asctime has
// it, before the year.
func readDate(s string, zone *time.Location) (Date, error) {
	if !strings.ContainsAny(s, "0123456789") {
		return Date{}, errNoDate
	}
	if len(s) > 7 && isDigit(s[4]) && isDigit(s[7]) {
		s = spread(s)
	}
	c := clock.FindStringSubmatchIndex(s)
	if c == nil {
		day, err := readDay(dayZone.ReplaceAllString(s, ""))
		if err != nil {
			return Date{}, err
		}
		return newDay(day.Unix()), nil
	}
	day, err := readDay(s[:c[0]] + " " + s[c[1]:])
	if err != nil {
		return Date{}, err
	}
	part := func(i int) string { return s[max(0, c[2*i]):max(0, c[2*i+1])] }
	since, err := readClock(part(1), part(2), part(3), part(4), part(5))
	if err != nil {
		return Date{}, err
	}
	return inZone(day.Add(since), strings.ToUpper(part(6)), zone)
}

// spread writes 20060102T150405 as 2006-01-02 15:04:05.
func spread(s string) string {
	m := compact.FindStringSubmatch(s)
	if m == nil {
		return s
	}
	day := m[1] + "-" + m[2] + "-" + m[3]
	if m[4] != "" {
		day += " " + m[4] + ":" + m[5] + ":" + cmp.Or(m[6], "00")
	}
	return day + s[len(m[0]):]
}

// readDay returns the midnight in UTC that begins a day.
func readDay(s string) (time.Time, error) {
	s = plainDay(strings.TrimSpace(s))
	problem, hasName := errNoDate, hasLetters(s)
	for _, layout := range days {
		if hasLetters(layout) != hasName {
			continue // it would not fit, and an error for each is half of the time
		}
		day, err := time.Parse(layout, s)
		var wrong *time.ParseError
		switch {
		case err == nil && strings.HasSuffix(layout, "06") && !strings.HasSuffix(s, day.Format("06")): // package time reads -1 as 1999
		case err == nil && day.Year() < 1:
			return day, fmt.Errorf("has no such year as %d", day.Year())
		case err == nil && (layout == "2/1/2006" || layout == "2.1.2006") && day.Day() <= 12 && day.Day() != int(day.Month()):
			return day, errors.New("may name either of two days")
		case err == nil:
			return day, nil
		case errors.As(err, &wrong) && strings.HasSuffix(wrong.Message, "out of range") && shape(layout) == shape(s):
			problem = outOfRange(layout, s, strings.Contains(wrong.Message, "month"))
		}
	}
	for _, open := range openNotations {
		if _, err := time.Parse(open.layout, s); err == nil {
			return time.Time{}, errors.New(open.problem)
		}
	}
	return time.Time{}, problem
}

// plainDay writes a day as the table of days has it.
func plainDay(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r == ' ' || r|0x20 >= 'a' }) {
		return s
	}
	s = months.Replace(strings.ToLower(s))
	if len(s) > 3 && strings.Contains("sun mon tue wed thu fri sat", s[:3]) {
		s = weekday.ReplaceAllString(s, "")
	}
	if strings.Contains(s, "st") || strings.Contains(s, "nd") || strings.Contains(s, "rd") || strings.Contains(s, "th") {
		s = ordinal.ReplaceAllString(s, "$1")
	}
	return strings.Join(strings.Fields(points.Replace(s)), " ")
}

// points are what may stand behind a word.
var points = strings.NewReplacer(",", " ", ". ", " ")

// hasLetters reports whether a month is named in a day, or in the layout of one.
func hasLetters(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < utf8.RuneSelf && isLetter(byte(r)) })
}

// shape is a layout, or a day, without what days differ in.
func shape(s string) string { return letters.ReplaceAllString(numeral.ReplaceAllString(s, "0"), "a") }

// outOfRange names the number that no month, or no day, has.
func outOfRange(layout, s string, month bool) error {
	mark, what := "2", "day"
	if month {
		mark, what = "1", "month"
	}
	i := slices.Index(numbers.FindAllString(layout, -1), mark)
	return fmt.Errorf("has no such %s as %d", what, atoi(numbers.FindAllString(s, -1)[i]))
}

// readClock returns how long after midnight a clock shows a time.
func readClock(hour, minute, sec, fraction, half string) (time.Duration, error) {
	h, m, s, n := atoi(hour), atoi(minute), atoi(sec), atoi((fraction + "000000000")[:9])
	if half != "" {
		if h < 1 || h > 12 {
			return 0, fmt.Errorf("has no such time as %d %s", h, half)
		}
		h %= 12
		if half[0]|0x20 == 'p' {
			h += 12
		}
	}
	if h > 23 || m > 59 || s > 59 {
		return 0, fmt.Errorf("has no such time as %02d:%02d:%02d", h, m, s)
	}
	return time.Duration(h*3600+m*60+s)*time.Second + time.Duration(n), nil
}

// inZone returns the moment at which a clock of the zone that is named shows
// t, which is given in UTC; without a name, one of the zone given.
func inZone(t time.Time, name string, zone *time.Location) (Date, error) {
	hours, fixed := zoneHours[name]
	offset := hours * 60
	if i := strings.IndexAny(name, "+-"); i >= 0 {
		digits := (strings.ReplaceAll(name[i+1:], ":", "") + "00")[:4]
		fixed, offset = true, atoi(digits[:2])*60+atoi(digits[2:])
		if name[i] == '-' {
			offset = -offset
		}
		if digits[2] > '5' {
			return Date{}, errors.New("has no such zone")
		}
	}
	var d Date
	switch {
	case offset < -maxOffset || offset > maxOffset:
		return d, errors.New("has a zone beyond 14 hours")
	case fixed:
		d = newDate(t.Unix()-int64(offset)*60, t.Nanosecond(), offset)
	default:
		t = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), cmp.Or(zone, time.UTC))
		if is, _ := t.Zone(); name != "" && name != is {
			return d, fmt.Errorf("has the zone %q, which has no one offset", name)
		}
		d = DateOf(t, Fraction)
	}
	if d.IsZero() {
		return d, errors.New("is not within the years 1 to 9999")
	}
	return d, nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// atoi returns the number that digits write, of which there are few.
func atoi(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// commonTimes are notations that many sites have beside RFC 3339, in the layouts of
// package time: of YAML, Jekyll, git and databases.
var commonTimes = []string{
	"2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04",
	"2006-01-02T15:04:05-0700", "2006-01-02 15:04:05-07:00",
}

// common reads a date in one of the notations that many sites have. What it accepts
// readDate reads the same way, in twenty times the time; it is false for all else.
func common(s string, zone *time.Location) (d Date, ok bool) {
	switch n := len(s); {
	case n < len("2006/01/02"):
	case s[4] == '-' && n > len(time.DateOnly):
		for _, layout := range commonTimes {
			if len(layout) == n && layout[10] == s[10] && !ok {
				d, ok = parse(layout, s, Fraction, zone)
			}
		}
	case s[4] == '/':
		return parse("2006/01/02", s, Day, nil)
	case s[3] == ',' && s[n-1] == 'T':
		return parse("Mon, 02 Jan 2006 15:04:05 GMT", s, Fraction, nil)
	case s[3] == ',':
		return parse("Mon, 02 Jan 2006 15:04:05 -0700", s, Fraction, nil)
	case s[n-6] == ',' && s[3] == ' ':
		return parse("Jan 2, 2006", s, Day, nil)
	case s[n-6] == ',':
		return parse("January 2, 2006", s, Day, nil)
	case s[n-1] == 'M' && !strings.Contains(s, " 0"): // package time takes an hour 0 for noon
		return parse("2 January 2006 at 3:04 PM", s, Fraction, zone)
	}
	return d, ok
}

// rfc3339 reads a date as RFC 3339 and W3C Datetime write it, as common does.
func rfc3339(s string) (Date, bool) {
	switch {
	case len(s) == len(time.DateOnly):
		return parse(time.DateOnly, s, Day, nil)
	case len(s) > len(time.DateOnly) && s[10] == 'T':
		return parse(time.RFC3339, s, Fraction, nil)
	}
	return Date{}, false
}

// parse reads a date as package time does, within the years that need no second look.
func parse(layout, s string, p Precision, zone *time.Location) (Date, bool) {
	t, ok := parseTime(layout, s, cmp.Or(zone, time.UTC))
	if !ok || t.Year() < 2 || t.Year() > 9998 {
		return Date{}, false
	}
	return DateOf(t, p), true
}

// parseTime is time.ParseInLocation, but for zones that there are not.
func parseTime(layout, s string, zone *time.Location) (time.Time, bool) {
	t, err := time.ParseInLocation(layout, s, zone)
	if err != nil || strings.HasSuffix(layout, "00") && s[len(s)-1] != 'Z' && s[len(s)-2] > '5' {
		return t, false // package time takes +02:60 for three hours
	}
	_, offset := t.Zone()
	return t, offset >= -maxOffset*60 && offset <= maxOffset*60
}
