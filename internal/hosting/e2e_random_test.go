//go:build e2e

package hosting

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// randomSettings write a host's own files for a random site: settings of every
// kind that the host has, and rules for paths that the site may have.
var randomSettings = map[string]func(r *random) map[string]string{
	"firebase": (*random).firebase,
}

// TestRandomAnswers compares the answer to every path of random sites with that
// of the hosts' own servers.
func TestRandomAnswers(t *testing.T) {
	dir := packages(t)
	var sites []served
	for host, settings := range randomSettings {
		for i := range 80 {
			s := served{Name: fmt.Sprintf("%s-%d", host, i), Host: host, Base: "https://example.com/"}
			s.Dir = filepath.Join(dir, "random", s.Name)
			r := &random{rand.New(rand.NewPCG(uint64(i), 15))}
			for _, file := range r.files() {
				write(t, filepath.Join(s.Dir, "public", filepath.FromSlash(file)), []byte(file))
			}
			for name, text := range settings(r) {
				write(t, filepath.Join(s.Dir, name), []byte(text))
			}
			sites = append(sites, s)
		}
	}
	address := serve(t, dir, sites)
	statuses := map[string]int{}
	for _, s := range sites {
		t.Run(s.Name, func(t *testing.T) { s.compareAnswers(t, address+s.Name, statuses) })
	}
	for host := range randomSettings {
		for _, kind := range []string{" 200", " 301", " 404", " noindex"} {
			if statuses[host+kind] < 20 {
				t.Errorf("only %d answers of%s: %v", statuses[host+kind], kind, statuses)
			}
		}
	}
}

// compareAnswers asks the server and the package for every path.
func (s served) compareAnswers(t *testing.T, address string, statuses map[string]int) {
	base, _ := mapping.ParseBase(s.Base)
	publish := filepath.Join(s.Dir, "public")
	site, diags, err := Load(Input{
		Name: s.Host, Root: os.DirFS(s.Dir), Publish: os.DirFS(publish), RootName: ".", PublishName: "public", Base: base,
	})
	if err != nil || len(diags) > 0 {
		t.Fatal(err, diags)
	}
	exists := func(file string) bool { return isFile(os.DirFS(publish), file) }
	for _, p := range randomPaths() {
		got := site.Answer(p, exists)
		_, noIndex := site.NoIndex(p)
		want := fetch(t, address, p)
		if want.location == p {
			continue // a loop, in which we take the rule for none
		}
		statuses[fmt.Sprint(s.Host, " ", want.status)]++
		if got.Status != want.status || got.To != want.location && !same(want.location, got.To, s.Base) || got.File != "" && got.File != want.body {
			t.Errorf("%s is answered %d, %q, %q (%s); the server answers %d, %q, %q",
				p, got.Status, got.File, got.To, got.Text, want.status, want.body, want.location)
		}
		if want.status != http.StatusOK {
			continue
		}
		if noIndex {
			statuses[s.Host+" noindex"]++
		}
		if noIndex != want.noIndex {
			t.Errorf("%s is noindex: %v; the server: %v", p, noIndex, want.noIndex)
		}
	}
	if t.Failed() {
		for _, name := range []string{"firebase.json", "public/staticwebapp.config.json", "public/_redirects"} {
			if src, err := os.ReadFile(filepath.Join(s.Dir, name)); err == nil {
				t.Logf("%s:\n%s", name, src)
			}
		}
	}
}

// A fetched is what a server has sent.
type fetched struct {
	status         int
	location, body string
	noIndex        bool
}

func fetch(t *testing.T, address, path string) fetched {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Get(address + (&url.URL{Path: path}).EscapedPath())
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fetched{res.StatusCode, res.Header.Get("Location"), string(body), page.ParseRobots(res.Header.Get("X-Robots-Tag")).NoIndex()}
}

// A random makes sites and rules by chance.
type random struct{ *rand.Rand }

func (r *random) pick(all ...string) string { return all[r.IntN(len(all))] }

func (r *random) half() bool { return r.IntN(2) == 0 }

var randomNames = []string{"a", "b", "c/d", "c/e", "f", "g.h", "old/i"}

// files are those of a site.
func (r *random) files() []string {
	files := []string{"index.html", "x.css"}
	for _, name := range randomNames {
		for _, end := range []string{".html", "/index.html"} {
			if r.IntN(3) == 0 {
				files = append(files, name+end)
			}
		}
	}
	return files
}

// randomPaths are all that may be asked for.
func randomPaths() []string {
	all := []string{"/", "/index.html", "/index", "/x.css", "/none", "/none/", "/old", "/old/", "/c/"}
	for _, name := range randomNames {
		for _, end := range []string{"", "/", ".html", "/index.html", "/index"} {
			all = append(all, "/"+name+end)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// path is one that a rule may name.
func (r *random) path() string {
	return "/" + r.pick(randomNames...) + r.pick("", "/", "", ".html", "/index.html")
}

func (r *random) firebase() map[string]string {
	source := func() map[string]any {
		m := map[string]any{}
		switch r.IntN(6) {
		case 0:
			m["regex"] = r.pick(`^/c/(.*)$`, `/[ab]$`, `d`, `^/(?:a|b)/$`, `index`, `^/old/.*$`)
		case 1:
			m["source"] = r.pick("/c/*", "/c/**", "**/index.html", "/*", "**/*.@(html|css)", "/{a,b}", "/{a,c/d}.html", "/[ab]", "/?", "!/{a,b,c}/**", "old/**", "/*.html", "/+(a|b)", "/?(a)b", "**/i", "/*(a|c)/d", "/**/d/**", "/@(a|c)*")
		default:
			m["source"] = r.path()
		}
		return m
	}
	hosting := map[string]any{"public": "public"}
	if r.half() {
		hosting["cleanUrls"] = r.half()
	}
	if r.half() {
		hosting["trailingSlash"] = r.half()
	}
	var redirects, headers []map[string]any
	for range r.IntN(4) {
		m := source()
		m["destination"] = r.pick(r.path(), "https://other.example.com/x", "/target")
		if r.half() {
			m["type"] = []int{301, 302}[r.IntN(2)]
		}
		redirects = append(redirects, m)
	}
	if r.half() {
		named := [][2]string{{"/c/:x", "/t/:x"}, {"/old/:x*", "/t/:x*"}, {"/:x/i", "/t/:x"}, {"/:x.html", "/t/:x"}, {"/c/(.*)", "/:0"}, {"/ol*", "/y/:0*"}}[r.IntN(6)]
		redirects = append(redirects, map[string]any{"source": named[0], "destination": named[1]})
	}
	if r.half() {
		redirects = append(redirects, map[string]any{"regex": `^/c/([a-z])(\.html)?$`, "destination": "/r/:1"})
	}
	for range r.IntN(4) {
		m := source()
		m["headers"] = []map[string]any{{"key": "X-Robots-Tag", "value": r.pick("noindex", "none", "all", "nofollow")}}
		headers = append(headers, m)
	}
	if redirects != nil {
		hosting["redirects"] = redirects
	}
	if headers != nil {
		hosting["headers"] = headers
	}
	src, _ := json.MarshalIndent(map[string]any{"hosting": hosting}, "", " ")
	return map[string]string{"firebase.json": string(src)}
}
