package testsite

import (
	"bytes"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	SpeedUp()
	m.Run()
}

func TestWriteIsReproducible(t *testing.T) {
	dir := t.TempDir()
	site := SyntheticSite{Pages: 300, Seed: 1}
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
	// The expected values must not change, because benchmarks are compared with earlier ones.
	if want := uint64(0x34a07ca86ac8b486); sum.Sum64() != want {
		t.Errorf("the pages have the sum %#x, want %#x", sum.Sum64(), want)
	}
}

func TestPagesHaveUniquePaths(t *testing.T) {
	site := SyntheticSite{Pages: 1000, Seed: 1}
	kinds := map[PageKind]int{}
	seen := map[string]bool{}
	for i := range site.Pages {
		p := site.Page(i)
		kinds[p.Kind]++
		if seen[p.Path()] {
			t.Errorf("page %d has the path %q of another one", i, p.Path())
		}
		seen[p.Path()] = true
		if p.Kind == Redirect && (site.Page(i-1).Kind != Plain || site.Page(i-1).Dir+"/" != p.Target) {
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
	site := SyntheticSite{Pages: 100, Seed: 1}
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

// TestSharesMatchPages checks that a site has exactly the properties that its Shares describe.
func TestSharesMatchPages(t *testing.T) {
	site := SyntheticSite{Pages: 4000, Shares: Standard}
	site.Shares.Languages, site.Shares.Dangling = 4, 10
	got := map[string]int{}
	paths := map[string]bool{}
	for i := range site.Pages {
		p := site.Page(i)
		paths[p.Path()] = true
		text := site.AppendHTML(nil, p)
		head := bytes.Index(text, []byte("</head>"))
		for what, so := range map[string]bool{
			"beside":             p.Beside,
			"copies":             p.Kind == Copy,
			"assets":             site.hasAsset(i),
			"four and x-default": len(p.Alternates) == 5,
			"dangling":           len(p.Alternates) == 6,
			"x-default":          bytes.Contains(text, []byte(`"x-default"`)),
			"small heads":        p.Kind != Redirect && head < 2990,
			"large heads":        head > 15990,
			"heads beyond":       head > 40_000,
		} {
			if so {
				got[what]++
			}
		}
	}
	// Of 1,000 subjects in four languages, 900 are plain and link to translations. The first
	// subjects are all in their own folders.
	want := map[string]int{
		"beside": 1188, "copies": 80, "assets": 1320, "four and x-default": 3240, "dangling": 360,
		"x-default": 3240, "small heads": 390, "large heads": 80,
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if len(paths) != site.Pages {
		t.Errorf("%d pages have %d paths", site.Pages, len(paths))
	}
}

// TestAlternatesLinkBack checks that translations link to each other, and that dangling links have
// no target.
func TestAlternatesLinkBack(t *testing.T) {
	site := SyntheticSite{Pages: 4000, Shares: Shares{Languages: 4, Dangling: 10}}
	named := map[string]map[string]bool{}
	for i := range site.Pages {
		p := site.Page(i)
		named[p.loc] = map[string]bool{}
		for _, a := range p.Alternates {
			named[p.loc][a.Path] = true
		}
	}
	for loc, alternates := range named {
		back := 0
		for to := range alternates {
			if named[to][loc] {
				back++
			}
		}
		switch len(alternates) {
		case 0: // out
		case 4:
			if back != 4 {
				t.Errorf("of the translations of %s %d name it, want 4", loc, back)
			}
		default:
			if back != 1 {
				t.Errorf("of the translations of %s %d name it, want itself alone", loc, back)
			}
		}
	}
}
