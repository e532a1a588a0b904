package sitemap

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// ParseDate parses a date in any of these notations, which Hugo and Jekyll also accept:
//
//   - W3C Datetime, such as "2006-01-02" and "2006-01-02T15:04:05+07:00", and variants such as
//     "2006-1-2 15:04 +0700"
//   - timestamps of YAML, and local dates of TOML
//   - RFC 822, RFC 850, RFC 1123, asctime and date(1), such as "Mon, 02 Jan 2006 15:04:05 GMT"
//   - a day with the name of the month, such as "January 2nd, 2006"
//
// zone is the zone of a time without one; nil means UTC. ParseDate returns an error for a text that
// may mean several days, such as "2024" or "03/04/2024". For the day 0001-01-01, it returns the
// zero Date and no error, because Go templates print that day for a page without a date.
func ParseDate(s string, zone *time.Location) (Date, error) {
	if isGoZeroTime(s) {
		return Date{}, nil
	}
	if d, ok := parseCommonDate(s, zone); ok {
		return d, nil
	}
	return parseRareDate(strings.Clone(s), zone) // a clone, because the errors keep the string
}

// commonLayouts lists the layouts of the most frequent dates, in the syntax of package time.
var commonLayouts = []string{
	time.DateOnly, time.RFC3339, "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04",
	"2006-01-02T15:04", "2006-01-02T15:04:05-0700", "2006-01-02 15:04:05-07:00",
}

// parseCommonDate parses a date in one of commonLayouts. If ok is false, s may still be a date in
// another notation. parseRareDate also accepts these layouts and returns the same dates, but takes
// twenty times as long.
func parseCommonDate(s string, zone *time.Location) (d Date, ok bool) {
	if len(s) < len(time.DateOnly) || s[4] != '-' {
		return Date{}, false
	}
	for _, layout := range commonLayouts {
		if layout == time.DateOnly && len(s) != len(time.DateOnly) {
			continue // comparing the length is faster than a parse error
		}
		if t, ok := parseTime(layout, s, cmp.Or(zone, time.UTC)); ok && t.Year() > 1 && t.Year() < 9999 {
			if layout == time.DateOnly {
				return DateOf(t, Day), true
			}
			return DateOf(t, Fraction), true
		}
	}
	return Date{}, false
}

// parseTime calls time.ParseInLocation. ok is false if s does not have the layout, or has a zone
// that does not exist, such as +02:60 or +15:00. Package time accepts some of these zones.
func parseTime(layout, s string, zone *time.Location) (t time.Time, ok bool) {
	t, err := time.ParseInLocation(layout, s, zone)
	if err != nil || strings.HasSuffix(layout, "00") && s[len(s)-1] != 'Z' && s[len(s)-2] > '5' {
		return t, false
	}
	_, offset := t.Zone()
	return t, offset >= -maxOffset*60 && offset <= maxOffset*60
}

// parseRareDate parses a date in any notation that ParseDate accepts. It is slow, because it uses
// regular expressions.
func parseRareDate(s string, zone *time.Location) (Date, error) {
	d, err := parseDayAndTime(strings.TrimSpace(s), zone)
	if err != nil {
		return Date{}, fmt.Errorf("date %q %w; write 2006-01-02 or 2006-01-02T15:04:05+07:00", s, err)
	}
	if isGoZeroTime(d.String()) {
		return Date{}, nil // for example 0001-1-1
	}
	return d, nil
}

// isGoZeroTime reports whether s begins with "0001-01-01", the day of the zero time.Time.
func isGoZeroTime(s string) bool { return strings.HasPrefix(s, "0001-01-01") }

