package build

import (
	"context"
	"os"
	"path/filepath"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/list"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Last reads the sitemap that an earlier build, or another tool, has left where
// this one is to be, and the sitemaps that it names. Without one there is none.
func (b *Build) Last(ctx context.Context, each func(sitemap.Entry, diag.Pos)) error {
	o := b.Settings.Writer
	if o.Dir == "" {
		return nil
	}
	name := entryFile(o, Exists)
	if name == "" {
		return nil
	}
	return list.Read(ctx, name, list.Options{}, &diag.Report{}, func(e sitemap.Entry, pos diag.Pos) {
		pos.File = filepath.ToSlash(UserPath(b.o.Dir, pos.File))
		each(e, pos)
	})
}

// Exists reports whether there is anything at a path.
func Exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
