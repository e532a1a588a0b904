package site

import (
	"fmt"
	"strconv"
	"strings"
)

// A MaxLoss is how much of a site may be missing: so many URLs, or so many of a
// hundred. The zero MaxLoss is the default.
type MaxLoss struct {
	said    bool
	n       int
	percent float64
}

// ParseMaxLoss reads "0", "25" or "2.5%".
func ParseMaxLoss(s string) (MaxLoss, error) {
	if number, ok := strings.CutSuffix(s, "%"); ok {
		p, err := strconv.ParseFloat(number, 64)
		if err != nil || !(p >= 0 && p <= 100) {
			return MaxLoss{}, fmt.Errorf("%q is not a percentage from 0%% to 100%%", s)
		}
		return MaxLoss{said: true, percent: p}, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return MaxLoss{}, fmt.Errorf("%q is neither a number of URLs nor a percentage such as 5%%", s)
	}
	return MaxLoss{said: true, n: n}, nil
}

// Of returns how many of so many URLs may be missing; by default, so many as
// usual.
func (m MaxLoss) Of(urls, usual int) int {
	switch {
	case !m.said:
		return usual
	case m.percent > 0:
		return int(m.percent * float64(urls) / 100)
	}
	return m.n
}

// All reports whether the whole site may be missing.
func (m MaxLoss) All() bool { return m.percent == 100 }