var (
	// clock matches the time of day in a date, such as "T15:04:05Z", " 15:04", ", 3:04 pm" or " at
	// 15:04:05.5 +0700". The zone may also be +07, +07:00, GMT+0700 or a name. A second zone may
	// follow, as in Go ("+0200 CEST", "+0300 +03") and JavaScript ("GMT+0200 (CEST)").
	clock = regexp.MustCompile(`(?i)(?:t|[\s,]+(?:at\s)?)\s*` +
		`(\d\d?):(\d\d?)(?::(\d\d?)(?:[.,](\d+))?)?(?:\s*([ap]m)\b)?` +
		`(?:\s*((?:gmt|utc)?[+-]\d\d(?::?\d\d)?|[a-z]+)(?:\s+(?:\(.*\)|[a-z]{3,5}\b|[+-]\d\d(?:\d\d)?\b))?)?`)

	// dayZone matches the zone after a day without a time, as in "2006-01-02Z" and
	// "2006-01-02+07:00", which XML Schema permits. The zone is ignored, because it does not change
	// the day.
	dayZone = regexp.MustCompile(`(?i)\s*(?:z|utc|gmt|(?:[+-]\d\d:|\+\d\d)[0-5]\d)$`)

	// zoneAtEnd matches the end of a date such as "Mon Jan 2 15:04:05 2006 -0700". git prints such
	// dates: the format of asctime, and a zone after the year.
	zoneAtEnd = regexp.MustCompile(`(?i)(:\d\d)\s+(\d{4})\s+([+-]\d{4}|utc|gmt)$`)

	// compactDate matches a date without separators, such as "20060102T150405", or "20060102".
	compactDate = regexp.MustCompile(`^(\d{4})(\d\d)(\d\d)(?:[Tt ]?(\d\d)(\d\d)(\d\d)?)?`)
)

// parseDayAndTime parses a day with an optional time of day, such as "2 Jan 2006 15:04". As in the
// format of asctime, the time may also precede the year: "Jan 2 15:04:05 2006". zone is the zone of
// a time without one; nil means UTC.
func parseDayAndTime(s string, zone *time.Location) (Date, error) {
	if m := compactDate.FindStringSubmatch(s); m != nil {
		day := m[1] + "-" + m[2] + "-" + m[3]
		if m[4] != "" {
			day += " " + m[4] + ":" + m[5] + ":" + cmp.Or(m[6], "00")
		}
		s = day + s[len(m[0]):]
	}
	s = zoneAtEnd.ReplaceAllString(s, "$1 $3 $2")
	at := clock.FindStringIndex(s)
	if at == nil {
		day, err := parseDay(dayZone.ReplaceAllString(s, ""))
		if err != nil {
			return Date{}, err
		}
		return DateOf(day, Day), nil
	}
	day, err := parseDay(s[:at[0]] + " " + s[at[1]:])
	if err != nil {
		return Date{}, err
	}
	m := clock.FindStringSubmatch(s[at[0]:at[1]])
	since, err := parseClock(m[1], m[2], m[3], m[4], m[5])
	if err != nil {
		return Date{}, err
	}
	return dateWithZone(day.Add(since), strings.ToUpper(m[6]), zone)
}

// dayLayouts lists the layouts of a day, in the syntax of package time. Before parseDay tries these
// layouts, it removes weekdays, commas and endings such as "th", and shortens the names of months
// to three letters.
var dayLayouts = []string{
	"2006-1-2", "2006/1/2", "2006.1.2", "2006-Jan-2",
	"2 Jan 2006", "Jan 2 2006", "2006 Jan 2", "2-Jan-2006", "Jan-2-2006", "2 Jan 06", "2-Jan-06", "Jan 2 06",
	"2/1/2006", "2.1.2006",
}

var (
	weekday     = regexp.MustCompile(`^(?:sun|mon|tue|tues|wed|wednes|thu|thurs|fri|sat|satur)(?:day)?\b[.,\s]*`)
	month       = regexp.MustCompile(`\b(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)\b`)
	ordinal     = regexp.MustCompile(`\b(\d\d?)(?:st|nd|rd|th)\b`)
	punctuation = strings.NewReplacer(",", " ", ". ", " ") // punctuation after a word
)

