package site

import (
	"testing"

	"github.com/sitewalk/sitewalk/internal/facts"
)

// TestMTimesOfSources checks which pages have their modification times read: those that the source
// mtime may date.
func TestMTimesOfSources(t *testing.T) {
	for _, test := range []struct {
		names     []string
		whyUnused string
		want      facts.MTimes
	}{
		{[]string{SourceHTML, SourceGit}, "", facts.NoMTimes},
		{[]string{SourceHTML, SourceMTime}, "", facts.MTimesOfUndated},
		{[]string{SourceMTime, SourceHTML}, "", facts.AllMTimes},
		{[]string{SourceMTime}, "", facts.AllMTimes},
		{[]string{SourceMTime}, "CI is set", facts.NoMTimes},
	} {
		o := Options{LastMod: test.names, WhyUnused: map[string]string{SourceMTime: test.whyUnused}}
		if got := o.FactsOptions().MTimes; got != test.want {
			t.Errorf("%q: MTimes %d, want %d", test.names, got, test.want)
		}
	}
}
