package site

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/sitewalk/sitewalk/walker"
)

// TestRelearnMany changes so many files at once that the tree is walked, and
// others one by one after that.
func TestRelearnMany(t *testing.T) {
	e := &editor{rnd: rand.New(rand.NewPCG(3, 3)), pages: fstest.MapFS{}, content: fstest.MapFS{}}
	write := func(i int) string {
		file := fmt.Sprintf("%d/%d.html", i%30, i)
		e.pages[file] = &fstest.MapFile{Data: []byte(e.html())}
		return file
	}
	for i := range 2 * manyPaths {
		write(i)
	}
	e.edit(40)
	s := known(t, e.options(t, true))
	for round, n := range []int{manyPaths + 1, 2 * manyPaths, 3, 2*manyPaths + 200, manyPaths + 5, 1} {
		c := e.edit(5)
		for i := range n {
			c.Pages = append(c.Pages, write(i))
		}
		for range n % 7 {
			gone := fmt.Sprintf("%d/%d.html", 5, 5+30*e.rnd.IntN(20))
			delete(e.pages, gone)
			c.Pages = append(c.Pages, gone)
		}
		s = s.again(t, c)
		fresh := known(t, e.options(t, true))
		if got, want := tell(Fold(s, noon)), tell(Fold(fresh, noon)); !reflect.DeepEqual(got, want) {
			t.Fatalf("round %d, %d changes: %d entries and %d pairs, fresh %d and %d",
				round, n, len(got.Entries), got.Paired, len(want.Entries), want.Paired)
		}
	}
}

// TestRelearnListing forgets what was wrong with a link that is mended, in a
// tree with a name and in the working directory.
func TestRelearnListing(t *testing.T) {
	for _, name := range []string{"", "public"} {
		dir := t.TempDir()
		if err := os.Symlink("nothing.html", filepath.Join(dir, "link.html")); err != nil {
			t.Skip(err)
		}
		e := &editor{}
		o := e.options(t, true)
		o.Content = nil
		o.Pages = &Tree{Files: walker.Dir(dir), Filter: o.Pages.Filter, Name: name, Dir: dir}
		s := known(t, o)
		before := len(s.facts.listing)
		if err := os.WriteFile(filepath.Join(dir, "nothing.html"), []byte("<title>Now</title>"), 0o644); err != nil {
			t.Fatal(err)
		}
		s = s.again(t, Change{Pages: []string{"link.html", "nothing.html"}})
		if before != 1 || len(s.facts.listing) != 0 {
			t.Errorf("tree %q: %d findings, then %v", name, before, s.facts.listing)
		}
	}
}
