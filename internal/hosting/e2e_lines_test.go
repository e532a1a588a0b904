//go:build e2e

package hosting

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/mapping"
)

// TestLinesServed writes all results of RedirectLine for a host into the configuration file of the
// host. It then checks the redirects of a server that behaves like the host.
func TestLinesServed(t *testing.T) {
	dir := installPackages(t)
	var sites []served
	olds := map[string][]string{}
	const to = "/new/ü/"
	for _, c := range pasted {
		if c.base != "https://example.com/" || c.host == "render" || c.host == "apache" {
			continue // server.mjs does not simulate this host, or internal/e2e tests the real server
		}
		base, _ := mapping.ParseBase(c.base)
		plain, _ := Load(Input{Name: c.host, Base: base})
		s := served{Name: c.host, Host: c.host, Base: c.base, Dir: filepath.Join(dir, "lines", c.host)}
		var lines []string
		for _, from := range []string{"/plain/", "/bare", "/page.html", "/über/", "/a-b_c.~1/"} {
			if c.host == "vercel" && plain.encodePath(from) != from { // unlike Vercel, server.mjs compares decoded paths
				continue
			}
			line, _, _ := plain.RedirectLine(from, to)
			lines, olds[s.Name] = append(lines, line), append(olds[s.Name], from)
		}
		between, file := "\n", filepath.Join(s.Dir, "public", c.file)
		if strings.HasSuffix(c.file, ".json") {
			between = ",\n"
		}
		if c.host == "vercel" || c.host == "firebase" {
			file = filepath.Join(s.Dir, c.file)
		}
		write(t, file, []byte(c.before+strings.Join(lines, between)+c.after))
		write(t, filepath.Join(s.Dir, "public", "404.html"), nil)
		write(t, filepath.Join(s.Dir, "public", "new", "ü", "index.html"), nil)
		sites = append(sites, s)
	}
	if len(sites) < 6 {
		t.Fatalf("only %d hosts", len(sites))
	}
	address := startServer(t, dir, sites)
	for _, s := range sites {
		base, _ := mapping.ParseBase(s.Base)
		for _, from := range olds[s.Name] {
			got := fetch(t, address+s.Name, from)
			if got.status != http.StatusMovedPermanently && got.status != http.StatusPermanentRedirect || !isSameAddress(trimServerAndBase(base, got.location), to, s.Base) {
				t.Errorf("%s answers %s by %d %q, want a redirect to %s for good", s.Host, from, got.status, got.location, to)
			}
		}
		if got := fetch(t, address+s.Name, "/other/"); got.status != http.StatusNotFound {
			t.Errorf("%s answers /other/ by %d %q", s.Host, got.status, got.location)
		}
	}
}
