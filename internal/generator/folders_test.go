package generator

import (
	"fmt"
	"io/fs"
	"testing"
	"testing/fstest"
)

// endless is a file system in which each folder contains an endless number of files.
type endless struct{ given int }

func (e *endless) Open(name string) (fs.File, error) {
	if name != "public" {
		return nil, fs.ErrNotExist
	}
	f, err := fstest.MapFS{"a": &fstest.MapFile{}}.Open("a")
	return endlessFolder{f, e}, err
}

type endlessFolder struct {
	fs.File
	of *endless
}

func (f endlessFolder) ReadDir(n int) (list []fs.DirEntry, err error) {
	if n <= 0 {
		n = 1_000_000
	}
	for range n {
		f.of.given++
		file := fstest.MapFS{fmt.Sprint(f.of.given): &fstest.MapFile{}}
		entries, _ := file.ReadDir(".")
		list = append(list, entries...)
	}
	return list, nil
}

// TestDetectFoldersReadsFewEntries checks that DetectFolders reads only a few entries of a folder with
// a million files.
func TestDetectFoldersReadsFewEntries(t *testing.T) {
	fsys := new(endless)
	if all := DetectFolders(fsys); len(all) != 0 || fsys.given > maxEntries {
		t.Errorf("%v after %d entries", all, fsys.given)
	}
	files := fstest.MapFS{"dist/a/b/x.HTM": &fstest.MapFile{}, "build/a/b/c/x.html": &fstest.MapFile{}, "out/index.html": &fstest.MapFile{}, "site/index.html/x.css": &fstest.MapFile{}}
	var names []string
	for _, p := range DetectFolders(files) {
		names = append(names, p.Publish...)
	}
	if fmt.Sprint(names) != "[dist out]" {
		t.Errorf("the built sites are %v", names)
	}
}
