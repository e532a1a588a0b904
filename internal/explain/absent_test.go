package explain

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/sitewalk/sitewalk/internal/site"
)

// To say that nothing is there takes no walk: a list may have a million such URLs.
func TestAbsentIsCheap(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(plain), 0o644); err != nil {
		t.Fatal(err)
	}
	a := New(buildDir(t, dir, site.Options{}))
	const n = 100
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range n {
		if answer := a.Of(t.Context(), fmt.Sprintf("https://example.com/absent-%d/", i)); answer.Status != http.StatusNotFound {
			t.Errorf("the answer is %d", answer.Status)
		}
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / n; each > 1<<10 {
		t.Errorf("%d bytes are allocated for a URL at which nothing is", each)
	}
	if answer := a.Of(t.Context(), "https://example.com/"); answer.Status != http.StatusOK {
		t.Errorf("the home page answers %d", answer.Status)
	}
}
