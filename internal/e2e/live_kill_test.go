//go:build e2e && linux

package e2e

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// A countedSite has a sitemap of so many pages, and counts the requests for each.
type countedSite struct {
	*httptest.Server
	pages   int
	mu      sync.Mutex
	asked   map[string]int
	reached func(n int) // is told how many pages were asked for; may be nil
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
		n := len(s.asked)
		s.mu.Unlock()
		if s.reached != nil {
			s.reached(n)
		}
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

// TestLiveKilled kills the program at five places of its way through 500 pages. Those runs
// and the last one together ask for no page twice, but for those whose answers were under
// way when it was killed.
func TestLiveKilled(t *testing.T) {
	const pages, atOnce = 500, 4
	site, dir := newCountedSite(t, pages), t.TempDir()
	for _, at := range []int{1, 37, 200, 420, 499} {
		cmd := site.live(t, dir, "--state", "live.state")
		reached, killed := make(chan struct{}), make(chan struct{})
		var once sync.Once
		site.reached = func(n int) {
			if n >= at {
				once.Do(func() { close(reached) })
				<-killed // what is under way stays so
			}
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-reached
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		close(killed)
		if info, err := os.Stat(filepath.Join(dir, "live.state")); err != nil || info.Size() == 0 {
			t.Errorf("killed at %d: there is no state: %v", at, err)
		}
	}
	site.reached = nil
	out, err := site.live(t, dir, "--state", "live.state").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "501 URLs asked, 501 right; nothing is wrong") {
		t.Fatalf("%v: %s", err, out)
	}
	if len(site.asked) != pages {
		t.Errorf("%d of %d pages were asked for", len(site.asked), pages)
	}
	twice := 0
	for _, n := range site.asked {
		twice += n - 1
	}
	if twice > 5*atOnce {
		t.Errorf("%d requests for pages that were asked for already", twice)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// TestLiveStateOfTwo starts a second process with the state of one that is still running.
func TestLiveStateOfTwo(t *testing.T) {
	site, dir := newCountedSite(t, 50), t.TempDir()
	reached, end := make(chan struct{}), make(chan struct{})
	var once sync.Once
	site.reached = func(n int) {
		if n >= 20 {
			once.Do(func() { close(reached) })
			<-end
		}
	}
	first := site.live(t, dir, "--state", "live.state")
	var said strings.Builder
	first.Stderr = &said
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	<-reached
	out, err := site.live(t, dir, "--state", "live.state").CombinedOutput()
	if code := codeOf(err); code != 2 || !strings.Contains(string(out), "live.state is used by another check, which is still running") {
		t.Errorf("the second ends with %d: %s", code, out)
	}
	close(end)
	if err := first.Wait(); err != nil || !strings.Contains(said.String(), "51 URLs asked, 51 right") {
		t.Errorf("%v: %s", err, &said)
	}
	for path, n := range site.asked {
		if n > 1 {
			t.Errorf("%s was asked for %d times", path, n)
		}
	}
}

func codeOf(err error) int {
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return e.ExitCode()
	}
	return 0
}

// TestLiveMemory asks for 25,000 URLs, the goal of docs/performance.md.
func TestLiveMemory(t *testing.T) {
	const pages, most = 25_000, 60 << 10 // KiB
	site := newCountedSite(t, pages)
	cmd := site.live(t, t.TempDir(), "--at-once", "8", "--state", "live.state")
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
