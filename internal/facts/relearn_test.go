package facts

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/walker"
)

// TestRelearnEqualsLearn changes a site at random and compares the result of Relearn with that of
// Learn. Some changes affect so many files that Relearn walks the tree. The earlier set does not
// change.
func TestRelearnEqualsLearn(t *testing.T) {
	for seed := range uint64(testsite.Repeat(4, 64)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			e := &editor{rnd: rand.New(rand.NewPCG(seed, 1)), pages: fstest.MapFS{}, content: fstest.MapFS{}}
			e.edit(40)
			if seed%4 == 0 {
				e.writeMany(2 * manyPaths)
			}
			o := e.options(t)
			set := learned(t, o)
			for round := range 8 {
				c := e.edit(1 + e.rnd.IntN(5))
				if seed%4 == 0 && round%2 == 0 {
					c.Pages = append(c.Pages, e.writeMany(manyPaths+e.rnd.IntN(manyPaths))...)
				}
				before := valueOf(set)
				next, err := set.Relearn(t.Context(), c)
				if err != nil {
					t.Fatal(err)
				}
				if now := valueOf(set); !reflect.DeepEqual(now, before) {
					t.Fatalf("round %d: the set before was\n%+v\nand is\n%+v", round, before, now)
				}
				if got, want := valueOf(next), valueOf(learned(t, o)); !reflect.DeepEqual(got, want) {
					t.Fatalf("round %d, %d changes: again\n%+v\nfresh\n%+v", round, len(c.Pages)+len(c.Content), got, want)
				}
				set = next
			}
		})
	}
}

// TestRelearnForgetsListing checks that Relearn drops the finding about a broken link after the link
// was fixed. It does so in a tree with a name and in the working directory.
func TestRelearnForgetsListing(t *testing.T) {
	for _, name := range []string{"", ".", "public"} {
		dir := t.TempDir()
		if err := os.Symlink("nothing.html", filepath.Join(dir, "link.html")); err != nil {
			t.Skip(err)
		}
		o := (&editor{}).options(t)
		o.Content = nil
		o.Pages = &Tree{Files: walker.Dir(dir), Filter: o.Pages.Filter, Name: name, Dir: dir}
		set := learned(t, o)
		before := len(set.PageListing)
		if err := os.WriteFile(filepath.Join(dir, "nothing.html"), []byte("<title>Now</title>"), 0o644); err != nil {
			t.Fatal(err)
		}
		set, err := set.Relearn(t.Context(), Change{Pages: []string{"link.html", "nothing.html"}})
		if err != nil {
			t.Fatal(err)
		}
		if before != 1 || len(set.PageListing) != 0 {
			t.Errorf("tree %q: %d findings, then %v", name, before, set.PageListing)
		}
	}
}

// TestRelearnKeepsListing checks that reading content in the working directory again keeps the
// findings about a built site in a folder below.
func TestRelearnKeepsListing(t *testing.T) {
	dir := t.TempDir()
	public := filepath.Join(dir, "public")
	if err := os.Mkdir(public, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nothing.html", filepath.Join(public, "link.html")); err != nil {
		t.Skip(err)
	}
	o := (&editor{}).options(t)
	o.Pages = &Tree{Files: walker.Dir(public), Filter: o.Pages.Filter, Name: "public", Dir: public}
	content, err := walker.NewFilter([]string{"**/*.md"}, []string{"public"})
	if err != nil {
		t.Fatal(err)
	}
	o.Content = &Tree{Files: walker.Dir(dir), Filter: content, Dir: dir}
	set := learned(t, o)
	again, err := set.Relearn(t.Context(), Change{Content: []string{"."}})
	if err != nil {
		t.Fatal(err)
	}
	if got := again.PageListing; len(got) != 1 || len(set.PageListing) != 1 {
		t.Errorf("%d findings, then %v", len(set.PageListing), got)
	}
}

