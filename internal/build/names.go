package build

import (
	"bytes"
	"io"
	"os"
	"path"
	"path/filepath"
)

// maxHome is how much of a home page is searched.
const maxHome = 1 << 20

// names reports whether the home page of the site, or of the folder of a
// sitemap, speaks of a sitemap by its file name: as a <link rel="sitemap"> of the
// layout would, and any other link. Nothing is read unless another tool left one.
func (b *Build) names(file string) bool {
	for _, dir := range []string{".", path.Dir(file)} {
		home := filepath.Join(b.Settings.Writer.Publish, filepath.FromSlash(dir), "index.html")
		f, err := os.Open(home)
		if err != nil {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(f, maxHome))
		_ = f.Close()
		if err != nil || bytes.Contains(text, []byte(path.Base(file))) {
			return true
		}
	}
	return false
}
