package audit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/mapping"
)

// diffChanges runs a diff and returns the changes by URL.
func diffChanges(t testing.TB, dir, old, new string) map[string]report.Change {
	t.Helper()
	d, err := RunDiff(t.Context(), options(dir), old, new)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]report.Change{}
	for _, c := range d.Changes.List {
		out[c.URL] = c
	}
	return out
}

// formerPaths and oddPaths are URL paths of moved pages. diff suggests no redirect for oddPaths.
var (
	formerPaths = []string{"/plain/", "/bare", "/page.html", "/über/", "/日本/", "/a.b/", "/~a/", "/a-b_c/"}
	oddPaths    = []string{
		"/a b/", "/a(b)/", "/a+b/", "/$1/", "/a$b", "/a:b/", "/:splat/", "/100%/", "/it's/", `/"quoted"/`, "/a;b/", "/{a}/", "/[a]/",
		"/*/", "/a*", "/a^b|c/", "/a#b/", "/a?b/", `/a\b/`, "/a,b/", "/a=b&c/", "/@a/", "/a//b/",
	}
)

// newFolders are the folders to which the pages of the test site move.
var newFolders = []string{"new/page", "new/ü", "new/a.b"}

// TestFixLinesMovePages loses pages with unusual URLs, writes the redirect lines that diff suggests
// into the host's file, and checks that each page counts as moved. For hosts whose files sitewalk
// does not read, TestSuggestedRedirects starts the real server.
func TestFixLinesMovePages(t *testing.T) {
	for host, paste := range map[string]func(lines []string) (file, text string){
		"netlify":    func(lines []string) (file, text string) { return "public/_redirects", strings.Join(lines, "\n") + "\n" },
		"cloudflare": func(lines []string) (file, text string) { return "public/_redirects", strings.Join(lines, "\n") + "\n" },
		"vercel": func(lines []string) (file, text string) {
			return "vercel.json", `{"redirects": [` + strings.Join(lines, ", ") + "]}"
		},
	} {
		for _, base := range []string{"https://example.com/", "https://example.com/docs/"} {
			t.Run(host+" "+base, func(t *testing.T) {
				dir := t.TempDir()
				old := writeMovedSite(t, dir, host, base)
				var lines []string
				first := diffChanges(t, dir, "old.json", "")
				isOdd := func(loc string) bool {
					b, _ := mapping.ParseBase(base)
					return slices.ContainsFunc(oddPaths, func(path string) bool { odd, _ := b.Loc(path); return odd == loc })
				}
				for _, loc := range old {
					c := first[loc]
					if isOdd(loc) {
						if c.Fix != "" {
							t.Errorf("%s: got redirect %q, want none", loc, c.Fix)
						}
						continue
					}
					if c.Class != Lost || c.Fix == "" || c.FixFile == "" {
						t.Errorf("%s: got class %s and redirect %q for file %q, want it lost with a redirect", loc, c.Class, c.Fix, c.FixFile)
					}
					lines = append(lines, c.Fix)
				}
				file, text := paste(lines)
				writeFiles(t, dir, map[string]string{file: text})
				for loc, c := range diffChanges(t, dir, "old.json", "") {
					if isOdd(loc) {
						continue
					}
					if c.Class != Added && c.Class != Moved || c.Class == Moved && c.To != first[loc].To {
						t.Errorf("redirect %s: got %s %s to %q (%s), want it moved to %q", first[loc].Fix, loc, c.Class, c.To, c.Reason, first[loc].To)
					}
				}
			})
		}
	}
}

