package git_test

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sitewalk/sitewalk/internal/git"
)

// TestQueryKeepsResults checks that Query keeps known results and does not change its arguments.
func TestQueryKeepsResults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() // outside any repository
	a, b := filepath.Join(dir, "a.md"), filepath.Join(dir, "b.md")
	names := func(g *git.Dates) []string { return slices.Sorted(maps.Keys(g.Results)) }
	first := new(git.Dates).Query(t.Context(), []string{a}, git.Options{})
	if same := first.Query(t.Context(), []string{a}, git.Options{}); same != first {
		t.Error("Query of a known file: got a new value, want the same")
	}
	both := first.Query(t.Context(), []string{a, b}, git.Options{})
	rest := both.WithoutFiles([]string{a, "unknown"})
	for _, tt := range []struct {
		of   *git.Dates
		want []string
	}{{first, []string{a}}, {both, []string{a, b}}, {rest, []string{b}}, {rest.WithoutResults(), nil}} {
		if got := names(tt.of); !slices.Equal(got, tt.want) {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
