package gensite

import (
	"bytes"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	site := Site{Pages: 300, Seed: 1}
	if err := site.Write(dir); err != nil {
		t.Fatal(err)
	}
	var pages, folders int
	sum := fnv.New64a()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			folders++
		case d.Name() == "index.html":
			pages++
			data, err := os.ReadFile(path)
			sum.Write(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages != 300 {
		t.Errorf("got %d pages, want 300", pages)
	}
	if folders < 330 || folders > 350 {
		t.Errorf("got %d folders, want about 1.15 a page", folders)
	}
	// Measurements compare with earlier ones only as long as this stays.
	if want := uint64(0x34a07ca86ac8b486); sum.Sum64() != want {
		t.Errorf("the pages have the sum %#x, want %#x", sum.Sum64(), want)
	}
}

func TestPage(t *testing.T) {
	site := Site{Pages: 1000, Seed: 1}
	kinds := map[Kind]int{}
	seen := map[string]bool{}
	for i := range site.Pages {
		p := site.Page(i)
		kinds[p.Kind]++
		if seen[p.Path()] {
			t.Errorf("page %d has the path %q of another one", i, p.Path())
		}
		seen[p.Path()] = true
		if p.Kind == Redirect && (site.Page(i-1).Kind != Plain || site.Page(i-1).Dir != p.Target) {
			t.Errorf("page %d redirects to %q, which is not the plain page before it", i, p.Target)
		}
		html := site.AppendHTML(nil, p)
		if head := bytes.Index(html, []byte("</head>")); p.Kind != Redirect && (len(html) != 12000 || head < 4980 || head > 5000) {
			t.Errorf("page %d has %d bytes and a head of %d", i, len(html), head)
		}
		if got := bytes.Contains(html, []byte("noindex")); got != (p.Kind == NoIndex) {
			t.Errorf("page %d says noindex: %v", i, got)
		}
	}
	if kinds[NoIndex] != 50 || kinds[Redirect] != 30 {
		t.Errorf("got %d noindex pages and %d redirects, want 50 and 30", kinds[NoIndex], kinds[Redirect])
	}
}

func TestWriteContent(t *testing.T) {
	dir := t.TempDir()
	site := Site{Pages: 100, Seed: 1}
	if err := site.WriteContent(dir); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, site.Page(10).ContentPath()))
	if err != nil {
		t.Fatal(err)
	}
	if alias := "aliases: [/" + site.Page(11).Dir + "/]\n"; !strings.Contains(string(data), alias) {
		t.Errorf("the source of page 10 lacks %q", alias)
	}
}
