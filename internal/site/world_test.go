package site

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/gitdates"
	"github.com/sitewalk/sitewalk/internal/thorough"
)

// known learns a site and relates it.
func known(t testing.TB, o Options) *World {
	t.Helper()
	s, err := facts.Learn(context.Background(), o.Options)
	if err != nil {
		t.Fatal(err)
	}
	w, err := Relate(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// again learns some paths of a site again and relates it.
func (w *World) again(t testing.TB, c facts.Change) *World {
	t.Helper()
	s, err := w.facts.Again(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	o := w.o
	o.Git.Known = w.Git().Without(s.Replaced(w.facts))
	next, err := Relate(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// TestSteps relates sites with the steps that are not wanted as well. Nothing changes.
func TestSteps(t *testing.T) {
	for seed := range uint64(thorough.Or(16, 64)) {
		w := anyWorld(t, seed)
		forced := relateAll(t, w)
		if got, want := tell(Fold(forced, noon)), tell(Fold(w, noon)); !reflect.DeepEqual(got, want) {
			t.Errorf("seed %d: a step that is not wanted does something:\n%+v\n%+v", seed, got, want)
		}
	}
}

// relateAll relates a site by all steps but those that read bodies or need another
// kind of tree.
func relateAll(t *testing.T, from *World) *World {
	w := &World{o: from.o, facts: from.facts, pages: from.facts.Pages, git: new(gitdates.Answers), mapping: &from.o.Mapping}
	w.findParts()
	for _, st := range steps {
		if slices.Contains([]string{"list", "pair", "versions", "copies", "edits", "git"}, st.name) && !st.wanted(w) {
			continue
		}
		if err := st.run(t.Context(), w); err != nil {
			t.Fatal(err)
		}
	}
	return w
}
