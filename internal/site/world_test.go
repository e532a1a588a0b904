package site

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/sitewalk/sitewalk/internal/facts"
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
	s, err := w.Facts.Again(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	o := w.Options
	o.Git.Known = w.Git.Without(s.Files(c))
	next, err := Relate(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// TestRelations relates sites by the relations that are not wanted as well. Nothing changes.
func TestRelations(t *testing.T) {
	for seed := range uint64(thorough.Or(16, 64)) {
		w := anyWorld(t, seed)
		forced := relateAll(t, w)
		if got, want := tell(Fold(forced, noon)), tell(Fold(w, noon)); !reflect.DeepEqual(got, want) {
			t.Errorf("seed %d: a relation that is not wanted does something:\n%+v\n%+v", seed, got, want)
		}
	}
}

// relateAll relates a site by all relations but those that read bodies or need another
// kind of tree.
func relateAll(t *testing.T, from *World) *World {
	w := newWorld(from.Facts, from.Options)
	for _, r := range relations {
		if slices.Contains([]string{"list", "pair", "versions", "copies", "edits", "git"}, r.name) && !r.wanted(w) {
			continue
		}
		if err := r.find(t.Context(), w); err != nil {
			t.Fatal(err)
		}
	}
	return w
}
