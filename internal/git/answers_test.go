package git_test

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Answers that are known stay, and nothing that is given is changed.
func TestAsk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() // outside any repository
	a, b := filepath.Join(dir, "a.md"), filepath.Join(dir, "b.md")
	names := func(g *git.Answers) []string { return slices.Sorted(maps.Keys(g.Results)) }
	one := new(git.Answers).Ask(t.Context(), []string{a}, git.Options{})
	if same := one.Ask(t.Context(), []string{a}, git.Options{}); same != one {
		t.Error("git was asked again about a file that did not change")
	}
	both := one.Ask(t.Context(), []string{a, b}, git.Options{})
	rest := both.Without([]string{a, "of another tree"})
	for _, tt := range []struct {
		of   *git.Answers
		want []string
	}{{one, []string{a}}, {both, []string{a, b}}, {rest, []string{b}}, {rest.Forget(), nil}} {
		if got := names(tt.of); !slices.Equal(got, tt.want) {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// TestRecovered asks again about a file that git failed on. The answers about other files do
// not matter.
func TestRecovered(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.add("01-01", "a.md", "a")
	file := filepath.Join(r.dir, "a.md")
	other := git.Result{Date: sitemap.DayOf(time.Unix(1e9, 0))}
	failing := git.Options{Git: filepath.Join(t.TempDir(), "git")}
	failed := new(git.Answers).Ask(t.Context(), []string{file}, failing)
	failed.Results["b.html"] = other
	if failed.Recovered(t.Context(), failing) {
		t.Error("git recovered, though it still fails")
	}
	if !failed.Recovered(t.Context(), git.Options{}) {
		t.Error("git did not recover, though it answers")
	}
	fine := &git.Answers{Results: map[string]git.Result{"b.html": other}}
	if fine.Recovered(t.Context(), git.Options{}) {
		t.Error("git recovered, though it never failed")
	}
}
