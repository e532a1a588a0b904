package writer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/sitemap"
)

// cutShort commits the first changes of a transaction, as a run does that is killed
// then, and reports whether there are more.
func cutShort(tx *Transaction, changes int) (more bool) {
	tx.files.CutShort = changes + 1
	err := tx.Commit()
	tx.Close()
	return err != nil
}

// TestKilledAtEachStep kills a run before each of its changes. Then each index names
// existing files, and the next run completes the changes.
func TestKilledAtEachStep(t *testing.T) {
	t.Parallel()
	options := func(dir string) Options {
		return Options{Dir: dir, Base: base, Split: "section", MaxURLs: 3, Formats: []string{"xml", "txt", "llms"}}
	}
	first, second := site(append(many("b", 5), many("z", 4)...)...), site(append(many("b", 5), many("c", 5)...)...)
	fresh := testsite.MemoryDir(t)
	write(t, second, options(fresh))
	want := tree(t, fresh)
	for n := 0; ; n++ {
		dir := testsite.MemoryDir(t)
		write(t, first, options(dir))
		var tx Transaction
		if _, err := tx.Draft(t.Context(), second, options(dir)); err != nil {
			t.Fatal(err)
		}
		more := cutShort(&tx, n)
		checkIndexes(t, tree(t, dir))
		write(t, second, options(dir))
		got := tree(t, dir)
		checkIndexes(t, got)
		for name, text := range want {
			if got[name] != text {
				t.Errorf("killed after %d steps: %s is not what a fresh run writes", n, name)
			}
		}
		for name := range got {
			if strings.Contains(name, files.TempPrefix) {
				t.Errorf("killed after %d steps: %s stays", n, name)
			}
		}
		if !more {
			break
		}
	}
}

// checkIndexes fails unless every file exists that one of the indexes among files names.
func checkIndexes(t *testing.T, files map[string]string) {
	t.Helper()
	for index := range files {
		if index != "sitemap.xml" && !strings.HasPrefix(index, "sitemap-index-") {
			continue
		}
		items := sitemap.NewReader(strings.NewReader(files[index]))
		for {
			item, err := items.Next()
			if err != nil || !item.Sitemap {
				break
			}
			if _, ok := files[strings.TrimPrefix(item.Loc, base)]; !ok {
				t.Fatalf("%s names %s, which does not exist", index, item.Loc)
			}
		}
	}
}

// The index of the first part may name those of all others, so whenever a commit is
// cut short, what it names is there.
func TestKilledBetweenParts(t *testing.T) {
	for n := 0; ; n++ {
		dir := testsite.MemoryDir(t)
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

// A killed run's temporary files go, though the next run writes no page for people.
func TestKilledWithOtherSettings(t *testing.T) {
	dir := testsite.MemoryDir(t)
	o := Options{Dir: dir, Base: base, Page: "people/sitemap.html"}
	if err := os.Mkdir(filepath.Join(dir, "people"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, site("a", "b"), o)
	for _, at := range []string{"people", "."} {
		put(t, filepath.Join(dir, at, files.TempPrefix+"x-y.tmp"), "half")
	}
	o.Page = ""
	write(t, site("a"), o)
	for name := range tree(t, dir) {
		if strings.Contains(name, files.TempPrefix) {
			t.Errorf("%s stays", name)
		}
	}
}

// TestKilledBeforeRemoval removes a child that no index names after a kill, and leaves a second
// sitemap in the same folder alone whose names look like those of children.
func TestKilledBeforeRemoval(t *testing.T) {
	t.Parallel()
	for _, gzip := range []string{"also", "only"} {
		options := func(dir string) Options {
			return Options{Dir: dir, Base: base, Split: "section", MaxURLs: 3, Formats: []string{"xml", "txt"}, Gzip: gzip}
		}
		less, more := site(append(many("b", 2), many("z", 2)...)...), site(append(many("b", 2), many("c", 5)...)...)
		second := Options{Base: base, Name: "sitemap-d.xml", Split: "section", MaxURLs: 3, Gzip: gzip}
		fresh := testsite.MemoryDir(t)
		write(t, less, options(fresh))
		second.Dir = fresh
		write(t, site(many("d", 7)...), second)
		want := tree(t, fresh)
		for n, unfinished := 0, true; unfinished; n++ {
			for _, sites := range [][2]slice{{less, more}, {more, less}} {
				dir := testsite.MemoryDir(t)
				second.Dir = dir
				write(t, site(many("d", 7)...), second)
				write(t, sites[0], options(dir))
				var tx Transaction
				if _, err := tx.Draft(t.Context(), sites[1], options(dir)); err != nil {
					t.Fatal(err)
				}
				unfinished = cutShort(&tx, n)
				write(t, less, options(dir))
				if got, want := strings.Join(namesIn(tree(t, dir)), " "), strings.Join(namesIn(want), " "); got != want {
					t.Errorf("gzip %q, killed after %d steps: files %s, want %s", gzip, n, got, want)
				}
			}
		}
	}
}
