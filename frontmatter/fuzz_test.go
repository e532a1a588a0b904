package frontmatter

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"testing/iotest"
)

// FuzzRead holds that no input breaks the reader, that findings lie inside the
// file, and that it does not matter in which pieces a file is read.
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
		got, ok := read(string(src), name, o)
		lines := 1 + bytes.Count(src, []byte("\n"))
		for _, d := range got.Diags {
			if d.Pos.Line < 1 || d.Pos.Line > lines || d.Pos.File != "" {
				t.Errorf("a file of %d lines has the finding %v", lines, d)
			}
		}
		again, okAgain, err := Read(iotest.HalfReader(bytes.NewReader(src)), name, o)
		if err != nil || ok != okAgain || !reflect.DeepEqual(got, again) {
			t.Errorf("read at once\n%v %s\nread in pieces\n%v %s %v", ok, show(got), okAgain, show(again), err)
		}
	})
}
