//go:build e2e && linux

package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// A countedSite has a sitemap of so many pages, and counts the requests for each.
type countedSite struct {
	*httptest.Server
	pages int
	mu    sync.Mutex
	asked map[string]int
}

func newCountedSite(t *testing.T, pages int) *countedSite {
	s := &countedSite{pages: pages, asked: map[string]int{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	t.Cleanup(s.CloseClientConnections)
	return s
}

// ServeHTTP implements http.Handler.
func (s *countedSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch path := r.URL.Path; {
	case path == "/sitemap.xml":
		w.Header().Set("Content-Type", "application/xml")
		fmt.Fprint(w, `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
		for i := range s.pages {
			fmt.Fprintf(w, "<url><loc>%s/section-%d/a-page-of-the-site-%d/</loc></url>\n", s.URL, i%50, i)
		}
		fmt.Fprint(w, "</urlset>")
	case strings.HasSuffix(path, "/"):
		s.mu.Lock()
		s.asked[path]++
		s.mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<!doctype html><html lang=en><head><title>A page "+path+"</title></head><body>"+strings.Repeat("<p>Text", 100))
	default:
		http.NotFound(w, r)
	}
}

// live asks the whole site, with the program in its own process.
func (s *countedSite) live(t *testing.T, dir string, more ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), sitewalk, append([]string{"check", "--live", s.URL + "/sitemap.xml", "--rate", "100000"}, more...)...)
	cmd.Dir, cmd.Env = dir, cleanEnv()
	return cmd
}

// TestLiveMemory asks for 25,000 URLs, the goal of docs/performance.md.
func TestLiveMemory(t *testing.T) {
	const pages, most = 25_000, 60 << 10 // KiB
	site := newCountedSite(t, pages)
	cmd := site.live(t, t.TempDir(), "--at-once", "8")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "25,001 URLs asked, 25,001 right") {
		t.Fatalf("%v: %s", err, out)
	}
	used := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	t.Logf("%d MiB, %v of processor", used.Maxrss>>10, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	if used.Maxrss > most {
		t.Errorf("%d KiB of memory, at most %d", used.Maxrss, most)
	}
}
