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

// commitPartly commits only the first changes of a transaction, like a run that is killed. It
// reports whether there are more changes.
func commitPartly(tx *Transaction, changes int) (more bool) {
	tx.files.CutShort = changes + 1
	err := tx.Commit()
	tx.Close()
	return err != nil
}

// TestWriteAfterPartialCommit stops a commit before each of its changes. The indexes must name
// existing files. The next run must complete the changes.
func TestWriteAfterPartialCommit(t *testing.T) {
	t.Parallel()
	options := func(dir string) Options {
		return Options{Dir: dir, Base: base, Split: "section", MaxURLs: 3, Formats: []string{"xml", "txt", "llms"}}
	}
	first, second := site(append(pagePaths("b", 5), pagePaths("z", 4)...)...), site(append(pagePaths("b", 5), pagePaths("c", 5)...)...)
	fresh := testsite.MemoryDir(t)
	mustWrite(t, second, options(fresh))
	want := readTree(t, fresh)
	for n := 0; ; n++ {
		dir := testsite.MemoryDir(t)
		mustWrite(t, first, options(dir))
		var tx Transaction
		if _, err := tx.Draft(t.Context(), second, options(dir)); err != nil {
			t.Fatal(err)
		}
		more := commitPartly(&tx, n)
		checkIndexes(t, readTree(t, dir))
		mustWrite(t, second, options(dir))
		got := readTree(t, dir)
		checkIndexes(t, got)
		for name, text := range want {
			if got[name] != text {
				t.Errorf("stopped after %d changes: %s differs from that of a fresh run", n, name)
			}
		}
		for name := range got {
			if strings.Contains(name, files.TempPrefix) {
				t.Errorf("stopped after %d changes: got temporary file %s, want none", n, name)
			}
		}
		if !more {
			break
		}
	}
}

// checkIndexes checks that the indexes among files name only existing files.
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

// TestPartialCommitOfTwoSites stops a commit of two sites before each of its changes. If the index
// of the first site names the sitemap of the second site, that sitemap must exist.
func TestPartialCommitOfTwoSites(t *testing.T) {
	for n := 0; ; n++ {
		dir := testsite.MemoryDir(t)
		sub := filepath.Join(dir, "fr")
		if err := os.Mkdir(sub, 0o755); err != nil {
			t.Fatal(err)
		}
		var tx Transaction
		for _, o := range []Options{
			{Dir: dir, Base: base, Index: []string{"https://fr.example.com/sitemap.xml"}},
			{Dir: sub, Base: "https://fr.example.com/", MaxURLs: 1, Split: "none"}, // this sitemap is an index, too
		} {
			pages := site("a", "b")
			for i := range pages {
				pages[i].Loc = o.Base + strings.TrimPrefix(pages[i].Loc, base)
			}
			if _, err := tx.Draft(t.Context(), pages, o); err != nil {
				t.Fatal(err)
			}
		}
		more := commitPartly(&tx, n)
		got := readTree(t, dir)
		if strings.Contains(got["sitemap.xml"], "fr.example.com") && got["fr/sitemap.xml"] == "" {
			t.Fatalf("stopped after %d changes: the index names a missing file; files: %s", n, fileNames(got))
		}
		if !more {
			return
		}
	}
}

// TestWriteRemovesTemporaryFilesOfOtherSettings checks that Write removes the temporary files in
// the folder of the page for people, even if it no longer writes that page.
func TestWriteRemovesTemporaryFilesOfOtherSettings(t *testing.T) {
	dir := testsite.MemoryDir(t)
	o := Options{Dir: dir, Base: base, Page: "people/sitemap.html"}
	if err := os.Mkdir(filepath.Join(dir, "people"), 0o755); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, site("a", "b"), o)
	for _, at := range []string{"people", "."} {
		writeFile(t, filepath.Join(dir, at, files.TempPrefix+"x-y.tmp"), "half")
	}
	o.Page = ""
	mustWrite(t, site("a"), o)
	for name := range readTree(t, dir) {
		if strings.Contains(name, files.TempPrefix) {
			t.Errorf("got temporary file %s, want none", name)
		}
	}
}

// TestWriteRemovesChildrenAfterPartialCommit stops a commit before each of its changes. The next
// run must remove a child sitemap that no index names, and keep a second sitemap with similar names
// in the same folder.
func TestWriteRemovesChildrenAfterPartialCommit(t *testing.T) {
	t.Parallel()
	for _, gzip := range []string{"also", "only"} {
		options := func(dir string) Options {
			return Options{Dir: dir, Base: base, Split: "section", MaxURLs: 3, Formats: []string{"xml", "txt"}, Gzip: gzip}
		}
		less, more := site(append(pagePaths("b", 2), pagePaths("z", 2)...)...), site(append(pagePaths("b", 2), pagePaths("c", 5)...)...)
		second := Options{Base: base, Name: "sitemap-d.xml", Split: "section", MaxURLs: 3, Gzip: gzip}
		fresh := testsite.MemoryDir(t)
		mustWrite(t, less, options(fresh))
		second.Dir = fresh
		mustWrite(t, site(pagePaths("d", 7)...), second)
		want := readTree(t, fresh)
		second.Dir = testsite.MemoryDir(t)
		mustWrite(t, site(pagePaths("d", 7)...), second)
		withLess, withMore := copyTree(t, second.Dir), copyTree(t, second.Dir)
		mustWrite(t, less, options(withLess))
		mustWrite(t, more, options(withMore))
		for n, unfinished := 0, true; unfinished; n++ {
			for _, change := range []struct {
				from string
				to   entryList
			}{{withLess, more}, {withMore, less}} {
				dir := copyTree(t, change.from)
				var tx Transaction
				if _, err := tx.Draft(t.Context(), change.to, options(dir)); err != nil {
					t.Fatal(err)
				}
				unfinished = commitPartly(&tx, n)
				mustWrite(t, less, options(dir))
				if got, want := strings.Join(fileNames(readTree(t, dir)), " "), strings.Join(fileNames(want), " "); got != want {
					t.Errorf("gzip %q, stopped after %d changes: got files %s, want %s", gzip, n, got, want)
				}
			}
		}
	}
}
