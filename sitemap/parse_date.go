package sitemap

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
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
// zone applies to a time without a zone; nil means UTC. ParseDate returns an error for a text that
// may mean several days, such as "2024" or "03/04/2024". For a text that begins with "0001-01-01",
// it returns the zero Date and no error, because Go templates print that day for a page without a
// date.
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
// another notation.
func parseCommonDate(s string, zone *time.Location) (d Date, ok bool) {
	for _, layout := range commonLayouts {
		hasTime := strings.Contains(layout, "15")
		if !hasTime && len(s) != len(layout) {
			continue // comparing the length is faster than a parse error
		}
		t, ok := parseTime(layout, s, cmp.Or(zone, time.UTC))
		switch {
		case !ok || t.Year() <= 1 || t.Year() >= 9999:
		case hasTime:
			return DateOf(t, Fraction), true
		default:
			return DayOf(t), true
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
	// follow, as in Go ("+0200 CEST", "+0300 +03") and JavaScript ("GMT+0200 (CEST)"). The groups
	// are the time, "am" or "pm", the offset from UTC such as "+07:00", and the name of the zone.
	clock = regexp.MustCompile(`(?i)(?:t|[\s,]+(?:at\s)?)\s*` +
		`(\d\d?:\d\d?(?::\d\d?(?:[.,]\d+)?)?)(?:\s*([ap]m)\b)?` +
		`(?:\s*(?:(?:gmt|utc)?([+-]\d\d(?::?\d\d)?)|([a-z]+))(?:\s+(?:\(.*\)|[a-z]{3,5}\b|[+-]\d\d(?:\d\d)?\b))?)?`)

	// dayZone matches the zone after a day without a time, as in "2006-01-02Z" and
	// "2006-01-02+07:00", which XML Schema permits. The zone is ignored, because it does not change
	// the day.
	dayZone = regexp.MustCompile(`(?i)\s*(?:z|utc|gmt|(?:[+-]\d\d:|\+\d\d)[0-5]\d)$`)

	// zoneAtEnd matches the end of a date such as "Mon Jan 2 15:04:05 2006 -0700". git prints such
	// dates: the format of asctime, and a zone after the year.
	zoneAtEnd = regexp.MustCompile(`(?i)(:\d\d)\s+(\d{4})\s+([+-]\d{4}|utc|gmt)$`)

	// compactClock matches the beginning of a date such as "20060102T150405" or "200601021504".
	compactClock = regexp.MustCompile(`^(\d{8})[Tt ]?(\d\d)(\d\d)(\d\d)?`)
)

// parseDayAndTime parses a day with an optional time of day, such as "2 Jan 2006 15:04". As in the
// format of asctime, the time may also precede the year: "Jan 2 15:04:05 2006". zone applies to a
// time without a zone; nil means UTC.
func parseDayAndTime(s string, zone *time.Location) (Date, error) {
	if m := compactClock.FindStringSubmatch(s); m != nil {
		s = m[1] + " " + m[2] + ":" + m[3] + ":" + cmp.Or(m[4], "00") + s[len(m[0]):]
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
	return addClock(day, m[1]+strings.ToLower(m[2]), strings.ReplaceAll(m[3], ":", ""), strings.ToUpper(m[4]), zone)
}

// dayLayouts lists the layouts of a day, in the syntax of package time. Before parseDay tries these
// layouts, it removes weekdays, commas and endings such as "th", and shortens the names of months
// to three letters.
var dayLayouts = []string{
	"2006-1-2", "2006/1/2", "2006.1.2", "2006-Jan-2", "20060102",
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

// zoneOffsets maps the names of zones in upper case to their offsets from UTC. It contains UTC, the
// zones of North America in RFC 822, and some zones of Europe and Japan. Except for the names in RFC
// 822, such as CST, it contains no name that several zones have, such as IST.
var zoneOffsets = map[string]string{
	"Z": "+0000", "UT": "+0000", "UTC": "+0000", "GMT": "+0000",
	"EST": "-0500", "EDT": "-0400", "CST": "-0600", "CDT": "-0500", "MST": "-0700", "MDT": "-0600", "PST": "-0800", "PDT": "-0700",
	"WET": "+0000", "WEST": "+0100", "CET": "+0100", "CEST": "+0200", "EET": "+0200", "EEST": "+0300", "MSK": "+0300", "JST": "+0900",
}

// addClock returns the moment at the time clock on the given day. clock is a time such as "15:04"
// or "3:04:05.5pm".
//
// The zone is offset, such as "+0700" or "+07". If offset is "", the zone is zoneName in upper
// case, such as "CEST". If zoneName is also "", the zone is defaultZone; nil means UTC. addClock
// returns an error if the time does not exist or the zone is unknown.
func addClock(day time.Time, clock, offset, zoneName string, defaultZone *time.Location) (Date, error) {
	if strings.HasSuffix(clock, "m") && strings.Trim(clock[:2], "0:") == "" { // package time accepts 0:30am
		return Date{}, errors.New("has the hour 0 with am or pm")
	}
	offset = cmp.Or(offset, zoneOffsets[zoneName], zoneName)
	text := day.Format(time.DateOnly) + " " + clock + offset
	for _, layout := range []string{"2006-01-02 15:4:5", "2006-01-02 15:4", "2006-01-02 3:4:5pm", "2006-01-02 3:4pm"} {
		for _, zone := range []string{"", "-0700", "-07"} {
			if t, ok := parseTime(layout+zone, text, cmp.Or(defaultZone, time.UTC)); ok {
				return DateOf(t, Fraction), nil
			}
		}
	}
	return Date{}, errors.New("has an unknown time or zone")
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
