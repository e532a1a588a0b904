package site

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/walker"
)

func TestVersionNames(t *testing.T) {
	for name, want := range map[string]bool{
		"1": true, "2.6": true, "2.6.0": true, "v1": true, "v0.5": true, "V2": true, "v1.2.3": true, "3.x": true, "2.1rc1": true, "v2.0a1": true,
		"1.0.0-beta.2": true, "release-0.9": true, "rust-1.29.0": false, "page-2": false, "h-1": false, "1.2.3+meta": true, "0.1-SNAPSHOT": true, "2024": true, "2024-01": true, "1_2": true,
		"v": false, "a1": false, "1a2b": false, "1st-steps": false, "version": false, "2d-games": false, "3d": false, "404": true, "": false,
		"2.8-lts": true, "1.0-incubating": true, "1.2-35-gabc": true, "5.3-release-process": false, "3.16-announcement": false, "v3-migration": false, "10-5-things": false,
		"release-1": true, "release-": false, "Release-v2": true, "1.0-" + strings.Repeat("1", 40): true,
	} {
		if kind, _ := parseVersionName(name); (kind != unnumbered) != want {
			t.Errorf("%q: %v", name, kind)
		}
		if IsVersionName(name) && !mayBeVersionName(name) {
			t.Errorf("%q is a version, but may not be one", name)
		}
	}
	sorted := []string{"v0.2", "v0.10", "v1.0.0-beta.2", "v1.0.0", "1.2", "1.2.1", "1.x", "2.1rc1", "2.1"}
	if got := slices.SortedFunc(slices.Values([]string{"2.1", "1.x", "v0.10", "1.2.1", "v1.0.0", "v0.2", "v1.0.0-beta.2", "2.1rc1", "1.2"}), func(a, b string) int { return newVersionFolder(a).compareAge(newVersionFolder(b)) }); !slices.Equal(got, sorted) {
		t.Errorf("sorted %v", got)
	}
}

func TestFindVersionSets(t *testing.T) {
	none := func(string) []string { return nil }
	for _, c := range []struct {
		name, pages string
		named       func(string) []string
		want        string
	}{
		{"mike", "1.0/a.html 1.0/index.html 2.0/a.html 2.0/index.html index.html latest/a.html latest/index.html", none, ":2.0,1.0,latest"},
		{"below a language", "en/stable/index.html en/v1.0/index.html", none, "en:v1.0,stable"},
		{"antora", "comp/1.0/index.html comp/2.0/index.html index.html other/3.0/index.html other/3.1/index.html", none, "comp:2.0,1.0 other:3.1,3.0"},
		{"the folder above is one", "docs/1.0/a.html docs/1.0/index.html docs/a.html docs/index.html docs/next/a.html", none, "docs+:1.0,next"},
		{"titles", "100-for-all/index.html 2018-the-year/index.html 9-lives-2019/index.html stable/index.html", none, ""},
		{"words before the numbers", "index.html release-0.9/index.html release-0.11/index.html stable/index.html", none, ":release-0.11,release-0.9,stable"},
		{"words before a number", "release-1/index.html release-2/index.html", none, ":release-2,release-1"},
		{"articles about releases", "posts/python-3.11/index.html posts/python-3.12/index.html", none, ""},
		{"articles named after releases", "blog/3.15-announcement/index.html blog/3.16-announcement/index.html", none, ""},
		{"notes on a release", "0.8.0/index.html 0.9.0/index.html release-notes-0.8.0/index.html", none, ":0.9.0,0.8.0"},
		{"a guide beside versions", "v1.0/index.html v2.0/index.html migrate-3.0/index.html", none, ":v2.0,v1.0"},
		{"the next version alone", "docs/a.html docs/index.html docs/next/a.html docs/next/index.html", none, "docs+:next"},
		{"a product with such a name", "product/a.html product/index.html product/edge/a.html product/edge/index.html", none, ""},
		{"far below", "a/b/c/d/1.0/index.html a/b/c/d/1.1/index.html", none, "a/b/c/d:1.1,1.0"},
		{"years", "2023/index.html 2024/index.html index.html", none, ""},
		{"years beside a version", "2023/05/a/index.html 2024/06/b/index.html a.html b.html v2/a.html v2/b.html", none, "+:v2"},
		{"months", "2024/01/index.html 2024/02/index.html", none, ""},
		{"pages of a list", "blog/page/2/index.html blog/page/3/index.html", none, ""},
		{"nothing in common", "1.0/a.html 2.0/b.html", none, ""},
		{"one alone", "1.0/index.html index2.html", none, ""},
		{"moving names alone", "dev/index.html main/index.html", none, ""},
		{"moving names of which one is published", "latest/index.html stable/index.html", none, ":stable,latest"},
		{"numbers with latest", "1/index.html 2/index.html latest/index.html", none, ":2,1,latest"},
		{"a manifest", "blue/index.html green/index.html", func(parent string) []string {
			if parent == "" {
				return []string{"blue", "green"}
			}
			return nil
		}, ":green,blue"},
		{"versions in versions", "1.0/2.0/index.html 1.0/index.html 1.1/2.0/index.html 1.1/index.html", none, ":1.1,1.0"},
	} {
		pages := strings.Fields(c.pages)
		slices.Sort(pages)
		var got []string
		for _, s := range findVersionSets(slices.Values(pages), slices.Values(pages), c.named) {
			var names []string
			for _, f := range s.Folders {
				names = append(names, f.Name)
			}
			own := ""
			if s.ParentIsVersion {
				own = "+"
			}
			got = append(got, fmt.Sprintf("%s%s:%s", s.Parent, own, strings.Join(names, ",")))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: got %q, want %q", c.name, s, c.want)
		}
	}
}

