package generator

import (
	"fmt"
	"io/fs"
	"strings"
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

// TestDetectFoldersFindsBrowserDir checks that the site of a JavaScript framework is found below a
// common publish folder, and that other folders below it are left alone.
func TestDetectFoldersFindsBrowserDir(t *testing.T) {
	for _, test := range []struct {
		name, files, want string
	}{
		{"react router", "build/client/index.html build/client/a/index.html build/server/index.js", "build/client"},
		{"tanstack start", "dist/client/index.html dist/server/server.js", "dist/client"},
		{"angular", "dist/shop/browser/index.html dist/shop/3rdpartylicenses.txt dist/shop/server/index.server.html", "dist/shop/browser"},
		{"angular without a name", "dist/browser/index.html", "dist/browser"},
		{"two applications", "dist/a/browser/index.html dist/b/browser/index.html", "dist"},
		{"home page above", "dist/index.html dist/client/index.html", "dist"},
		{"page above", "dist/404.html dist/client/index.html", "dist"},
		{"pages beside", "dist/client/index.html dist/server/index.html dist/docs/a.html", "dist"},
		{"no home page", "dist/client/a.html", "dist"},
		{"another name", "dist/docs/index.html", "dist"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fsys := fstest.MapFS{}
			for name := range strings.FieldsSeq(test.files) {
				fsys[name] = &fstest.MapFile{}
			}
			all := DetectFolders(fsys)
			if len(all) != 1 || len(all[0].Publish) != 1 || all[0].Publish[0] != test.want || all[0].Settings[0].Value != test.want {
				t.Errorf("found %+v, want %s", all, test.want)
			}
		})
	}
}
