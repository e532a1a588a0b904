package writer

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/sitewalk/sitewalk/sitemap"
)

// TestWriteBuilt makes no folder where a built site was.
func TestWriteBuilt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	o := Options{Dir: dir, Base: "https://example.com/", Built: true}
	var e sitemap.Entry
	e.Loc = "https://example.com/"
	if _, err := Write(t.Context(), Slice{e}, o); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the folder was made")
	}
}
