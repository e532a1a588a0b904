package writer

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/sitewalk/sitewalk/sitemap"
)

// TestWriteNeedsPublishDir checks that Write does not create a missing publish directory, but
// creates all other folders.
func TestWriteNeedsPublishDir(t *testing.T) {
	for name, tt := range map[string]struct {
		publish, dir string
		exists       bool // the publish directory exists
		wantErr      bool
	}{
		"missing":                             {"public", "public", false, true},
		"folder in missing publish directory": {"public", "public/maps", false, true},
		"folder in publish directory":         {"public", "public/maps/all", true, false},
		"folder outside":                      {"public", "out/maps", false, false},
		"no publish directory":                {"", "out/maps", false, false},
		"folder with the same prefix":         {"public", "public2", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			o := Options{Dir: filepath.Join(top, tt.dir), Base: "https://example.com/"}
			if tt.publish != "" {
				o.Publish = filepath.Join(top, tt.publish)
			}
			if tt.exists {
				if err := os.Mkdir(o.Publish, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			var e sitemap.Entry
			e.Loc = "https://example.com/"
			_, err := Write(t.Context(), entryList{e}, o)
			if errors.Is(err, fs.ErrNotExist) != tt.wantErr || err != nil && !tt.wantErr {
				t.Errorf("Write: got error %v, want fs.ErrNotExist: %v", err, tt.wantErr)
			}
			if _, err := os.Stat(filepath.Join(top, "public")); errors.Is(err, fs.ErrNotExist) == tt.exists {
				t.Errorf("publish directory: got error %v, want it to exist: %v", err, tt.exists)
			}
			if _, err := os.Stat(filepath.Join(o.Dir, "sitemap.xml")); errors.Is(err, fs.ErrNotExist) != tt.wantErr {
				t.Errorf("sitemap: got error %v, want it to exist: %v", err, !tt.wantErr)
			}
		})
	}
}
