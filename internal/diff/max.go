package diff

import (
	"fmt"
	"strconv"
	"strings"
)

// A Max is how many URLs may be lost: a number, or so many of a hundred. The
// zero Max is none.
type Max struct {
	n       int
	percent float64
}

// ParseMax reads "0", "25" or "2.5%".
func ParseMax(s string) (Max, error) {
	if number, ok := strings.CutSuffix(s, "%"); ok {
		p, err := strconv.ParseFloat(number, 64)
		if err != nil || !(p >= 0 && p <= 100) {
			return Max{}, fmt.Errorf("%q is no percentage from 0%% to 100%%", s)
		}
		return Max{percent: p}, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return Max{}, fmt.Errorf("%q is neither a number of URLs nor a percentage such as 5%%", s)
	}
	return Max{n: n}, nil
}

// Of returns how many of so many URLs may be lost.
func (m Max) Of(urls int) int {
	if m.percent > 0 {
		return int(m.percent * float64(urls) / 100)
	}
	return m.n
}
