package engine

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/sitewalk/sitewalk/internal/files"
)

// maxHome is how much of a home page is searched.
const maxHome = 1 << 20

// names reports whether the home page of a publish directory, or of the folder of a
// sitemap below it, names the sitemap: in a <link rel="sitemap"> of the layout, or anywhere
// else. Nothing is read unless another tool left one. With --from it is true of
// any: the user may take URLs from that one. A home page that cannot be read may name one.
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

// beside reports whether a page has an attribute that names a file of its own
// folder.
func beside(text []byte, name string) bool {
	for _, before := range []string{`"`, `'`, "=", "./"} {
		if bytes.Contains(text, []byte(before+name)) {
			return true
		}
	}
	return false
}
