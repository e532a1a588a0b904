package sitemap

import (
	"regexp"
	"strconv"
	"strings"
)

// The lexical forms of xs:date and xs:dateTime, which is what the schema takes
// for a lastmod.
var (
	schemaDay  = regexp.MustCompile(`^-?([1-9]\d{4,}|\d{4})-(\d\d)-(\d\d)(Z|[+-]\d\d:\d\d)?$`)
	schemaTime = regexp.MustCompile(`^-?([1-9]\d{4,}|\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?$`)
)

// schemaDate reports whether the schema takes a text for a date, and whether its
// moment is known: a day, or a time with a zone.
func schemaDate(s string) (valid, zoned bool) {
	if _, ok := rfc3339(s); ok && !strings.Contains(s, ",") {
		return true, true
	}
	if m := schemaDay.FindStringSubmatch(s); m != nil {
		return validDay(s, m[1], m[2], m[3]) && validZone(m[4]), true
	}
	m := schemaTime.FindStringSubmatch(s)
	if m == nil || !validDay(s, m[1], m[2], m[3]) || !validZone(m[8]) {
		return false, true
	}
	hour, minute, sec := atoi(m[4]), atoi(m[5]), atoi(m[6])
	midnight := hour == 24 && minute == 0 && sec == 0 && strings.Trim(m[7], ".0") == ""
	return midnight || hour < 24 && minute < 60 && sec < 60, m[8] != ""
}

func validDay(s, year, month, day string) bool {
	y, err := strconv.Atoi(year)
	if err != nil || y == 0 {
		return false
	}
	if s[0] == '-' {
		y = -y
	}
	m, d := atoi(month), atoi(day)
	return m >= 1 && m <= 12 && d >= 1 && d <= daysIn(y, m)
}

func validZone(zone string) bool {
	if zone == "" || zone == "Z" {
		return true
	}
	hour, minute := atoi(zone[1:3]), atoi(zone[4:])
	return hour < 14 && minute < 60 || hour == 14 && minute == 0
}
