package explain

import (
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/walker"
)

// TestPredictMissingPageIsCheap checks that PredictResponse allocates little for a missing page. A
// list may have a million missing pages.
func TestPredictMissingPageIsCheap(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(plain), 0o644); err != nil {
		t.Fatal(err)
	}
	a := New(listPagesOfDir(t, dir, site.Options{}))
	const n = 100
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range n {
		if answer := a.PredictResponse(t.Context(), fmt.Sprintf("https://example.com/absent-%d/", i)); answer.Status != http.StatusNotFound {
			t.Errorf("got status %d, want 404", answer.Status)
		}
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / n; each > 1<<10 {
		t.Errorf("got %d bytes of allocations for a missing page, want at most 1024", each)
	}
	if answer := a.PredictResponse(t.Context(), "https://example.com/"); answer.Status != http.StatusOK {
		t.Errorf("home page: got status %d, want 200", answer.Status)
	}
}

// A caseInsensitiveFS finds a file by its name in any case, like the file systems of macOS and
// Windows.
type caseInsensitiveFS struct{ fs.FS }

func (f caseInsensitiveFS) Open(name string) (fs.File, error) {
	at := "."
	for part := range strings.SplitSeq(name, "/") {
		entries, _ := fs.ReadDir(f.FS, at)
		for _, e := range entries {
			if strings.EqualFold(e.Name(), part) {
				part = e.Name()
			}
		}
		at = path.Join(at, part)
	}
	return f.FS.Open(at)
}

// TestPredictResponseComparesCase checks that names of files match exactly, like on a host, even if
// the local file system ignores case.
func TestPredictResponseComparesCase(t *testing.T) {
	files := fstest.MapFS{}
	for _, name := range []string{"index.html", "p3/index.html", "docs/Guide.pdf", "docs/1.2"} {
		files[name] = &fstest.MapFile{Data: []byte(plain)}
	}
	filter, err := walker.NewFilter(walker.HTMLFiles, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, fsys := range map[string]fs.FS{"exact": files, "caseInsensitiveFS": caseInsensitiveFS{files}} {
		a := New(listPagesOf(t, site.Options{Options: facts.Options{Pages: &facts.Tree{Files: walker.FS(fsys), Filter: filter}}}))
		for urlPath, want := range map[string]int{
			"p3/": 200, "P3/": 404, "P3/index.html": 404, "INDEX.HTML": 404,
			"docs/Guide.pdf": 200, "docs/guide.pdf": 404, "Docs/Guide.pdf": 404, "docs/1.2": 200, "DOCS/1.2": 404,
		} {
			if got := a.PredictResponse(t.Context(), "https://example.com/"+urlPath); got.Status != want {
				t.Errorf("%s: %s: got status %d, want %d", name, urlPath, got.Status, want)
			}
		}
		if got := a.FindRespelled("https://example.com/P3/"); got != "https://example.com/p3/" {
			t.Errorf("%s: FindRespelled: got %s, want https://example.com/p3/", name, got)
		}
	}
}
