package sitemap

import (
	"errors"
	"regexp"
	"strings"
)

// days are the notations of a day, in the layouts of package time, once the
// weekday, commas and the endings of ordinals and months are gone.
var days = []string{
	"2006-1-2", "2006/1/2", "2006.1.2", "2006-Jan-2",
	"2 Jan 2006", "Jan 2 2006", "2006 Jan 2", "2-Jan-2006", "Jan-2-2006", "2 Jan 06", "2-Jan-06", "Jan 2 06",
	"2/1/2006", "2.1.2006",
}

// openNotations are notations that leave the moment open.
var openNotations = []struct{ layout, problem string }{
	{"2006", "has no month and no day"},
	{"2006-1", "has no day"},
	{"2006/1", "has no day"},
	{"2006.1", "has no day"},
	{"Jan 2006", "has no day"},
	{"Jan 2", "has no year"},
	{"2 Jan", "has no year"},
	{"2006-1-2t15", "has no minutes"},
	{"2006-1-2 15", "has no minutes"},
}

var errNoDate = errors.New("is not a date")

// zoneHours are the zones that have one offset wherever their name is used:
// those of RFC 822, and those of Europe and Japan. IST, for one, has three.
var zoneHours = map[string]int{
	"Z": 0, "UT": 0, "UTC": 0, "GMT": 0,
	"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
	"WET": 0, "WEST": 1, "CET": 1, "CEST": 2, "EET": 2, "EEST": 3, "MSK": 3, "JST": 9,
}

var (
	// clock is a time behind a T, a blank, a comma or the word "at", with its
	// zone: Z, +07:00, +0700, +07, a name, GMT+0700, and behind it the name or
	// the comment that repeats it, as Go ("+0200 CEST", "+0300 +03") and
	// JavaScript ("GMT+0200 (CEST)") have it.
	clock = regexp.MustCompile(`(?i)(?:t|[\s,]+(?:at\s)?)\s*` +
		`(\d\d?):(\d\d?)(?::(\d\d?)(?:[.,](\d+))?)?(?:\s*([ap]m)\b)?` +
		`(?:\s*((?:gmt|utc)?[+-]\d\d(?::?\d\d)?|[a-z]+)(?:\s+(?:\(.*\)|[a-z]{3,5}\b|[+-]\d\d(?:\d\d)?\b))?)?`)

	// dayZone is the zone of a day without a time, as XML Schema allows it. It
	// does not change the day.
	dayZone = regexp.MustCompile(`(?i)\s*(?:z|utc|gmt|(?:[+-]\d\d:|\+\d\d)[0-5]\d)$`)

	compact = regexp.MustCompile(`^(\d{4})(\d\d)(\d\d)(?:[Tt ]?(\d\d)(\d\d)(\d\d)?)?`)
	weekday = regexp.MustCompile(`^(?:sunday|monday|tuesday|wednesday|thursday|friday|saturday|sun|mon|tue|wed|thu|fri|sat)\b[.,\s]*`)
	ordinal = regexp.MustCompile(`\b(\d\d?)(?:st|nd|rd|th)\b`)
	numeral = regexp.MustCompile(`\d\d?`)
	numbers = regexp.MustCompile(`\d+`)
	letters = regexp.MustCompile(`[A-Za-z]+`)

	months = strings.NewReplacer("january", "jan", "february", "feb", "march", "mar", "april", "apr", "june", "jun", "july", "jul",
		"august", "aug", "september", "sep", "sept", "sep", "october", "oct", "november", "nov", "december", "dec")
)
