package writer

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/commit"
	"github.com/sitewalk/sitewalk/internal/thorough"
)

// cutShort commits the first changes of a transaction, as a run does that is killed
// then, and reports whether there are more.
func cutShort(tx *Transaction, changes int) (more bool) {
	tx.files.CutShort = changes + 1
	err := tx.Commit()
	tx.Close()
	return err != nil
}

// Whatever two runs did until each was killed, the next one leaves what a run into
// an empty folder writes; so does one that could not be completed.
func TestKilledTwice(t *testing.T) {
	t.Parallel()
	options := func(dir string) Options {
		return Options{Dir: dir, Base: base, Split: "section", MaxURLs: 3, Formats: []string{"xml", "txt", "llms"}}
	}
	first, second := site(many("b", 5)...), site(append(many("b", 5), many("c", 7)...)...)
	want := thorough.Memory(t)
	write(t, first, options(want))
	for _, fails := range []bool{false, true} {
		for n := 0; ; n++ {
			more := false
			for m := range n + 2 {
				dir := thorough.Memory(t)
				write(t, first, options(dir))
				var tx Transaction
				if _, err := tx.Draft(t.Context(), second, options(dir)); err != nil {
					t.Fatal(err)
				}
				more = cutShort(&tx, n)
				again := site(append(many("b", 5), many("c", m)...)...)
				if _, err := tx.Draft(t.Context(), again, options(dir)); err != nil {
					t.Fatal(err)
				}
				if fails {
					at := filepath.Join(dir, "sitemap.xml")
					old, err := os.ReadFile(at)
					if err != nil {
						t.Fatal(err)
					}
					block(t, at)
					_ = tx.Commit()
					tx.Close()
					if err := os.RemoveAll(at); err != nil {
						t.Fatal(err)
					}
					put(t, at, string(old))
				} else {
					cutShort(&tx, m)
				}
				write(t, first, options(dir))
				if got := tree(t, dir); !maps.Equal(got, tree(t, want)) {
					t.Fatalf("killed after %d and %d steps, fails %t: files %s", n, m, fails, namesIn(got))
				}
			}
			if !more {
				break
			}
		}
	}
}

// The index of the first part may name those of all others, so whenever a commit is
// cut short, what it names is there.
func TestKilledBetweenParts(t *testing.T) {
	for n := 0; ; n++ {
		dir := thorough.Memory(t)
		sub := filepath.Join(dir, "fr")
		if err := os.Mkdir(sub, 0o755); err != nil {
			t.Fatal(err)
		}
		var tx Transaction
		for _, o := range []Options{
			{Dir: dir, Base: base, Index: []string{"https://fr.example.com/sitemap.xml"}},
			{Dir: sub, Base: "https://fr.example.com/", MaxURLs: 1, Split: "none"}, // whose sitemap is an index, too
		} {
			pages := site("a", "b")
			for i := range pages {
				pages[i].Loc = o.Base + strings.TrimPrefix(pages[i].Loc, base)
			}
			if _, err := tx.Draft(t.Context(), pages, o); err != nil {
				t.Fatal(err)
			}
		}
		more := cutShort(&tx, n)
		got := tree(t, dir)
		if strings.Contains(got["sitemap.xml"], "fr.example.com") && got["fr/sitemap.xml"] == "" {
			t.Fatalf("after %d steps the index names a file that is not there: %s", n, namesIn(got))
		}
		if !more {
			return
		}
	}
}

// A killed run's temporary files go, though the next run has nothing to write there, or
// writes its page for people elsewhere.
func TestKilledWithOtherSettings(t *testing.T) {
	dir := thorough.Memory(t)
	o := Options{Dir: dir, Base: base, Page: "people/sitemap.html"}
	if err := os.Mkdir(filepath.Join(dir, "people"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, site("a", "b"), o)
	for _, at := range []string{"people", "."} {
		put(t, filepath.Join(dir, at, commit.TempPrefix+"x-y.tmp"), "half")
	}
	var tx Transaction
	if err := tx.Clear(context.Background(), Options{Dir: dir, Base: base}); err != nil {
		t.Fatal(err)
	}
	tx.Close()
	if _, err := os.Stat(filepath.Join(dir, commit.TempPrefix+"x-y.tmp")); err == nil {
		t.Error("Clear leaves a temporary file")
	}
	o.Page = ""
	write(t, site("a"), o)
	for name := range tree(t, dir) {
		if strings.Contains(name, commit.TempPrefix) {
			t.Errorf("%s stays", name)
		}
	}
}
