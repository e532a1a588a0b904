package frontmatter

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"testing/iotest"

	"github.com/sitewalk/sitewalk/page"
)

// FuzzRead checks that Read does not panic and that findings are inside the file. The result must
// not depend on the sizes of reads.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.*")
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src, file)
	}
	f.Fuzz(func(t *testing.T, src []byte, name string) {
		o := optionsOf(name)
		var got page.Facts
		r := NewReader(o)
		ok, err := r.Read(bytes.NewReader(src), name, &got)
		if err != nil {
			t.Fatal(err)
		}
		lines := 1
		for _, b := range []string{"\n", "\r", "\u0085", "\u2028", "\u2029"} { // YAML 1.1 ends lines with each of these
			lines += bytes.Count(src, []byte(b))
		}
		for _, d := range got.Diags {
			if d.Pos.Line < 1 || d.Pos.Line > lines || d.Pos.File != "" {
				t.Errorf("a file of %d lines has the finding %v", lines, d)
			}
		}
		var again page.Facts
		okAgain, err := NewReader(o).Read(iotest.HalfReader(bytes.NewReader(src)), name, &again)
		if err != nil || ok != okAgain || !reflect.DeepEqual(got, again) {
			t.Errorf("read at once\n%v %s\nread in pieces\n%v %s %v", ok, show(got), okAgain, show(again), err)
		}
	})
}
