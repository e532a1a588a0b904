//go:build e2e && linux

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLive deploys a site of 1,000 pages to nginx: a healthy deploy is silent, and then
// each of 16 pages that are lost and of 37 that are empty is found.
func TestLive(t *testing.T) {
	dir, address := t.TempDir(), freeAddress(t)
	write(t, dir, "sitemap.yaml", "base_url: http://"+address+"/\nhost: nginx\npages: {dir: built}\n")
	write(t, dir, "built/index.html", "<!doctype html><title>Home</title><p>Home")
	write(t, dir, "built/robots.txt", "User-agent: *\nAllow: /\nSitemap: http://"+address+"/sitemap.xml\n")
	write(t, dir, "built/hidden/index.html", "<!doctype html><meta name=robots content=noindex><title>Hidden</title>")
	write(t, dir, "built/moved/index.html", "<!doctype html><meta http-equiv=refresh content='0;url=/'><title>Moved</title>")
	page := func(i int) string { return fmt.Sprintf("s%d/p%d/index.html", i%7, i) }
	for i := range 996 {
		write(t, dir, "built/"+page(i), fmt.Sprintf("<!doctype html><title>Page %d</title><p>Text %[1]d", i))
	}
	do(t, dir, sitewalk, "build", "-q")
	public := filepath.Join(dir, "public")
	if err := os.CopyFS(public, os.DirFS(filepath.Join(dir, "built"))); err != nil {
		t.Fatal(err)
	}
	nginx(t, dir, address, []string{"types { text/html html; application/xml xml; text/plain txt; }"})
	check := func(more ...string) (said string, code int) {
		_, stderr, err := try(t, dir, nil, sitewalk, append([]string{"check", "--live", "--rate", "1000"}, more...)...)
		if err != nil {
			code = 1
		}
		return stderr, code
	}
	if said, code := check("--whole"); code != 0 || strings.Contains(said, "hint") || !strings.Contains(said, "1,000 URLs asked, 1,000 right; nothing is wrong") {
		t.Fatalf("a healthy deploy: code %d, %s", code, said)
	}
	for i := range 16 {
		if err := os.RemoveAll(filepath.Join(public, filepath.Dir(page(i*11)))); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 37 {
		write(t, dir, "public/"+page(i*11+1), "")
	}
	for _, more := range [][]string{nil, {"http://" + address + "/sitemap.xml"}} {
		said, code := check(more...)
		if code != 1 || !strings.Contains(said, "16 of 997 listed URLs answer 404") || !strings.Contains(said, "37 of 997 listed URLs are empty") || !strings.Contains(said, "2 errors, 0 warnings") {
			t.Errorf("%v: code %d, %s", more, code, said)
		}
	}
}
