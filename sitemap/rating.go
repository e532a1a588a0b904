package sitemap

import (
	"fmt"
	"math"
	"strconv"
)

// A Rating is what a video's viewers think of it, from 0.0 to 5.0 in steps of
// a hundredth. The zero Rating says nothing; RatingOf(0) says 0.0.
type Rating uint16

// RatingOf returns the rating v; an error when v is not within 0.0 and 5.0.
func RatingOf(v float64) (Rating, error) {
	if !(v >= 0 && v <= 5) {
		return 0, fmt.Errorf("rating %v is not between 0.0 and 5.0", v)
	}
	return Rating(1 + math.Round(v*100)), nil
}

// String returns the rating with at least one decimal, or "" when r says nothing.
func (r Rating) String() string {
	if r == 0 {
		return ""
	}
	return string(appendDecimal(nil, float64(r-1)/100))
}

// A Count counts the views of a video. The zero Count says nothing; CountOf(0)
// says 0.
type Count uint64

// CountOf returns the count n.
func CountOf(n uint64) Count { return Count(n) + 1 }

// String returns the count, or "" when c says nothing.
func (c Count) String() string {
	if c == 0 {
		return ""
	}
	return strconv.FormatUint(uint64(c-1), 10)
}
