package site

import (
	"context"
	"testing"

	"github.com/sitewalk/sitewalk/internal/facts"
)

// known reads the files of a site and returns its World.
func known(t testing.TB, o Options) *World {
	t.Helper()
	s, err := facts.Learn(context.Background(), o.FactsOptions())
	if err != nil {
		t.Fatal(err)
	}
	w, err := Relate(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// again reads the changed files of a site again and returns its new World.
func (w *World) again(t testing.TB, c facts.Change) *World {
	t.Helper()
	s, err := w.Facts.Relearn(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	o := w.Options
	o.Git.Known = w.Git.WithoutFiles(s.ChangedFiles(c))
	next, err := Relate(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return next
}
