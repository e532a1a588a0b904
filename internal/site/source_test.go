package site

import (
	"slices"
	"testing"

	"github.com/sitewalk/sitewalk/internal/facts"
)

// TestSourceNeeds: a source gets what its row in Sources needs, whatever its name is.
func TestSourceNeeds(t *testing.T) {
	defer func(usual []Source) { Sources = usual }(Sources)
	Sources = append(slices.Clone(Sources), Source{Name: "new", Needs: NeedsMTime | NeedsGit})
	for _, test := range []struct {
		names []string
		quiet string
		want  facts.MTimes
	}{
		{[]string{SourceHTML, SourceGit}, "", facts.NoMTimes},
		{[]string{SourceHTML, SourceMTime}, "", facts.MTimesOfUndated},
		{[]string{SourceMTime, SourceHTML}, "", facts.AllMTimes},
		{[]string{SourceHTML, "new"}, "", facts.MTimesOfUndated},
		{[]string{"new"}, "", facts.AllMTimes},
		{[]string{"new"}, "CI is set", facts.NoMTimes},
	} {
		o := Options{LastMod: test.names, QuietMTime: test.quiet}
		if got := o.FactsOptions().MTimes; got != test.want {
			t.Errorf("%q: MTimes %d, want %d", test.names, got, test.want)
		}
	}
	if !AnySourceNeeds(NeedsGit, SourceHTML, "new") || AnySourceNeeds(NeedsGit, SourceHTML) {
		t.Error("the row of a source does not decide whether git is asked")
	}
	if got := SourcesNeeding(NeedsHTML, SourceNames()); !slices.Equal(got, []string{SourceHTML}) {
		t.Errorf("sources that need HTML: %q", got)
	}
}
