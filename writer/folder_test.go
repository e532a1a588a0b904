package writer

import (
	"os"
	"path/filepath"
	"testing"
	"time"
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

func TestReplaceClearsItsFolder(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, ".sitewalk-1-x.tmp"), "half")
	if err := Replace(filepath.Join(dir, "a.ledger"), nil); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, dir); len(got) != 1 {
		t.Errorf("files %v", namesIn(got))
	}
}

// Without a lock, a young temporary file may be that of a run that goes on.
func TestClearWithoutALock(t *testing.T) {
	dir := t.TempDir()
	old, young := filepath.Join(dir, ".sitewalk-a.tmp"), filepath.Join(dir, ".sitewalk-b.tmp")
	put(t, old, "half")
	put(t, young, "half")
	if err := os.Chtimes(old, time.Time{}, time.Now().Add(-2*stray)); err != nil {
		t.Fatal(err)
	}
	d, err := openFolder(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	d.token = TempPrefix + "c"
	if err := d.clear("."); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, dir); len(got) != 1 || got[".sitewalk-b.tmp"] == "" {
		t.Errorf("files %v", namesIn(got))
	}
}
