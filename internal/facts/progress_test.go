package facts

import (
	"testing"
	"testing/fstest"
	"testing/synctest"

	"github.com/sitewalk/sitewalk/walker"
)

// Its walk finds the total alone: the one that reads tells of the files that are no pages.
func TestProgressFindsTheTotal(t *testing.T) {
	tree := &Tree{Files: walker.FS(fstest.MapFS{"index.html": {}, "a/b.html": {}, "a/c.css": {}, "d.html": {}})}
	synctest.Test(t, func(t *testing.T) {
		var files, total int
		o := Options{Progress: func(f, n int) { files, total = f, n }}
		p, end := o.newProgress(t.Context(), tree, walker.Options{Jobs: 1})
		p.findTotal(t.Context(), tree, walker.Options{})
		for range progressStep {
			p.done()
		}
		if end(); files != progressStep || total != 3 {
			t.Errorf("%d files of %d, want %d of 3", files, total, progressStep)
		}
	})
}
