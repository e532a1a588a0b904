package audit

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/sitemap"
)

// TestBudgetCoversCheckedURL checks that checkedURLSize covers the real size of a URL in the list
// and in the map.
func TestBudgetCoversCheckedURL(t *testing.T) {
	const inMap = 3 * int(unsafe.Sizeof("")+unsafe.Sizeof((*listedURL)(nil))) / 2 // an entry of a map that is about two thirds full
	const inList = 5 * int(unsafe.Sizeof((*listedURL)(nil))) / 4                  // a slice may have a quarter of spare capacity
	if size := int(unsafe.Sizeof(listedURL{})) + inList + inMap; size > checkedURLSize {
		t.Errorf("size of a URL: got %d bytes, want at most %d", size, checkedURLSize)
	}
}

// TestCheckReportsTooManyEntriesOnce checks that a feed or sitemap with one entry too many gets one
// finding about that.
func TestCheckReportsTooManyEntriesOnce(t *testing.T) {
	for format, unit := range map[string]string{
		`<rss version="2.0"><channel>%s</channel></rss>`:                          "<item><link>https://example.com/</link></item>",
		`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">%s</urlset>`: "<url><loc>https://example.com/</loc></url>",
	} {
		const n = sitemap.MaxURLs + 1
		c := &sitemapChecker{Findings: &diag.Report{}}
		c.CheckFile(fetch.File{Name: "a", Content: fmt.Appendf(nil, format, strings.Repeat(unit, n))})
		for i := range n {
			c.CheckURL(sitemap.Entry{URL: sitemap.URL{Loc: fmt.Sprintf("https://example.com/%d", i)}}, diag.Pos{})
		}
		c.Finish(t.Context(), nil)
		got := 0
		for _, k := range c.Findings.Kinds() {
			got += k.Count
		}
		if got != 1 {
			t.Errorf("%.5s with %d entries: got %d findings, want 1", format, n, got)
		}
	}
}
