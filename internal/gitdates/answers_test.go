package gitdates_test

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/gitdates"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Answers that are known stay, and nothing that is given is changed.
func TestAsk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() // outside any repository
	a, b := filepath.Join(dir, "a.md"), filepath.Join(dir, "b.md")
	names := func(g *gitdates.Answers) []string { return slices.Sorted(maps.Keys(g.Results)) }
	one := new(gitdates.Answers).Ask(t.Context(), []string{a}, gitdates.Options{})
	if same := one.Ask(t.Context(), []string{a}, gitdates.Options{}); same != one {
		t.Error("git was asked again about a file that did not change")
	}
	both := one.Ask(t.Context(), []string{a, b}, gitdates.Options{})
	rest := both.Without([]string{a, "of another tree"})
	for _, tt := range []struct {
		of   *gitdates.Answers
		want []string
	}{{one, []string{a}}, {both, []string{a, b}}, {rest, []string{b}}, {rest.Forget(), nil}} {
		if got := names(tt.of); !slices.Equal(got, tt.want) {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// TestRecovered asks again about a file that git failed on. What is said of other files does
// not matter: a deploy is known only to who says which files are built.
func TestRecovered(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.add("01-01", "a.md", "a")
	file := filepath.Join(r.dir, "a.md")
	deployed := gitdates.Result{Deploy: sitemap.DayOf(time.Unix(1e9, 0))}
	failing := gitdates.Options{Git: filepath.Join(t.TempDir(), "git")}
	failed := new(gitdates.Answers).Ask(t.Context(), []string{file}, failing)
	failed.Results["b.html"] = deployed
	if failed.Recovered(t.Context(), failing) {
		t.Error("git recovered, though it still fails")
	}
	if !failed.Recovered(t.Context(), gitdates.Options{}) {
		t.Error("git did not recover, though it answers")
	}
	fine := &gitdates.Answers{Results: map[string]gitdates.Result{"b.html": deployed}}
	if fine.Recovered(t.Context(), gitdates.Options{}) {
		t.Error("git recovered, though it never failed")
	}
}