// parseDay parses a day such as "January 2nd, 2006", and returns its midnight in UTC. A text that
// may mean two days, such as "03/04/2024", is an error.
func parseDay(s string) (time.Time, error) {
	s = weekday.ReplaceAllString(strings.ToLower(strings.TrimSpace(s)), "")
	s = month.ReplaceAllStringFunc(s, func(name string) string { return name[:3] })
	s = ordinal.ReplaceAllString(s, "$1")
	s = strings.Join(strings.Fields(punctuation.Replace(s)), " ")
	for _, layout := range dayLayouts {
		day, err := time.Parse(layout, s)
		switch {
		case err != nil, strings.HasSuffix(layout, "06") && !strings.HasSuffix(s, day.Format("06")): // package time parses -1 as 1999
		case day.Year() < 1:
			return day, errors.New("is not within the years 1 to 9999")
		case (layout == "2/1/2006" || layout == "2.1.2006") && day.Day() <= 12 && day.Day() != int(day.Month()):
			return day, errors.New("may name either of two days")
		default:
			return day, nil
		}
	}
	return time.Time{}, errors.New("is not a date")
}

// parseClock returns the time of day as the duration since midnight. sec and fraction may be "".
// amPM is "am" or "pm" in any case, or "" for a 24-hour clock. A time that does not exist, such as
// 24:00, is an error.
func parseClock(hour, minute, sec, fraction, amPM string) (time.Duration, error) {
	h, m, s, n := atoi(hour), atoi(minute), atoi(sec), atoi((fraction + "000000000")[:9])
	wrong := h > 23 || m > 59 || s > 59
	if amPM != "" {
		wrong = wrong || h < 1 || h > 12
		h %= 12
		if amPM[0]|0x20 == 'p' {
			h += 12
		}
	}
	if wrong {
		return 0, errors.New("has a time that no clock shows")
	}
	return time.Duration(h*3600+m*60+s)*time.Second + time.Duration(n), nil
}

// zoneHours maps the names of zones to their offsets from UTC in hours. It contains UTC, the
// zones of North America in RFC 822, and some zones of Europe and Japan. Names such as IST are left
// out, because they mean several zones.
var zoneHours = map[string]int{
	"Z": 0, "UT": 0, "UTC": 0, "GMT": 0,
	"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
	"WET": 0, "WEST": 1, "CET": 1, "CEST": 2, "EET": 2, "EEST": 3, "MSK": 3, "JST": 9,
}

// dateWithZone returns the Date that has the date and the time of day of t, but in another zone.
// zoneName is the name or the offset of that zone, such as "CEST" or "+0200". If zoneName is "",
// the zone is defaultZone; nil means UTC. A zoneName that is neither an offset nor in zoneHours is
// an error, unless defaultZone has this abbreviation on that day.
func dateWithZone(t time.Time, zoneName string, defaultZone *time.Location) (d Date, err error) {
	hours, fixed := zoneHours[zoneName]
	offset := hours * 60
	if i := strings.IndexAny(zoneName, "+-"); i >= 0 {
		digits := (strings.ReplaceAll(zoneName[i+1:], ":", "") + "00")[:4]
		fixed, offset = true, atoi(digits[:2])*60+atoi(digits[2:])
		if offset > maxOffset || digits[2] > '5' {
			return d, errors.New("has no such zone")
		}
		if zoneName[i] == '-' {
			offset = -offset
		}
	}
	if fixed {
		d = newDate(t.Unix()-int64(offset)*60, t.Nanosecond(), offset)
	} else {
		t = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), cmp.Or(defaultZone, time.UTC))
		if is, _ := t.Zone(); zoneName != "" && zoneName != is {
			return d, fmt.Errorf("has the zone %q, which has no one offset", zoneName)
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

// atoi returns the decimal number digits, or 0 if digits is "".
func atoi(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}
