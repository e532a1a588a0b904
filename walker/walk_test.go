package walker

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
)

// paths returns what a walk delivers, sorted.
func walked(t *testing.T, tree Tree, o Options) []string {
	t.Helper()
	var mu sync.Mutex
	var got []string
	diags, err := tree.Walk(context.Background(), o, func(_ int, f *File) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, f.Path)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range diags {
		t.Log(d)
	}
	slices.Sort(got)
	return got
}

func TestWalkDefaults(t *testing.T) {
	tree := FS(fstest.MapFS{
		"index.html": {}, "a/b/INDEX.HTM": {}, "a/x.xhtml": {}, "style.css": {}, ".git/x.html": {}, ".hidden.html": {},
		".well-known/x.html": {}, "node_modules/x/y.html": {}, "a/node_modules/y.html": {},
	})
	got := walked(t, tree, Options{})
	want := []string{".well-known/x.html", "a/b/INDEX.HTM", "a/x.xhtml", "index.html"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