// A countingFS counts the files that are opened.
type countingFS struct {
	fstest.MapFS
	opened *atomic.Int32
}

func (f countingFS) Open(name string) (fs.File, error) {
	f.opened.Add(1)
	return f.MapFS.Open(name)
}

// versionsOf returns the versions of a site in memory, and the number of files opened to find them. files
// maps the path of each file to its content.
func versionsOf(t *testing.T, files map[string]string) (sets []*VersionSet, opened int) {
	t.Helper()
	site := countingFS{fstest.MapFS{}, new(atomic.Int32)}
	for file, text := range files {
		site.MapFS[file] = &fstest.MapFile{Data: []byte(text)}
	}
	base, _ := mapping.ParseBase("https://example.com/")
	filter, err := walker.NewFilter(walker.HTMLFiles, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Options: facts.Options{Base: base, Pages: &facts.Tree{Files: walker.FS(site), Filter: filter}}}
	learned, err := facts.Learn(t.Context(), o.FactsOptions())
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(learned, o)
	site.opened.Store(0)
	w.findVersions(t.Context())
	return w.Versions, int(site.opened.Load())
}

// TestManyVersions checks that the number of files opened is proportional to the number of version
// sets.
func TestManyVersions(t *testing.T) {
	const n = 1000
	manifest := make([]string, n/2)
	for i := range manifest {
		manifest[i] = fmt.Sprintf(`{"version": "0.%d"}`, i)
	}
	for name, tt := range map[string]struct {
		file        func(i int) string
		sets        int
		defaultName string
	}{
		"folders": {func(i int) string { return fmt.Sprintf("0.%d/index.html", i) }, 1, "0.999"},
		"groups":  {func(i int) string { return fmt.Sprintf("g%d/%d.0/index.html", i/5, i%5) }, n / 5, "4.0"},
	} {
		files := map[string]string{"versions.json": "[" + strings.Join(manifest, ",") + "]"}
		for i := range n {
			files[tt.file(i)] = "<title>a"
		}
		sets, opened := versionsOf(t, files)
		if len(sets) != tt.sets || sets[0].Default != tt.defaultName {
			t.Errorf("%s: %d sets, default %q", name, len(sets), sets[0].Default)
		}
		if opened > n+5*(tt.sets+1) { // each home page once
			t.Errorf("%s: %d files opened for %d sets", name, opened, tt.sets)
		}
	}
}

// TestReadsFewManifests checks that a manifest is read only in folders whose subfolders have
// unambiguous names of versions.
func TestReadsFewManifests(t *testing.T) {
	pages := []string{"a/page/2/index.html", "a/page/3/index.html", "b/2023/index.html", "b/2024/index.html", "c/v1/index.html", "c/v2/index.html"}
	var asked []string
	findVersionSets(slices.Values(pages), slices.Values(pages), func(parent string) []string { asked = append(asked, parent); return nil })
	if want := []string{"", "c"}; !slices.Equal(asked, want) {
		t.Errorf("asked for %q, want %q", asked, want)
	}
}

func BenchmarkFindVersionSets(b *testing.B) {
	var pages []string
	for tag := range 5000 {
		pages = append(pages, fmt.Sprintf("tags/t%04d/index.html", tag), fmt.Sprintf("tags/t%04d/page/2/index.html", tag), fmt.Sprintf("tags/t%04d/page/3/index.html", tag))
	}
	for b.Loop() {
		findVersionSets(slices.Values(pages), slices.Values(pages), func(string) []string { return nil })
	}
}

func TestIsPreview(t *testing.T) {
	for page, want := range map[string]string{
		"previews/PR12/index.html": "previews/PR12", "previews/PR12/a/b.html": "previews/PR12", "docs/pr-preview/pr-3/index.html": "docs/pr-preview/pr-3",
		"previews/index.html": "", "previews/PR12.html": "", "previews/pruning/index.html": "", "a/b.html": "",
	} {
		if got := previewFolder(page); got != want {
			t.Errorf("%s: %q", page, got)
		}
	}
}

