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

// millionEntries returns the entries of a synthetic site with a million pages.
func millionEntries() []entry {
	site := testsite.SyntheticSite{Pages: million, Seed: 7}
	out := make([]entry, million)
	for i := range out {
		p := site.Page(i)
		out[i] = entry{Loc: strings.TrimSuffix("https://example.internal/"+p.Dir, "/") + "/", LastMod: p.Modified.Format("2006-01-02T15:04:05Z07:00")}
	}
	return out
}

// writeSitemap writes all entries to one sitemap, which is larger than the protocol allows.
func writeSitemap(t *testing.T, name string, urls []entry) {
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

// millionPython reads the index and the files that it names with Python's XML parser. It prints the
// numbers of URLs and bytes of each file, and whether the date in the index is the newest of the
// file. It writes all URLs and dates to another file, sorted.
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

// TestMillion splits a sitemap with 1,000,000 URLs. It checks the limits of each file, the validity
// of three of them, and that an independent parser reads each URL once with its date. It also checks
// that one more URL changes only one child sitemap and the index.
func TestMillion(t *testing.T) {
	dir := testsite.MemoryDir(t) // writing 500 MB to a disk would take most of the time
	urls := millionEntries()
	writeSitemap(t, filepath.Join(dir, "all.xml"), urls)
	build := func() {
		t.Helper()
		run(t, dir, sitewalk, "build", "--from", "all.xml", "-b", "https://example.internal/", "-o", "out", "-q", "--strict")
	}
	build()
	writeFile(t, dir, "read.py", millionPython)
	var files map[string]struct {
		URLs, Bytes int
		Newest      bool
	}
	out := run(t, dir, "/usr/bin/python3", "read.py", "out", "found.txt")
	if err := json.Unmarshal([]byte(out), &files); err != nil {
		t.Fatal(err, out)
	}
	for name, f := range files {
		if f.URLs > 50_000 || f.Bytes > 10_485_760 || !f.Newest {
			t.Errorf("%s: %+v, want at most 50,000 URLs, 10 MiB, and the newest date in the index", name, f)
		}
	}
	want := make([]string, len(urls))
	for i, u := range urls {
		want[i] = u.Loc + " " + u.LastMod + "\n"
	}
	slices.Sort(want)
	if got, err := os.ReadFile(filepath.Join(dir, "found.txt")); err != nil || !bytes.Equal(got, []byte(strings.Join(want, ""))) {
		t.Errorf("the entries in the %d files differ from the input: %v", len(files), err)
	}
	onDisk := fileInfos(t, filepath.Join(dir, "out"))
	names := slices.Sorted(maps.Keys(files)) // validate only two, because xmllint is slow
	for _, name := range []string{"sitemap.xml", names[0], names[len(names)-1]} {
		validateSitemap(t, filepath.Join(dir, "out", name))
	}
	if len(onDisk) != len(files)+1 || len(files) < 20 {
		t.Errorf("%d files, of which the index names %d; want at least 20 and the index", len(onDisk), len(files))
	}
	section := strings.Split(urls[million/3].Loc, "/")[3]
	urls = append(urls, entry{Loc: "https://example.internal/" + section + "/new-page/", LastMod: "2025-02-01"})
	writeSitemap(t, filepath.Join(dir, "all.xml"), urls)
	before := fileInfos(t, filepath.Join(dir, "out"))
	build()
	changed := changedFiles(before, fileInfos(t, filepath.Join(dir, "out")))
	if !slices.Contains(changed, "sitemap.xml") || len(changed) != 2 {
		t.Errorf("one more URL in %s changes %q, want sitemap.xml and one child", section, changed)
	}
}

// fileInfos returns the fs.FileInfo of each file in a folder by name.
func fileInfos(t *testing.T, dir string) map[string]fs.FileInfo {
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

// changedFiles returns the names of added, removed and rewritten files.
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
