package sitemap

import (
	"cmp"
	"strings"
	"time"
)

// commonTimes are notations that sites without RFC 3339 have, in the layouts of
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
	case s[4] == '-' && n > len("2006-01-02"):
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

// parse reads a date as package time does, within the years and the zones that
// need no second look.
func parse(layout, s string, p Precision, zone *time.Location) (Date, bool) {
	t, err := time.ParseInLocation(layout, s, cmp.Or(zone, time.UTC))
	if err != nil || t.Year() < 2 || t.Year() > 9998 {
		return Date{}, false
	}
	if strings.HasSuffix(layout, "00") && s[len(s)-2] > '5' {
		return Date{}, false // package time takes +02:60 for three hours
	}
	if _, offset := t.Zone(); offset < -maxOffset*60 || offset > maxOffset*60 {
		return Date{}, false
	}
	return DateOf(t, p), true
}
