//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

const million = 1_000_000

// millionURLs are the addresses and dates of a generated site, in its order:
// eight sections, of which one page each is at the root.
func millionURLs() []entry {
	site := testsite.SyntheticSite{Pages: million, Seed: 7}
	out := make([]entry, million)
	for i := range out {
		p := site.Page(i)
		out[i] = entry{Loc: strings.TrimSuffix("https://example.internal/"+p.Dir, "/") + "/", LastMod: p.Modified.Format("2006-01-02T15:04:05Z07:00")}
	}
	return out
}

// oneFile writes all URLs as the one file that a careless generator makes.
func oneFile(t *testing.T, name string, urls []entry) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	fmt.Fprintln(w, `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, u := range urls {
		fmt.Fprintf(w, "<url><loc>%s</loc><lastmod>%s</lastmod></url>\n", u.Loc, u.LastMod)
	}
	fmt.Fprintln(w, "</urlset>")
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
}

// millionPython follows an index in the folder of its files with Python's own
// XML parser, prints what each file holds, and writes all URLs sorted.
const millionPython = `
import json, os, sys
from xml.etree.ElementTree import iterparse
ns = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
root, out = sys.argv[1:]
def items(name, tag):
    for _, e in iterparse(os.path.join(root, name)):
        if e.tag == ns + tag:
            yield e.findtext(ns + "loc"), e.findtext(ns + "lastmod")
        if e.tag in (ns + "url", ns + "sitemap"):
            e.clear()
found, files = [], {}
for loc, lastmod in items("sitemap.xml", "sitemap"):
    name = loc.rsplit("/", 1)[1]
    here = list(items(name, "url"))
    found += here
    newest = max(d for _, d in here)
    files[name] = {"urls": len(here), "bytes": os.path.getsize(os.path.join(root, name)), "newest": newest == lastmod}
found.sort()
with open(out, "w") as f:
    f.writelines(f"{l} {d}\n" for l, d in found)
print(json.dumps(files))
`

// TestMillion splits a sitemap of 1,000,000 URLs: every URL is listed once with
// its date, as an independent reader sees it, all files are within the limits,
// the index and two children are valid, and one URL more changes one child and the index.
func TestMillion(t *testing.T) {
	dir := testsite.MemoryDir(t) // a disk takes longer to write 500 MB than all else here
	urls := millionURLs()
	oneFile(t, filepath.Join(dir, "all.xml"), urls)
	build := func() {
		t.Helper()
		do(t, dir, sitewalk, "build", "--from", "all.xml", "-b", "https://example.internal/", "-o", "out", "-q", "--strict")
	}
	build()
	write(t, dir, "read.py", millionPython)
	var files map[string]struct {
		URLs, Bytes int
		Newest      bool
	}
	out := do(t, dir, "/usr/bin/python3", "read.py", "out", "found.txt")
	if err := json.Unmarshal([]byte(out), &files); err != nil {
		t.Fatal(err, out)
	}
	for name, f := range files {
		if f.URLs > 50_000 || f.Bytes > 10_485_760 || !f.Newest {
			t.Errorf("%s: %+v", name, f)
		}
	}
	want := make([]string, len(urls))
	for i, u := range urls {
		want[i] = u.Loc + " " + u.LastMod + "\n"
	}
	slices.Sort(want)
	if got, err := os.ReadFile(filepath.Join(dir, "found.txt")); err != nil || !bytes.Equal(got, []byte(strings.Join(want, ""))) {
		t.Errorf("what is listed in %d files is not what was to be: %v", len(files), err)
	}
	onDisk := listing(t, filepath.Join(dir, "out"))
	names := slices.Sorted(maps.Keys(files)) // which Python's parser read, and xmllint takes longer for
	for _, name := range []string{"sitemap.xml", names[0], names[len(names)-1]} {
		validate(t, filepath.Join(dir, "out", name))
	}
	if len(onDisk) != len(files)+1 || len(files) < 20 {
		t.Errorf("%d files, and the index names %d", len(onDisk), len(files))
	}
	section := strings.Split(urls[million/3].Loc, "/")[3]
	urls = append(urls, entry{Loc: "https://example.internal/" + section + "/new-page/", LastMod: "2025-02-01"})
	oneFile(t, filepath.Join(dir, "all.xml"), urls)
	before := listing(t, filepath.Join(dir, "out"))
	build()
	changed := changedFiles(before, listing(t, filepath.Join(dir, "out")))
	if !slices.Contains(changed, "sitemap.xml") || len(changed) != 2 {
		t.Errorf("one URL more in %s changed %q", section, changed)
	}
}

func listing(t *testing.T, dir string) map[string]fs.FileInfo {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]fs.FileInfo{}
	for _, e := range entries {
		if out[e.Name()], err = e.Info(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// changedFiles returns the names of files that came, went or were touched.
func changedFiles(before, after map[string]fs.FileInfo) (names []string) {
	for name, is := range after {
		if was := before[name]; was == nil || !os.SameFile(was, is) || !was.ModTime().Equal(is.ModTime()) {
			names = append(names, name)
		}
	}
	for name := range before {
		if after[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
