package sitemap

import (
	"fmt"
	"slices"
	"strings"
)

// A ChangeFreq is a hint at how often a page changes. The zero ChangeFreq says
// nothing.
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

// ParseChangeFreq reads one of the protocol's seven words, in lower case.
func ParseChangeFreq(s string) (ChangeFreq, error) {
	if i := slices.Index(changeFreqs, s); i > 0 {
		return ChangeFreq(i), nil
	}
	return 0, fmt.Errorf("changefreq %q is none of %s", s, strings.Join(changeFreqs[1:], ", "))
}

// String returns the protocol's word, or "" for the zero ChangeFreq.
func (c ChangeFreq) String() string { return changeFreqs[c] }
