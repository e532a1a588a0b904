package writer

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	for _, step := range []struct {
		text    string
		changed bool
	}{{"one", true}, {"one", false}, {"one and", true}, {"one", true}, {"", true}, {"", false}, {strings.Repeat("x", 1<<20), true}} {
		changed, err := replace(name, []byte(step.text))
		if err != nil || changed != step.changed {
			t.Errorf("%.10q: changed %v, %v", step.text, changed, err)
		}
		if got := tree(t, dir); got["a"] != step.text || len(got) != 1 {
			t.Errorf("%.10q: files %v", step.text, namesIn(got))
		}
	}
	if _, err := replace(filepath.Join(dir, "none", "a"), nil); err == nil {
		t.Error("a file was written in a folder that is not there")
	}
	if _, err := replace(dir, nil); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("a directory was replaced: %v", err)
	}
}

func TestReplaceFollowsLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("windows lets not everyone make links")
	}
	dir := t.TempDir()
	put(t, filepath.Join(dir, "cache", "a"), "old")
	for _, name := range []string{"a", "b"} { // nothing is at b yet
		link := filepath.Join(dir, name)
		if err := os.Symlink(filepath.Join("cache", name), link); err != nil {
			t.Fatal(err)
		}
		if _, err := replace(link, []byte("new")); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("the link %s is gone", name)
		}
		if got := tree(t, filepath.Join(dir, "cache"))[name]; got != "new" {
			t.Errorf("the target of %s holds %q", name, got)
		}
	}
}

// No output leaves the folder, and no device or pipe is opened.
func TestWriteStaysInside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("windows lets not everyone make links")
	}
	out, dir := t.TempDir(), t.TempDir()
	put(t, filepath.Join(out, "sitemap.xml"), "mine")
	link := func(to, name string) {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link(out, "maps")
	o := Options{Dir: dir, Base: base, Name: "maps/sitemap.xml"}
	if _, err := Write(t.Context(), site(""), o); err == nil {
		t.Error("a file was written through a link to another folder")
	}
	link(filepath.Join(out, "sitemap.xml"), "sitemap.xml")
	link(filepath.Join(out, "robots.txt"), "robots.txt")
	r := write(t, site(""), Options{Dir: dir, Robots: true})
	if len(r.Diags) != 2 {
		t.Errorf("findings %v, want one for the sitemap and one for robots.txt", r.Diags)
	}
	got := tree(t, out)
	if got["sitemap.xml"] != "mine" || len(got) != 1 {
		t.Errorf("outside the folder: %v", got)
	}
	if info, err := os.Lstat(filepath.Join(dir, "sitemap.xml")); err != nil || !info.Mode().IsRegular() {
		t.Error("the sitemap is still a link")
	}
}

func TestTransaction(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	put(t, name, "old")
	var tx Transaction
	if err := tx.File(t.Context(), name, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, dir); got["a"] != "old" {
		t.Errorf("a drafted file is in its place: %v", got)
	}
	if err := tx.Commit(); err != nil {
		t.Error(err)
	}
	tx.Close()
	if err := tx.File(t.Context(), name, []byte("newest")); err != nil {
		t.Fatal(err)
	}
	tx.Close()
	if got := tree(t, dir); got["a"] != "new" || len(got) != 1 {
		t.Errorf("files %v", got)
	}
}

// replace is Replace, and reports whether it touched the file.
func replace(path string, data []byte) (changed bool, err error) {
	before, _ := os.Stat(path)
	err = Replace(path, data)
	after, _ := os.Stat(path)
	return before == nil || after != nil && !AsLeft(before, after), err
}
