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

// countFindings checks the site in dir. It returns the number of findings with each code.
func countFindings(t *testing.T, dir string) (of map[string]int) {
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
		writeFiles(t, dir, map[string]string{
			"sitemap.yaml": "base_url: https://example.com/\n", "public/index.html": "<title>x</title>", "public/other.html": "<title>y</title>",
			"public/sitemap.xml": urlset(sitemap.MaxURLs+1000, path),
		})
		of := countFindings(t, dir)
		want := sitemap.MaxURLs
		if code == "listed-twice" {
			want--
		}
		if of[code] != want || of["too-many-entries"] != 1 || of["not-listed"] != 0 {
			t.Errorf("got findings %v, want %d with code %s", of, want, code)
		}
	}
}

// TestBudgetCoversComparedURL checks that comparedURLSize covers the real size of a URL and its
// change.
func TestBudgetCoversComparedURL(t *testing.T) {
	if size := unsafe.Sizeof(datedURL{}) + unsafe.Sizeof(report.Change{}); size > comparedURLSize {
		t.Errorf("size of a URL and its change: got %d bytes, want at most %d", size, comparedURLSize)
	}
}

// TestDiffKeepsFewFindings limits the memory of a diff with many lost or many added URLs that keeps
// no findings.
func TestDiffKeepsFewFindings(t *testing.T) {
	const n = 20_000
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"many.xml": urlset(n, func(i int) string { return fmt.Sprintf("a%d/", i) }),
		"one.xml":  urlset(1, func(int) string { return "" }),
	})
	for old, tt := range map[string]struct {
		new      string
		lost     int // number of lost URLs
		maxBytes int // maximum number of allocated bytes per URL
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
			t.Fatalf("%s: got %d lost URLs and error %v, want %d", old, d.Changes.Lost, err, tt.lost)
		}
		each := int(after.TotalAlloc-before.TotalAlloc) / n
		t.Logf("%s: %d allocated bytes per URL", old, each)
		if each > tt.maxBytes {
			t.Errorf("%s: got %d allocated bytes per URL, want at most %d", old, each, tt.maxBytes)
		}
	}
}
