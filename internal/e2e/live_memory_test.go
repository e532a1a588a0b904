//go:build e2e && linux

package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// A largeSite serves generated pages and their sitemap.
type largeSite struct {
	*httptest.Server
	numPages int
}

func newLargeSite(t *testing.T, numPages int) *largeSite {
	s := &largeSite{numPages: numPages}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	t.Cleanup(s.CloseClientConnections)
	return s
}

// ServeHTTP implements http.Handler.
func (s *largeSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch path := r.URL.Path; {
	case path == "/sitemap.xml":
		w.Header().Set("Content-Type", "application/xml")
		fmt.Fprint(w, `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
		for i := range s.numPages {
			fmt.Fprintf(w, "<url><loc>%s/section-%d/a-page-of-the-site-%d/</loc></url>\n", s.URL, i%50, i)
		}
		fmt.Fprint(w, "</urlset>")
	case strings.HasSuffix(path, "/"):
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<!doctype html><html lang=en><head><title>A page "+path+"</title></head><body>"+strings.Repeat("<p>Text", 100))
	default:
		http.NotFound(w, r)
	}
}

// TestLiveMemory checks the peak memory of a live check of 25,000 URLs.
func TestLiveMemory(t *testing.T) {
	const numPages, maxKiB = 25_000, 60 << 10
	site := newLargeSite(t, numPages)
	cmd := exec.CommandContext(t.Context(), sitewalk, "check", "--live", site.URL+"/sitemap.xml", "--rate", "100000", "--at-once", "8")
	cmd.Dir, cmd.Env = t.TempDir(), cleanEnv()
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "25,001 URLs requested, 25,001 correct") {
		t.Fatalf("%v: %s", err, out)
	}
	used := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	t.Logf("%d MiB, %v of CPU time", used.Maxrss>>10, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	if used.Maxrss > maxKiB {
		t.Errorf("peak memory %d KiB, want at most %d", used.Maxrss, maxKiB)
	}
}
