//go:build e2e

package hosting

import (
	"bufio"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/page"
)

// servesOther matches a rule that serves another file with status 200, such as "/proxy /other 200".
var servesOther = regexp.MustCompile(` 200!?$`)

// hostsNotServed lists the hosts with configuration files that server.mjs does not read.
// TestRealServers tests Apache; the server of Amplify is not public.
var hostsNotServed = []string{"amplify", "apache"}

// A served is a site that server.mjs serves.
type served struct {
	Name string `json:"name"`
	Host string `json:"host"`
	Dir  string `json:"dir"`
	Base string `json:"base"`
}

// explained is the result of "sitewalk explain --json" for one file.
type explained struct {
	Target, URL string
	Listed      bool
	Verdict     struct {
		Reason string
		Text   string
		Pos    struct{ File string }
	}
}

// TestServed serves the worlds of testdata/hosts, each with the pages of the sample site, as their
// hosts do. Every listed URL must answer with status 200 and be indexable. Every page that a host's
// file excludes must be redirected, missing or noindex.
func TestServed(t *testing.T) {
	dir := installPackages(t)
	binary := filepath.Join(dir, "sitewalk")
	run(t, ".", nil, "go", "build", "-o", binary, "github.com/sitewalk/sitewalk")
	sites := servedWorlds(t, dir)
	address := startServer(t, dir, sites)
	listed, out := 0, 0
	for _, s := range sites {
		t.Run(s.Name, func(t *testing.T) {
			for _, e := range explain(t, binary, s) {
				urlPath, ok := strings.CutPrefix(e.URL, s.Base)
				if !ok {
					continue // the file has no valid URL
				}
				status, robots, body := get(t, address+s.Name+"/"+urlPath)
				switch {
				case e.Listed:
					listed++
					if status != 200 || page.ParseRobots(robots).NoIndex("googlebot") {
						t.Errorf("%s is listed as %s, which answers %d (%s)", e.Target, e.URL, status, robots)
					}
				case strings.HasPrefix(e.Verdict.Text, "ignore "): // the test server serves the file, but firebase-tools would not deploy it; see TestIgnored
				case servesOther.MatchString(e.Verdict.Text):
					out++
					if own, err := os.ReadFile(filepath.Join(s.Dir, "public", e.Target)); err != nil || string(own) == body {
						t.Errorf("%s is left out by %q, but %s serves it: %v", e.Target, e.Verdict.Text, e.URL, err)
					}
				case isHostFile(e.Verdict.Pos.File):
					out++
					bare := strings.TrimSuffix(strings.TrimSuffix(urlPath, ".html"), "/") // a rule may be for another URL of the page
					if bare != urlPath && status == 200 && !page.ParseRobots(robots).NoIndex("googlebot") {
						status, robots, _ = get(t, address+s.Name+"/"+bare)
					}
					if status == 200 && !page.ParseRobots(robots).NoIndex("googlebot") {
						t.Errorf("%s is left out by %s, but %s answers 200", e.Target, e.Verdict.Pos.File, e.URL)
					}
				}
			}
		})
	}
	for _, h := range platforms {
		isServed := slices.ContainsFunc(sites, func(s served) bool { return s.Host == h.name })
		if h.read != nil && !isServed && !slices.Contains(hostsNotServed, h.name) {
			t.Errorf("no world of testdata/hosts with the host %s is served", h.name)
		}
	}
	if listed < 150 || out < 30 {
		t.Errorf("only %d listed pages and %d left out were looked at", listed, out)
	}
}

// isHostFile reports whether name, the file of a verdict, is a configuration file of a host. All
// files except pages, robots.txt and sitemap.yaml count as configuration files.
func isHostFile(name string) bool {
	return name != "" && path.Ext(name) != ".html" && !slices.Contains([]string{"robots.txt", "sitemap.yaml"}, path.Base(name))
}

// servedWorlds writes the worlds to disk that server.mjs can serve, and returns them.
func servedWorlds(t *testing.T, dir string) (sites []served) {
	files, _ := filepath.Glob("testdata/hosts/*.txtar")
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		w := readWorld(t, file)
		site, _ := w.load(t)
		host := site.Name()
		skip := []string{"vercel-routes", "broken-files", "robots-below", "detect-env"} // worlds that are not about files, or have files of several hosts
		if slices.Contains(skip, name) || strings.HasSuffix(name, "-broken") || strings.HasSuffix(name, "-types") ||
			slices.Contains(hostsNotServed, host) ||
			w.dir != "public" || host == "vercel" && w.root["vercel.json"] == nil {
			continue
		}
		s := served{Name: name, Host: host, Dir: filepath.Join(dir, "served", name), Base: w.base}
		if s.Base == "" {
			s.Base = "https://example.com/"
		}
		copySamplePages(t, filepath.Join(s.Dir, "public"))
		for f, m := range w.publish {
			write(t, filepath.Join(s.Dir, "public", f), withHTML(f, withoutBadRules(t, w, "public/"+f, m.Data)))
		}
		for f, m := range w.root {
			write(t, filepath.Join(s.Dir, f), withoutBadRules(t, w, f, m.Data))
		}
		for k, v := range w.env {
			write(t, filepath.Join(s.Dir, "ENV", k), []byte(v))
		}
		write(t, filepath.Join(s.Dir, "sitemap.yaml"), []byte("host: "+host+"\n"))
		sites = append(sites, s)
	}
	return sites
}

func withHTML(name string, src []byte) []byte {
	if strings.HasSuffix(name, ".html") && len(src) == 0 {
		return []byte("<!doctype html><title>" + name + "</title>\n")
	}
	return src
}

// copySamplePages copies the pages of the sample site to the folder to.
func copySamplePages(t *testing.T, to string) {
	err := fs.WalkDir(os.DirFS("../../testdata/sample/public"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".html") {
			return err
		}
		src, err := os.ReadFile(filepath.Join("../../testdata/sample/public", name))
		write(t, filepath.Join(to, name), src)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// explain runs "sitewalk explain" for every page of a site.
func explain(t *testing.T, binary string, s served) []explained {
	args := []string{"explain", "--json", "-b", s.Base}
	publish := filepath.Join(s.Dir, "public")
	err := fs.WalkDir(os.DirFS(publish), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(name, ".html") {
			args = append(args, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, args...)
	cmd.Dir = s.Dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	src, err := cmd.Output()
	var report struct{ Explanations []explained }
	if jsonErr := json.Unmarshal(src, &report); jsonErr != nil {
		t.Fatalf("explain: %v, %v\n%s", err, jsonErr, stderr.String())
	}
	return report.Explanations
}

// startServer starts server.mjs and returns its address.
func startServer(t *testing.T, dir string, sites []served) string {
	list, _ := json.Marshal(sites)
	cmd := exec.Command("node", "server.mjs", string(list))
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	port, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return "http://127.0.0.1:" + strings.TrimSpace(port) + "/"
}

// get requests a URL. It does not follow redirects.
func get(t *testing.T, loc string) (status int, robots, body string) {
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Get(loc)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	src, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Header.Get("X-Robots-Tag"), string(src)
}