func TestFindVersions(t *testing.T) {
	for _, c := range []struct {
		name               string
		files              map[string]string
		defaultName, alias string // the name of the default version, and each name that is an alias of another
	}{
		{"the highest release", map[string]string{"1.0/index.html": "a", "2.0/index.html": "b", "3.0-rc1/index.html": "c"}, "2.0", ""},
		{"what is called stable", map[string]string{"2.0/index.html": "b", "stable/index.html": "s"}, "stable", ""},
		{"where the site leads", map[string]string{"index.html": "<meta http-equiv=refresh content='0; url=./1.0/'>", "1.0/index.html": "a", "2.0/index.html": "b"}, "1.0", ""},
		{"mike's manifest", map[string]string{"versions.json": `[{"version": "blue", "aliases": ["live"]}]`, "blue/index.html": "a", "live/index.html": "b"}, "live", ""},
		{"a copy", map[string]string{"1.0/index.html": "a", "2.0/index.html": "b", "latest/index.html": "b"}, "2.0", "latest=2.0"},
		{"a copy that pages name", map[string]string{
			"1.0/index.html": "a", "2.0/index.html": canonical("https://example.com/latest/"), "latest/index.html": canonical("https://example.com/latest/"),
		}, "latest", "2.0=latest"},
		{"a copy to which the site leads", map[string]string{"index.html": "<meta http-equiv=refresh content='0; url=latest/'>", "2.0/index.html": "b", "latest/index.html": "b"}, "latest", "2.0=latest"},
		{"a copy to which the site links", map[string]string{
			"home.html": "<title>Home</title><a href=/latest/>a</a> <a href=/latest/a/>b</a> <a href=/2.0/>c</a>", "2.0/index.html": "b", "latest/index.html": "b",
		}, "latest", "2.0=latest"},
		{"a copy with links from a folder that is called like a version", map[string]string{
			"latest/news.html": "<title>News</title><a href=/docs/latest/>a</a>", "docs/2.0/index.html": "b", "docs/latest/index.html": "b",
		}, "latest", "2.0=latest"},
		{"a copy with links to another folder", map[string]string{
			"home.html": "<title>Home</title><a href=/api/latest/>a</a> <a href=/docs/2.0/>b</a>", "docs/2.0/index.html": "b", "docs/latest/index.html": "b",
		}, "2.0", "latest=2.0"},
	} {
		for file, text := range c.files {
			if len(text) == 1 {
				c.files[file] = "<title>" + text
			}
		}
		sets, _ := versionsOf(t, c.files)
		if len(sets) != 1 {
			t.Errorf("%s: %d sets", c.name, len(sets))
			continue
		}
		var alias []string
		for _, f := range sets[0].Folders {
			if to := sets[0].listedName(f.Name); to != f.Name {
				alias = append(alias, f.Name+"="+to)
			}
		}
		if got := strings.Join(alias, " "); sets[0].Default != c.defaultName || got != c.alias {
			t.Errorf("%s: default %q, aliases %q, want %q and %q", c.name, sets[0].Default, got, c.defaultName, c.alias)
		}
	}
}

// TestRedirectsBesideVersion checks that pages that redirect into a version do not make their folder
// a version.
func TestRedirectsBesideVersion(t *testing.T) {
	files := map[string]string{}
	for _, page := range []string{"a.html", "b.html", "c.html"} {
		files[page] = "<meta http-equiv=refresh content='0; url=/v2/" + page + "'>"
		files["v2/"+page] = "<title>a"
	}
	if sets, _ := versionsOf(t, files); len(sets) != 0 {
		t.Errorf("%d sets", len(sets))
	}
}

// TestLargeVersionList has lists of versions that are larger than sitewalk reads.
func TestLargeVersionList(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat(`"x",`, maxVersionList/4)
	for name, text := range map[string]string{
		"versions.json": `[{"version":"blue","aliases":[` + long + `"x"]}]`, "versions.js": "var DOC_VERSIONS = [" + long + "];",
		"blue/index.html": "<title>a", "green/index.html": "<title>b",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	base, _ := mapping.ParseBase("https://example.com/")
	filter, err := walker.NewFilter(walker.HTMLFiles, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := known(t, Options{Options: facts.Options{Base: base, Pages: &facts.Tree{Dir: dir, Name: "public", Filter: filter, Files: walker.Dir(dir)}}, Now: noon})
	if len(w.Versions) > 0 {
		t.Error(w.Versions)
	}
	for _, file := range []string{"public/versions.json", "public/versions.js"} {
		if !slices.ContainsFunc(w.findings, func(d diag.Diagnostic) bool { return d.Code == "oversized" && d.Pos.File == file }) {
			t.Error(file, w.findings)
		}
	}
}
