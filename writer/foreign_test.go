package writer

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// TestWriteReportsForeignSitemapAfterKill stops a run after it replaced the generator's index, and
// before it removed the generator's child sitemap. The next run cannot know the child, so it must
// report the child.
func TestWriteReportsForeignSitemapAfterKill(t *testing.T) {
	dir := t.TempDir()
	child := filepath.Join(dir, "de", "sitemap.xml")
	writeFile(t, child, "<urlset><url><loc>https://example.com/de/</loc></url></urlset>")
	writeFile(t, filepath.Join(dir, "sitemap.xml"), "<sitemapindex><sitemap><loc>https://example.com/de/sitemap.xml</loc></sitemap></sitemapindex>")
	o := Options{Dir: dir, Base: "https://example.com/", Leftovers: []string{"de/sitemap.xml"}}
	var killed Transaction
	if _, err := killed.Draft(context.Background(), site("", "de/"), o); err != nil {
		t.Fatal(err)
	}
	commitPartly(&killed, 1) // the entry
	report, err := Write(context.Background(), site("", "de/"), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(child); err != nil || len(report.Diags) != 1 || report.Diags[0].Code != "stale-sitemap" {
		t.Errorf("got error %v and findings %v, want the file and one finding stale-sitemap", err, report.Diags)
	}
}