// writeMovedSite writes a site whose pages have moved, and the file old.json with their old URLs.
// It returns these URLs.
func writeMovedSite(t testing.TB, dir, host, base string) (old []string) {
	b, err := mapping.ParseBase(base)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"sitemap.yaml":      "base_url: " + base + "\npages: {dir: public}\nhost: " + host + "\nlastmod: []\n",
		"public/index.html": "<title>Home</title>", "public/404.html": "<title>Not found</title>", "public/_headers": "",
	}
	var pages []map[string]any
	for i, path := range slices.Concat(formerPaths, oddPaths) {
		loc, err := b.Loc(path)
		if err != nil {
			t.Fatal(err)
		}
		title := fmt.Sprintf("Page %d", i)
		place := newFolders[i%len(newFolders)]
		files[fmt.Sprintf("public/%s-%d/index.html", place, i)] = "<!doctype html><title>" + title + "</title>"
		pages = append(pages, map[string]any{"url": loc, "listed": true, "title": title})
		old = append(old, loc)
	}
	src, err := json.Marshal(map[string]any{"pages": pages})
	if err != nil {
		t.Fatal(err)
	}
	files["old.json"] = string(src)
	writeFiles(t, dir, files)
	return old
}

// TestDiffComparesContent checks that diff finds changed and moved content. It compares two built
// folders, and a site with an old sitemap and a ledger.
func TestDiffComparesContent(t *testing.T) {
	page := func(head, body string) string {
		return "<!doctype html><html><head><title>T</title>" + head + "</head><body><main>" + body + "</main></body></html>"
	}
	const later = `<meta property="article:modified_time" content="2024-05-06">`
	const then = `<meta property="article:modified_time" content="2024-01-02">`
	before := map[string]string{
		"index.html": page(then, "Home"), "same/index.html": page(then, "Same"), "edited/index.html": page(then, "One text"),
		"quiet/index.html": page(then, "One text"), "redated/index.html": page(then, "Redated"), "away/index.html": page(then, "Text that moves"),
		"twin/index.html": page(then, "Two of these"),
	}
	now := map[string]string{
		"index.html": page(then, "Home"), "same/index.html": page(then+"<meta name=generator content=x>", "Same"), "edited/index.html": page(later, "Another text"),
		"quiet/index.html": page(then, "Another text"), "redated/index.html": page(later, "Redated"), "elsewhere/index.html": page(then, "Text that moves"),
		"twin-a/index.html": page(then, "Two of these"), "twin-b/index.html": page(then, "Two of these"),
	}
	want := map[string]string{
		"edited/": Changed, "quiet/": Changed, "redated/": Redated, "away/": Lost, "twin/": Lost,
		"elsewhere/": Added, "twin-a/": Added, "twin-b/": Added,
	}
	settings := "base_url: https://example.com/\npages: {dir: public}\nlastmod: [html]\nhost: netlify\n"
	for _, tt := range []struct{ name, old, more string }{
		{"two folders", "yesterday", ""},
		{"ledger", "old.xml", "ledger: ledger.txt\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			writeFiles(t, dir, map[string]string{"sitemap.yaml": settings + tt.more})
			writeFiles(t, filepath.Join(dir, "public"), before)
			writeFiles(t, filepath.Join(dir, "yesterday"), before)
			buildProject(t, dir)
			if err := os.Rename(filepath.Join(dir, "public", "sitemap.xml"), filepath.Join(dir, "old.xml")); err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(filepath.Join(dir, "public")); err != nil {
				t.Fatal(err)
			}
			writeFiles(t, filepath.Join(dir, "public"), now)
			got := diffChanges(t, dir, tt.old, "")
			for path, class := range want {
				if c := got["https://example.com/"+path]; c.Class != class {
					t.Errorf("%s: got class %s (%s), want %s", path, cmp.Or(c.Class, "unchanged"), c.Reason, class)
				}
			}
			if len(got) != len(want) {
				t.Errorf("got %d changes, want %d: %q", len(got), len(want), slices.Sorted(maps.Keys(got)))
			}
			if c := got["https://example.com/away/"]; c.To != "https://example.com/elsewhere/" || c.Fix != "/away/ /elsewhere/ 301" {
				t.Errorf("away/: got replacement %q and redirect %q, want elsewhere/", c.To, c.Fix)
			}
			if c := got["https://example.com/twin/"]; c.To != "" || c.Fix != "" {
				t.Errorf("twin/: got replacement %q and redirect %q, want none", c.To, c.Fix)
			}
		})
	}
}
