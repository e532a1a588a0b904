package writer

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestWriteRemovesTemporaryFiles checks that Write removes the temporary files of a killed run in
// all folders that it writes to.
func TestWriteRemovesTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	temporary := []string{".sitewalk-1-x.tmp", "sub/.sitewalk-1-y.tmp", "sub/maps/.sitewalk-z.tmp", "sub/people/.sitewalk-z.tmp"}
	for _, name := range temporary {
		writeFile(t, filepath.Join(dir, name), "half")
	}
	mustWrite(t, site(""), Options{Dir: filepath.Join(dir, "sub"), Publish: dir, Name: "maps/sitemap.xml", Page: "people/all.html", Robots: true})
	for _, name := range temporary {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			t.Errorf("got temporary file %s, want it removed", name)
		}
	}
}

// TestWriteFollowsNoLinks checks that Write changes no file behind a symbolic link.
func TestWriteFollowsNoLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("creating symbolic links needs a privilege on Windows")
	}
	out, dir := t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(out, "sitemap.xml"), "mine")
	link := func(to, name string) {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link(out, "maps")
	o := Options{Dir: dir, Base: base, Name: "maps/sitemap.xml"}
	if _, err := Write(t.Context(), site(""), o); err == nil {
		t.Error("Write into a linked folder: got no error, want one")
	}
	link(filepath.Join(out, "sitemap.xml"), "sitemap.xml")
	link(filepath.Join(out, "robots.txt"), "robots.txt")
	r := mustWrite(t, site(""), Options{Dir: dir, Robots: true})
	if len(r.Diags) != 2 {
		t.Errorf("got findings %v, want one about the sitemap and one about robots.txt", r.Diags)
	}
	got := readTree(t, out)
	if got["sitemap.xml"] != "mine" || len(got) != 1 {
		t.Errorf("files behind the links: got %v, want them unchanged", got)
	}
	if info, err := os.Lstat(filepath.Join(dir, "sitemap.xml")); err != nil || !info.Mode().IsRegular() {
		t.Error("sitemap.xml: got a symbolic link, want a regular file")
	}
}
