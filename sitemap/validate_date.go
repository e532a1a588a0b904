package sitemap

import (
	"strings"
	"time"
)

// schemaDates are the forms of xs:date and xs:dateTime, which is what the schema takes
// for a lastmod. The last one has no zone.
var schemaDates = []string{time.DateOnly, "2006-01-02Z07:00", time.RFC3339, "2006-01-02T15:04:05"}

// schemaDate reports whether the schema takes a text for a date, and whether its
// moment is known: a day, or a time with a zone.
func schemaDate(s string) (valid, zoned bool) {
	if strings.Contains(s, ",") || len(s) > 12 && s[12] == ':' { // package time takes a comma for a point, and an hour of one digit
		return false, true
	}
	for i, layout := range schemaDates {
		if t, ok := parseTime(layout, s, time.UTC); ok && t.Year() > 0 {
			return true, i < len(schemaDates)-1
		}
	}
	return false, true
}
