package writer

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Whatever a killed run left is removed, however old it is and whatever process has
// its number now: in the output folder, and where robots.txt and the key are.
func TestWriteClearsItsFolders(t *testing.T) {
	dir := t.TempDir()
	left := []string{".sitewalk-1-x.tmp", "sub/.sitewalk-1-y.tmp", "sub/maps/.sitewalk-z.tmp", "sub/people/.sitewalk-z.tmp"}
	for _, name := range left {
		put(t, filepath.Join(dir, name), "half")
	}
	write(t, site(""), Options{Dir: filepath.Join(dir, "sub"), Publish: dir, Name: "maps/sitemap.xml", Page: "people/all.html", Robots: true})
	for _, name := range left {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is left", name)
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
