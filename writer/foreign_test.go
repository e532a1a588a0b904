package writer

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// A run that is killed when the entry stands and the generator's sitemap is not
// gone has replaced the proof, so the next run reports that sitemap.
func TestForeignAfterAKill(t *testing.T) {
	dir := t.TempDir()
	child := filepath.Join(dir, "de", "sitemap.xml")
	put(t, child, "<urlset><url><loc>https://example.com/de/</loc></url></urlset>")
	put(t, filepath.Join(dir, "sitemap.xml"), "<sitemapindex><sitemap><loc>https://example.com/de/sitemap.xml</loc></sitemap></sitemapindex>")
	o := Options{Dir: dir, Base: "https://example.com/", Leftovers: []string{"de/sitemap.xml"}}
	var killed Transaction
	if _, err := killed.Draft(context.Background(), site("", "de/"), o); err != nil {
		t.Fatal(err)
	}
	cutShort(&killed, 1) // the entry
	report, err := Write(context.Background(), site("", "de/"), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(child); err != nil || len(report.Diags) != 1 || report.Diags[0].Code != "stale-sitemap" {
		t.Errorf("%v, findings %v", err, report.Diags)
	}
}
