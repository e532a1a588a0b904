package engine

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/sitewalk/sitewalk/internal/files"
)

// maxHome is the maximum number of bytes searched in a home page.
const maxHome = 1 << 20

// names reports whether a home page refers to the sitemap file of another tool, for example
// with <link rel="sitemap">. It searches the home page of the publish directory and the one in
// the folder of the sitemap. With --from, names returns true for every file, because the user
// may read URLs from the sitemap. An unreadable home page counts as a reference.
func (b *Build) names(publish, file string) bool {
	if b.Settings.From != "" {
		return true
	}
	for _, dir := range []string{".", path.Dir(file)} {
		home := filepath.Join(publish, filepath.FromSlash(dir), "index.html")
		text, err := files.Begin(home, maxHome)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || bytes.Contains(text, []byte(file)) || dir == path.Dir(file) && beside(text, path.Base(file)) {
			return true
		}
	}
	return false
}

// beside reports whether a page has an attribute that refers to a file in the folder of the
// page.
func beside(text []byte, name string) bool {
	for _, before := range []string{`"`, `'`, "=", "./"} {
		if bytes.Contains(text, []byte(before+name)) {
			return true
		}
	}
	return false
}
