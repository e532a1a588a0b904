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
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// randomSettings maps each host to a function that returns its configuration files for a random
// site. The files contain all kinds of settings, and rules for paths that the site may have.
var randomSettings = map[string]func(r *random) map[string]string{
	"firebase":   (*random).firebase,
	"azure":      (*random).azure,
	"gitlab":     (*random).gitlab,
	"cloudflare": (*random).workers,
}

// TestRandomAnswers compares the answers for all paths of random sites with the answers of the
// hosts' own servers.
func TestRandomAnswers(t *testing.T) {
	dir := installPackages(t)
	var sites []served
	for host, settings := range randomSettings {
		for i := range 60 {
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
	address := startServer(t, dir, sites)
	statuses := map[string]int{}
	for _, s := range sites {
		t.Run(s.Name, func(t *testing.T) { s.compareAnswers(t, filepath.Join(s.Dir, "public"), address+s.Name, statuses) })
	}
	for host := range randomSettings {
		for _, kind := range []string{" 200", " 404"} {
			if statuses[host+kind] < 20 {
				t.Errorf("only %d answers of%s: %v", statuses[host+kind], kind, statuses)
			}
		}
	}
}

// compareAnswers compares the server's answer for every path with the answer that the package
// predicts.
func (s served) compareAnswers(t *testing.T, publish, address string, statuses map[string]int) {
	base, _ := mapping.ParseBase(s.Base)
	site, diags := Load(Input{
		Name: s.Host, Root: os.DirFS(s.Dir), Publish: os.DirFS(publish), RootName: ".", PublishName: "public", Base: base,
	})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	exists := func(file string) bool { return isFile(os.DirFS(publish), file) }
	for _, p := range randomPaths() {
		got := site.Answer(p, exists)
		_, hasNoIndex := site.NoIndexRule(p)
		want := fetch(t, address, p)
		want.location, got.To = trimServerAndBase(base, want.location), trimServerAndBase(base, got.To)
		if strings.Contains(want.location, "/TestRealServers") {
			want.status, want.location = http.StatusNotFound, "" // Apache redirects to the path of the folder on its disk
		}
		if want.status == http.StatusInternalServerError || got.Status == http.StatusInternalServerError { // a redirect loop, in which sitewalk may ignore the rule
			continue
		}
		if want.location == p+"/" && isFolder(publish, p) && got.File == "" {
			continue // a folder without an index file
		}
		if want.location == p || got.File == "" && got.To == "" && isFolder(publish, p) {
			continue // a redirect loop, in which sitewalk ignores the rule, or a folder without an index file
		}
		fallback := s.Host == "apache" && got.File == "" && got.Status == http.StatusOK
		if fallback && (want.status == http.StatusOK || want.status == http.StatusForbidden) {
			continue // Apache applies the headers and rules of the fallback file
		}
		statuses[fmt.Sprint(s.Host, " ", want.status)]++
		if got.Status != want.status || got.To != want.location && !isSameAddress(want.location, got.To, s.Base) || got.File != "" && got.File != want.body {
			t.Errorf("%s is answered %d, %q, %q (%s); the server answers %d, %q, %q",
				p, got.Status, got.File, got.To, got.Text, want.status, want.body[:min(40, len(want.body))], want.location)
		}
		if want.status != http.StatusOK {
			continue
		}
		if hasNoIndex {
			statuses[s.Host+" noindex"]++
		}
		if hasNoIndex != want.hasNoIndex {
			t.Errorf("%s is noindex: %v; the server: %v", p, hasNoIndex, want.hasNoIndex)
		}
	}
	if t.Failed() {
		for _, name := range []string{"firebase.json", "public/staticwebapp.config.json", "public/_redirects", "public/_headers", "wrangler.json", ".htaccess"} {
			if src, err := os.ReadFile(filepath.Join(s.Dir, name)); err == nil {
				t.Logf("%s:\n%s", name, src)
			}
		}
		below, _ := filepath.Glob(filepath.Join(s.Dir, "*", ".htaccess"))
		deeper, _ := filepath.Glob(filepath.Join(s.Dir, "*", "*", ".htaccess"))
		for _, name := range append(below, deeper...) {
			src, _ := os.ReadFile(name)
			t.Logf("%s:\n%s", name, src)
		}
	}
}

// isFolder reports whether urlPath is the path of a folder. Servers differ in how they answer for
// folders.
func isFolder(publish, urlPath string) bool {
	info, err := os.Stat(filepath.Join(publish, filepath.FromSlash(urlPath)))
	return err == nil && info.IsDir()
}

// trimServerAndBase returns location, the target of a redirect, without the address of the test
// server and without the path of the base URL.
func trimServerAndBase(base mapping.Base, location string) string {
	if u, err := url.Parse(location); err == nil && u.Hostname() == "127.0.0.1" {
		location = strings.TrimPrefix(location, "http://"+u.Host)
	}
	if rest, ok := strings.CutPrefix(location, strings.TrimSuffix(base.Prefix(), "/")); ok && strings.HasPrefix(rest, "/") {
		return rest
	}
	return location
}

// A fetched is the answer of a server.
type fetched struct {
	status         int
	location, body string
	hasNoIndex     bool
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
	return fetched{res.StatusCode, res.Header.Get("Location"), string(body), page.ParseRobots(strings.Join(res.Header.Values("X-Robots-Tag"), ", ")).NoIndex("googlebot")}
}

// A random creates random sites and rules.
type random struct{ *rand.Rand }

func (r *random) pick(all ...string) string { return all[r.IntN(len(all))] }

func (r *random) half() bool { return r.IntN(2) == 0 }

var randomNames = []string{"a", "b", "c/d", "c/e", "f", "g.h", "old/i"}

// files returns the files of a random site.
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

// randomPaths returns the paths that the tests request.
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

// path returns a random path for a rule.
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
			m["source"] = r.pick("/c/*", "/c/**", "**/index.html", "/*", "**/*.@(html|css)", "/{a,b}", "/{a,c/d}.html", "/[ab]", "/?", "!/{a,b,c}/**", "old/**", "/*.html", "/@(a|b)", "/?(a)b", "**/i", "/{a,c}/d", "/**/d/**", "/@(a|c)*")
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
		named := [][2]string{{"/c/:x", "/t/:x"}, {"/old/:x*", "/t/:x*"}, {"/:x/i", "/t/:x"}, {"/:x.html", "/t/:x"}, {"/c/(.*)/:x", "/:x"}, {"/ol*/:x", "/y/:x"}}[r.IntN(6)]
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

func (r *random) azure() map[string]string {
	route := func() string {
		if r.half() {
			return r.pick("/c/*", "/old/*", "/*.html", "/c/*.{html,css}", "*", "/c/*.html", "/*.{css}", "/c/index.html", "/none/*")
		}
		return r.path()
	}
	config := map[string]any{}
	if r.half() {
		config["trailingSlash"] = r.pick("always", "never", "auto")
	}
	routes := []map[string]any{}
	for range r.IntN(5) {
		m := map[string]any{"route": route()}
		switch r.IntN(6) {
		case 0:
			m["redirect"] = r.pick(r.path(), "https://other.example.com/x")
		case 1:
			m["redirect"], m["statusCode"] = r.pick(r.path(), "/target"), []int{301, 302}[r.IntN(2)]
		case 2:
			m["statusCode"] = []int{404, 403}[r.IntN(2)]
		case 3:
			m["allowedRoles"] = [][]string{{"anonymous"}, {"authenticated"}, {"anonymous", "admin"}}[r.IntN(3)]
		case 4:
			m["rewrite"] = "/index.html"
		}
		if r.half() {
			m["headers"] = map[string]string{r.pick("X-Robots-Tag", "x-robots-tag", "Cache-Control"): r.pick("noindex", "none", "all", "")}
		}
		if r.IntN(4) == 0 {
			m["methods"] = [][]string{{"GET"}, {"POST"}, {"GET", "HEAD"}}[r.IntN(3)]
		}
		routes = append(routes, m)
	}
	config["routes"] = routes
	if r.IntN(3) == 0 {
		config["globalHeaders"] = map[string]string{"X-Robots-Tag": r.pick("noindex", "all")}
	}
	if r.IntN(3) == 0 {
		config["navigationFallback"] = map[string]any{"rewrite": "/index.html", "exclude": []string{r.pick("/c/*", "/*.{css,png}", "/old/*"), "/none"}}
	}
	src, _ := json.MarshalIndent(config, "", " ")
	return map[string]string{"public/staticwebapp.config.json": string(src)}
}

func (r *random) gitlab() map[string]string {
	rules := ""
	for range r.IntN(6) {
		from, to := r.path(), r.pick(r.path(), "https://other.example.com/x")
		if r.half() {
			from, to = r.pick("/c/*", "/*", "/:a/i", "/old/:name", "/*/d"), r.pick("/t/:splat", "/t/:a/:name", "/t//:splat/x", "/target")
		}
		rules += from + " " + to + r.pick("", " 301", " 302", " 200") + "\n"
	}
	rules = strings.ReplaceAll(rules, "https://other.example.com/x 200", "/index.html 200")
	return map[string]string{"public/_redirects": "# rules\n" + rules}
}

func (r *random) workers() map[string]string {
	config := map[string]any{"assets": map[string]string{
		"directory": "public", "html_handling": r.pick("auto-trailing-slash", "force-trailing-slash", "drop-trailing-slash", "none"),
	}}
	src, _ := json.Marshal(config)
	rules, headers, seen := "", "", map[string]bool{}
	for range r.IntN(4) {
		if from := r.path(); !seen[from] {
			seen[from] = true
			rules += from + " " + r.pick("/target", "https://other.example.com/x") + r.pick("", " 301", " 308") + "\n"
		}
	}
	for range r.IntN(3) {
		headers += r.pick("/c/*", "/*", r.path()) + "\n  " + r.pick("X-Robots-Tag: noindex", "! X-Robots-Tag", "X-Robots-Tag: all") + "\n"
	}
	return map[string]string{"wrangler.json": string(src), "public/_redirects": rules, "public/_headers": headers}
}
