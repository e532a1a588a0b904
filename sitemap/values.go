package sitemap

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A ChangeFreq is the value of a changefreq element: how often a page usually changes. The zero
// ChangeFreq means that the value is not set.
type ChangeFreq uint8

// The values of the protocol's changefreq element.
const (
	Always ChangeFreq = 1 + iota
	Hourly
	Daily
	Weekly
	Monthly
	Yearly
	Never
)

var changeFreqs = []string{"", "always", "hourly", "daily", "weekly", "monthly", "yearly", "never"}

// ParseChangeFreq parses one of the seven words of the protocol, such as "daily". For any other
// text, including "Daily" and "", it returns an error.
func ParseChangeFreq(s string) (ChangeFreq, error) {
	if i := slices.Index(changeFreqs, s); i > 0 {
		return ChangeFreq(i), nil
	}
	return 0, fmt.Errorf("changefreq %q is not one of %s", s, strings.Join(changeFreqs[1:], ", "))
}

// String returns the word of the protocol, such as "daily", or "" for the zero ChangeFreq.
func (c ChangeFreq) String() string { return changeFreqs[c] }

// A Priority is the value of a priority element: the importance of a page relative to other pages
// of its site. It is from 0.0 to 1.0 in steps of 0.001. The zero Priority means that the value is
// not set; PriorityOf(0) means 0.0.
type Priority uint16

// PriorityOf returns v as a Priority, rounded to a multiple of 0.001. It returns an error if v is
// not between 0.0 and 1.0.
func PriorityOf(v float64) (Priority, error) {
	if !(v >= 0 && v <= 1) {
		return 0, fmt.Errorf("priority %v is not between 0.0 and 1.0", v)
	}
	return Priority(1 + math.Round(v*1000)), nil
}

// Float64 returns the priority, or the protocol's default of 0.5 if p is not set.
func (p Priority) Float64() float64 {
	if p == 0 {
		return 0.5
	}
	return float64(p-1) / 1000
}

// String returns the priority as a decimal number, such as "1.0" or "0.75". It returns "" if p is
// not set.
func (p Priority) String() string { return string(p.AppendTo(nil)) }

// AppendTo appends p.String() to b.
func (p Priority) AppendTo(b []byte) []byte {
	if p == 0 {
		return b
	}
	return appendDecimal(b, p.Float64())
}

// appendDecimal appends v as a decimal number with at least one digit after the point, such as
// "1.0" or "0.75".
func appendDecimal(b []byte, v float64) []byte {
	if v == math.Trunc(v) {
		return strconv.AppendFloat(b, v, 'f', 1, 64)
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64)
}

// A Rating is the rating of a video by its viewers, from 0.0 to 5.0 in steps of 0.01. The zero
// Rating means that the value is not set; RatingOf(0) means 0.0.
type Rating uint16

// RatingOf returns v as a Rating, rounded to a multiple of 0.01. It returns an error if v is not
// between 0.0 and 5.0.
func RatingOf(v float64) (Rating, error) {
	if !(v >= 0 && v <= 5) {
		return 0, fmt.Errorf("rating %v is not between 0.0 and 5.0", v)
	}
	return Rating(1 + math.Round(v*100)), nil
}

// String returns the rating as a decimal number, such as "4.0" or "4.25". It returns "" if r is not
// set.
func (r Rating) String() string {
	if r == 0 {
		return ""
	}
	return string(appendDecimal(nil, float64(r-1)/100))
}

// A Count is the number of views of a video. The zero Count means that the number is not set;
// CountOf(0) means no views.
type Count uint64

// CountOf returns n as a Count. n must be less than 1<<64 - 1.
func CountOf(n uint64) Count { return Count(n) + 1 }

// String returns the number of views in decimal, or "" if c is not set.
func (c Count) String() string {
	if c == 0 {
		return ""
	}
	return strconv.FormatUint(uint64(c-1), 10)
}

// A YesNo is the value of an element that contains "yes" or "no". The zero YesNo means that the
// value is not set.
type YesNo uint8

// The values of a YesNo.
const (
	Yes YesNo = 1 + iota
	No
)

// String returns "yes" or "no", or "" if y is not set.
func (y YesNo) String() string { return yesNoWords[y] }

var yesNoWords = []string{"", "yes", "no"}
