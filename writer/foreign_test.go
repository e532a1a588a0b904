package writer

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A run that is killed when the entry stands and the generator's sitemap is not
// gone leaves the proof to the next one, which holds for that file alone.
func TestForeignAfterAKill(t *testing.T) {
	for _, edited := range []bool{false, true} {
		dir := t.TempDir()
		child := filepath.Join(dir, "de", "sitemap.xml")
		put := func(name, text string) {
			t.Helper()
			if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		put(child, "<urlset><url><loc>https://example.com/de/</loc></url></urlset>")
		put(filepath.Join(dir, "sitemap.xml"), "<sitemapindex><sitemap><loc>https://example.com/de/sitemap.xml</loc></sitemap></sitemapindex>")
		o := Options{Dir: dir, Base: "https://example.com/", Leftovers: []string{"de/sitemap.xml"}}
		var killed Transaction
		if _, err := killed.Draft(context.Background(), site("", "de/"), o); err != nil {
			t.Fatal(err)
		}
		cutShort(&killed, 2) // the journal and the entry
		if _, err := os.Stat(child); err != nil {
			t.Fatal(err)
		}
		if edited {
			put(child, "<urlset><url><loc>https://example.com/de/neu/</loc></url></urlset>")
		}
		if _, err := Write(context.Background(), site("", "de/"), o); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(child); (err == nil) != edited {
			t.Errorf("edited %t: %v", edited, err)
		}
		if _, err := os.Stat(filepath.Join(dir, journal)); err == nil {
			t.Error("the journal stays")
		}
	}
}
