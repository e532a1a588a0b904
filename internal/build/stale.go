package build

import (
	"cmp"
	"os"
	"path"
	"path/filepath"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/writer"
)

// stale reports a compressed sitemap that another tool left beside the place of
// ours, as MkDocs does: a server that looks for .gz files first would go on to
// serve it.
func (b *Build) stale() {
	for _, o := range append([]writer.Options{b.Settings.Writer}, b.Settings.Parts...) {
		name := cmp.Or(o.Name, writer.DefaultName) + ".gz"
		file := filepath.Join(o.Dir, filepath.FromSlash(name))
		if info, err := os.Lstat(file); o.Gzip != "" || err != nil || !info.Mode().IsRegular() || marked(file) {
			continue
		}
		var ds diag.List
		ds.Warnf(diag.Pos{File: filepath.ToSlash(Typed(b.o.Dir, file))}, "stale-sitemap",
			"remove it before the site is published, or let --gzip also write ours in its place",
			"it is another tool's; a server with gzip_static answers with it in place of %s", path.Base(cmp.Or(o.Name, writer.DefaultName)))
		b.Findings.Add(ds...)
	}
}
