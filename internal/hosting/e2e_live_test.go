//go:build e2e

package hosting

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A front is a proxy in front of server.mjs. A test can add faults to its answers.
type front struct {
	behind string                      // URL at which server.mjs serves the site
	faults map[string]http.HandlerFunc // handlers that replace the server's answer, by path; "" replaces all answers with status 404
}

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if answer := f.faults[r.URL.Path]; answer != nil {
		answer(w, r)
		return
	}
	req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, f.behind+r.URL.EscapedPath(), nil)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer res.Body.Close()
	if answer := f.faults[""]; answer != nil && res.StatusCode == http.StatusNotFound {
		answer(w, r)
		return
	}
	kinds := map[string]string{".xml": "application/xml", ".txt": "text/plain"}
	w.Header().Set("Content-Type", kinds[path.Ext(r.URL.Path)])
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "text/html")
	}
	for _, name := range []string{"Location", "X-Robots-Tag"} {
		if v := res.Header.Values(name); len(v) > 0 {
			w.Header()[name] = v
		}
	}
	w.WriteHeader(res.StatusCode)
	_, _ = io.Copy(w, res.Body)
}

// knownFindings lists the findings of the live check that are expected, by world. In these worlds,
// a rule has an effect that its author did not intend, or server.mjs differs from the host.
var knownFindings = map[string][]string{
	"azure-first":          {"live-sitemap", "live-soft-404"}, // a rule redirects all pages to /login
	"cloudflare-redirects": {"live-empty"},                    // a URL without a page
	"firebase-ignore":      {"host-differs"},                  // superstatic serves ignored files
	"render-sites":         {"host-differs"},                  // server.mjs does not support the rules of Render
}

// TestLiveServed serves the worlds of testdata/hosts with servers that behave like the hosts. The
// live check must find nothing except knownFindings. The test then adds ten faults to one world of
// each host, and the live check must find all of them.
func TestLiveServed(t *testing.T) {
	dir := installPackages(t)
	binary := filepath.Join(dir, "sitewalk")
	run(t, ".", nil, "go", "build", "-o", binary, "github.com/sitewalk/sitewalk")
	sites := servedWorlds(t, dir)
	fronts := make([]front, len(sites))
	for i := range sites {
		server := httptest.NewServer(&fronts[i])
		t.Cleanup(server.Close)
		sites[i].Base = server.URL + "/"
		for n := range 8 {
			name := fmt.Sprintf("more/page%d/index.html", n)
			write(t, filepath.Join(sites[i].Dir, "public", name), withHTML(name, nil))
		}
		cmd := exec.Command(binary, "build", "-q", "-b", sites[i].Base, "--max-loss", "100%", "--lastmod", "none")
		cmd.Dir = sites[i].Dir
		_ = cmd.Run() // the command fails if the host hides the whole site
	}
	address := startServer(t, dir, sites)
	broken := map[string]bool{}
	for i, s := range sites {
		t.Run(s.Name, func(t *testing.T) {
			fronts[i].behind = address + s.Name
			want := knownFindings[s.Name]
			if found := liveFindings(t, binary, s); !slices.Equal(codesOf(found), want) {
				t.Fatalf("%s: found %v, want %v", s.Host, found, want)
			}
		})
		locs := listedIn(t, s)
		if len(locs) < 8 || knownFindings[s.Name] != nil || broken[s.Host] {
			continue
		}
		broken[s.Host] = true
		t.Run(s.Host+" with faults", func(t *testing.T) {
			t.Parallel() // the live check waits before it repeats a failed request
			fronts[i].faults = tenFaults(locs)
			want := []string{"live-blocked", "live-empty", "live-error", "live-hidden", "live-missing", "live-other-page", "live-redirect", "live-sitemap", "live-soft-404", "live-type"}
			if found := liveFindings(t, binary, s); !slices.Equal(codesOf(found), want) {
				t.Errorf("found %v", found)
			}
		})
	}
	if len(broken) < 12 {
		t.Errorf("only the sites of %v were broken", broken)
	}
}

// liveFindings returns the sorted findings of the live check, each with its code before it. It
// leaves out findings about files.
func liveFindings(t *testing.T, binary string, s served) (all []string) {
	cmd := exec.Command(binary, "check", "--live", "-b", s.Base, "--rate", "10000", "--json")
	cmd.Dir = s.Dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	src, err := cmd.Output()
	var report struct {
		Findings []struct {
			Code     string
			Findings []struct{ Message string }
		}
	}
	if bad := json.Unmarshal(src, &report); bad != nil {
		t.Fatal(err, bad, stderr.String())
	}
	for _, f := range report.Findings {
		if strings.HasPrefix(f.Code, "live-") || f.Code == "host-differs" {
			for _, one := range f.Findings {
				all = append(all, f.Code+" "+one.Message)
			}
		}
	}
	slices.Sort(all)
	return all
}

func codesOf(found []string) (codes []string) {
	for _, f := range found {
		code, _, _ := strings.Cut(f, " ")
		codes = append(codes, code)
	}
	return slices.Compact(codes)
}

// listedIn returns the paths of the URLs in the sitemap of the site.
func listedIn(t *testing.T, s served) (paths []string) {
	f, err := os.Open(filepath.Join(s.Dir, "public", "sitemap.xml"))
	if err != nil {
		return nil
	}
	defer f.Close()
	for item, err := range sitemap.NewReader(f).All() {
		if err != nil {
			t.Fatal(err)
		}
		if rest, ok := strings.CutPrefix(item.Loc, s.Base); ok && rest != "" {
			paths = append(paths, "/"+rest)
		}
	}
	return paths
}

// tenFaults returns handlers for ten faults: one for each of eight pages, one for the sitemap, and
// one for URLs that do not exist.
func tenFaults(paths []string) map[string]http.HandlerFunc {
	says := func(status int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	const html = "text/html"
	return map[string]http.HandlerFunc{
		paths[0]: says(404, html, "gone"),
		paths[1]: says(200, html, ""),
		paths[2]: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Robots-Tag", "noindex")
			says(200, html, "<!doctype html><title>Hidden</title>")(w, r)
		},
		paths[3]: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere/", http.StatusMovedPermanently)
		},
		paths[4]:       says(200, "text/plain", "<!doctype html><title>Page</title>"),
		paths[5]:       says(500, html, "out of order"),
		paths[6]:       says(401, html, "who are you?"),
		paths[7]:       says(200, html, "<!doctype html><title>It works!</title>"),
		"/sitemap.xml": says(200, "text/html", "<!doctype html><title>Not found</title>"),
		"":             says(200, html, "<!doctype html><title>Home</title>"),
	}
}
