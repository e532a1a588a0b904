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

// compared runs a diff and returns the changes by URL.
func compared(t testing.TB, dir, old, new string) map[string]report.Change {
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

// formerPaths are URL paths that pages had. No line is offered for oddPaths.
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
				old := lost(t, dir, host, base)
				var lines []string
				first := compared(t, dir, "old.json", "")
				isOdd := func(loc string) bool {
					b, _ := mapping.ParseBase(base)
					return slices.ContainsFunc(oddPaths, func(path string) bool { odd, _ := b.Loc(path); return odd == loc })
				}
				for _, loc := range old {
					c := first[loc]
					if isOdd(loc) {
						if c.Fix != "" {
							t.Errorf("%s is offered %q", loc, c.Fix)
						}
						continue
					}
					if c.Class != Lost || c.Fix == "" || c.FixFile == "" {
						t.Errorf("%s is %s, with %q for %q", loc, c.Class, c.Fix, c.FixFile)
					}
					lines = append(lines, c.Fix)
				}
				file, text := paste(lines)
				write(t, dir, map[string]string{file: text})
				for loc, c := range compared(t, dir, "old.json", "") {
					if isOdd(loc) {
						continue
					}
					if c.Class != Added && c.Class != Moved || c.Class == Moved && c.To != first[loc].To {
						t.Errorf("with %s, %s is %s to %q: %s", first[loc].Fix, loc, c.Class, c.To, c.Reason)
					}
				}
			})
		}
	}
}

// lost writes a site whose pages have moved, and a list of their old URLs. It returns these URLs.
func lost(t testing.TB, dir, host, base string) (old []string) {
	b, err := mapping.ParseBase(base)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"sitemap.yaml":      "base_url: " + base + "\npages: {dir: public}\nhost: " + host + "\nlastmod: []\n",
		"public/index.html": "<title>Home</title>", "public/404.html": "<title>Not found</title>", "public/_headers": "",
	}
	var pages []map[string]string
	for i, path := range slices.Concat(formerPaths, oddPaths) {
		loc, err := b.Loc(path)
		if err != nil {
			t.Fatal(err)
		}
		title := fmt.Sprintf("Page %d", i)
		place := newFolders[i%len(newFolders)]
		files[fmt.Sprintf("public/%s-%d/index.html", place, i)] = "<!doctype html><title>" + title + "</title>"
		pages = append(pages, map[string]string{"url": loc, "title": title})
		old = append(old, loc)
	}
	src, err := json.Marshal(map[string]any{"pages": pages})
	if err != nil {
		t.Fatal(err)
	}
	files["old.json"] = string(src)
	write(t, dir, files)
	return old
}

// TestDiffComparesContent checks that diff finds changed and moved content, both between two built
// folders and between a site and its ledger.
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
			write(t, dir, map[string]string{"sitemap.yaml": settings + tt.more})
			write(t, filepath.Join(dir, "public"), before)
			write(t, filepath.Join(dir, "yesterday"), before)
			built(t, dir)
			if err := os.Rename(filepath.Join(dir, "public", "sitemap.xml"), filepath.Join(dir, "old.xml")); err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(filepath.Join(dir, "public")); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, "public"), now)
			got := compared(t, dir, tt.old, "")
			for path, class := range want {
				if c := got["https://example.com/"+path]; c.Class != class {
					t.Errorf("%s is %s (%s), want %s", path, cmp.Or(c.Class, "as before"), c.Reason, class)
				}
			}
			if len(got) != len(want) {
				t.Errorf("of %d URLs something is said, want %d: %q", len(got), len(want), slices.Sorted(maps.Keys(got)))
			}
			if c := got["https://example.com/away/"]; c.To != "https://example.com/elsewhere/" || c.Fix != "/away/ /elsewhere/ 301" {
				t.Errorf("the page that moved: to %q, %q", c.To, c.Fix)
			}
			if c := got["https://example.com/twin/"]; c.To != "" || c.Fix != "" {
				t.Errorf("two pages may have taken its place, and one is offered: %q", c.Fix)
			}
		})
	}
}
