package writer

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/sitewalk/sitewalk/sitemap"
)

// TestWriteBuilt makes no publish directory, and every other folder.
func TestWriteBuilt(t *testing.T) {
	for name, tt := range map[string]struct {
		publish, dir string
		there        bool // the publish directory is
		fails        bool
	}{
		"gone":                       {"public", "public", false, true},
		"gone with a folder":         {"public", "public/maps", false, true},
		"there":                      {"public", "public/maps/all", true, false},
		"elsewhere":                  {"public", "out/maps", false, false},
		"no publish directory":       {"", "out/maps", false, false},
		"a name that begins like it": {"public", "public2", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			o := Options{Dir: filepath.Join(top, tt.dir), Base: "https://example.com/"}
			if tt.publish != "" {
				o.Publish = filepath.Join(top, tt.publish)
			}
			if tt.there {
				if err := os.Mkdir(o.Publish, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			var e sitemap.Entry
			e.Loc = "https://example.com/"
			_, err := Write(t.Context(), slice{e}, o)
			if errors.Is(err, fs.ErrNotExist) != tt.fails || err != nil && !tt.fails {
				t.Errorf("got %v", err)
			}
			if _, err := os.Stat(filepath.Join(top, "public")); errors.Is(err, fs.ErrNotExist) == tt.there {
				t.Errorf("the publish directory: %v", err)
			}
			if _, err := os.Stat(filepath.Join(o.Dir, "sitemap.xml")); errors.Is(err, fs.ErrNotExist) != tt.fails {
				t.Errorf("the sitemap: %v", err)
			}
		})
	}
}