func learned(t *testing.T, o Options) *Set {
	t.Helper()
	set, err := Learn(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// A setValue contains all facts and findings of a Set by value.
type setValue struct {
	Pages    []Page
	Contents []Content
	Listing  diag.List
	Kinds    []diag.Kind
}

func valueOf(s *Set) (out setValue) {
	for _, p := range s.Pages {
		out.Pages = append(out.Pages, *p)
	}
	for _, c := range s.Contents {
		out.Contents = append(out.Contents, *c)
	}
	out.Listing = slices.Concat(s.ContentListing, s.PageListing)
	out.Kinds = s.Findings.Kinds()
	return out
}

// An editor makes random changes to a site in memory.
type editor struct {
	rnd            *rand.Rand
	pages, content fstest.MapFS
}

func (e *editor) options(t *testing.T) Options {
	base, err := mapping.ParseBase("https://example.com/")
	if err != nil {
		t.Fatal(err)
	}
	html, err := walker.NewFilter(walker.HTMLFiles, nil)
	if err != nil {
		t.Fatal(err)
	}
	source, err := walker.NewFilter(walker.ContentFiles, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Base: base, Remember: true, MaxKept: -1,
		Pages:   &Tree{Files: walker.FS(e.pages), Filter: html, Name: "public"},
		Content: &Tree{Files: walker.FS(e.content), Filter: source, Name: "content"},
	}
	o.Page.Alternates, o.Page.Titles, o.Page.Images, o.Page.ContentHash = true, true, true, true
	return o
}

// edit makes n random changes and returns the changed paths.
func (e *editor) edit(n int) (c Change) {
	pick := func(some ...string) string { return some[e.rnd.IntN(len(some))] }
	for range n {
		name := pick("a", "b", "c") + "/" + pick("x", "y", "z")
		fsys, paths := e.pages, &c.Pages
		file := name + pick(".html", "/index.html", ".txt")
		text := "<!doctype html><html lang=en><title>" + pick("t", "&#1;u") + "</title>" + pick(
			"", "<meta name=robots content=noindex>", `<link rel=canonical href="`+pick("/a/x/", "file:///x", "http://localhost/a/x")+`">`,
			`<link rel=alternate hreflang=de href="/b/y/">`, `<meta property="og:image" content="/i.png">`,
			`<meta property="article:modified_time" content="`+pick("2024-05-01", "yesterday")+`">`,
		) + "<p>x" + pick("1", "2")
		if e.rnd.IntN(3) == 0 {
			fsys, paths, file = e.content, &c.Content, name+".md"
			text = "---\n" + pick("lastmod: 2023-02-01", "draft: true", "date: yesterday", "title: t", "slug: x", "url: https://elsewhere.org/") + "\n---\ntext\n"
		}
		if *paths = append(*paths, file); e.rnd.IntN(3) == 0 {
			delete(fsys, file)
			continue
		}
		fsys[file] = &fstest.MapFile{Data: []byte(text)}
	}
	return c
}

// writeMany writes n small pages and returns their paths.
func (e *editor) writeMany(n int) (paths []string) {
	for i := range n {
		file := fmt.Sprintf("%d/%d.html", i%30, i)
		e.pages[file] = &fstest.MapFile{Data: []byte("<title>" + fmt.Sprint(e.rnd.IntN(100)) + "</title>")}
		paths = append(paths, file)
	}
	return paths
}

// A foldingFS is a file system that finds a file by its name in any case, as macOS and Windows do.
type foldingFS struct {
	fs.FS
	files fstest.MapFS
}

func (f foldingFS) Open(name string) (fs.File, error) {
	for file := range f.files {
		if strings.EqualFold(file, name) {
			name = file
		}
	}
	return f.FS.Open(name)
}

// TestRelearnFindsOtherCase renames files so that only the case of their names changes.
func TestRelearnFindsOtherCase(t *testing.T) {
	e := &editor{pages: fstest.MapFS{}, content: fstest.MapFS{}}
	e.pages["a.html"] = &fstest.MapFile{Data: []byte("<title>A</title>")}
	e.content["a.md"] = &fstest.MapFile{Data: []byte("a")}
	o := e.options(t)
	o.Pages.Files, o.Content.Files = walker.FS(foldingFS{e.pages, e.pages}), walker.FS(foldingFS{e.content, e.content})
	set := learned(t, o)
	e.pages["A.html"], e.content["A.md"] = e.pages["a.html"], e.content["a.md"]
	delete(e.pages, "a.html")
	delete(e.content, "a.md")
	set, err := set.Relearn(t.Context(), Change{Pages: []string{"a.html", "A.html"}, Content: []string{"A.md", "a.md"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Pages) != 1 || set.Pages[0].File != "A.html" || len(set.Contents) != 1 || set.Contents[0].File != "A.md" {
		t.Errorf("%+v", valueOf(set))
	}
}
