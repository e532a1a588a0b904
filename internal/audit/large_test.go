package audit

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/sitemap"
)

// urlset returns a sitemap with n URLs. path returns the path of the URL with index i.
func urlset(n int, path func(i int) string) string {
	var b strings.Builder
	b.WriteString("<urlset " + space + ">\n")
	for i := range n {
		b.WriteString("<url><loc>https://example.com/" + path(i) + "</loc></url>\n")
	}
	return b.String() + "</urlset>"
}

// counts checks the site in dir. It returns the number of findings with each code.
func counts(t *testing.T, dir string) (of map[string]int) {
	t.Helper()
	o := options(dir)
	o.Build.MaxKept = 0
	c, err := RunCheck(t.Context(), o, "")
	if err != nil {
		t.Fatal(err)
	}
	of = map[string]int{}
	for _, k := range c.Findings.Kinds() {
		of[k.Code] = k.Count
	}
	return of
}

// TestCheckCountsEntriesBeyondLimit checks that a sitemap with too many entries is compared up to
// the limit of the protocol.
func TestCheckCountsEntriesBeyondLimit(t *testing.T) {
	for code, path := range map[string]func(int) string{
		"listed-missing": func(i int) string { return fmt.Sprintf("a%d/", i) },
		"listed-twice":   func(int) string { return "a/" },
	} {
		dir := t.TempDir()
		write(t, dir, map[string]string{
			"sitemap.yaml": "base_url: https://example.com/\n", "public/index.html": "<title>x</title>", "public/other.html": "<title>y</title>",
			"public/sitemap.xml": urlset(sitemap.MaxURLs+1000, path),
		})
		of := counts(t, dir)
		want := sitemap.MaxURLs
		if code == "listed-twice" {
			want--
		}
		if of[code] != want || of["too-many-entries"] != 1 || of["not-listed"] != 0 {
			t.Errorf("%v, want %d of %s", of, want, code)
		}
	}
}

// TestBudgetCoversComparedURL checks that comparedURLSize covers the real size of a URL and its
// change.
func TestBudgetCoversComparedURL(t *testing.T) {
	if takes := unsafe.Sizeof(datedURL{}) + unsafe.Sizeof(report.Change{}); takes > comparedURLSize {
		t.Errorf("a URL and its change take %d bytes, the budget counts %d", takes, comparedURLSize)
	}
}

// TestDiffKeepsFewFindings measures the memory of a diff with many lost or many added URLs and no
// kept findings.
func TestDiffKeepsFewFindings(t *testing.T) {
	const n = 20_000
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"many.xml": urlset(n, func(i int) string { return fmt.Sprintf("a%d/", i) }),
		"one.xml":  urlset(1, func(int) string { return "" }),
	})
	for old, tt := range map[string]struct {
		new        string
		lost, most int // lost: number of lost URLs; most: maximum number of bytes per URL
	}{
		"many.xml": {"one.xml", n, 1800},
		"one.xml":  {"many.xml", 1, 1100},
	} {
		o := options(dir)
		o.Build.MaxKept = 0
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		d, err := RunDiff(t.Context(), o, old, tt.new)
		runtime.ReadMemStats(&after)
		if err != nil || d.Changes.Lost != tt.lost {
			t.Fatal(d.Changes.Lost, err)
		}
		each := int(after.TotalAlloc-before.TotalAlloc) / n
		t.Logf("%s: %d bytes are allocated for each URL", old, each)
		if each > tt.most {
			t.Errorf("%s: %d bytes are allocated for each URL, want at most %d", old, each, tt.most)
		}
	}
}
