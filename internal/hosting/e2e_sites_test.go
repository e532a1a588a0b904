//go:build e2e

package hosting

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// builtSites lists sites in the testdata of internal/e2e, the commands that build them, and their
// base URLs.
var builtSites = []struct {
	name, publish, base string
	build               []string
}{
	{"hugo", "public", "https://example.internal/docs/", []string{"hugo", "--quiet"}},
	{"jekyll", "_site", "https://example.internal/lake/", []string{"jekyll", "build", "--quiet"}},
}

// hostFiles lists the configuration files that the test adds to the built sites, for each host.
// They redirect one page and forbid indexing of others.
var hostFiles = map[string]map[string]string{
	"netlify": {
		"public/_redirects": "/about/* /:splat 301!\n/gone /guide/ 301\n",
		"public/_headers":   "/guide/second/\n  X-Robots-Tag: noindex\n",
	},
	"cloudflare": {
		"public/_redirects": "/about/ / 301\n",
		"public/_headers":   "/guide/*\n  X-Robots-Tag: none\n",
	},
	"vercel": {"vercel.json": `{"cleanUrls": true, "trailingSlash": false,
		"redirects": [{"source": "/about", "destination": "/"}],
		"headers": [{"source": "/guide/(.*)", "headers": [{"key": "X-Robots-Tag", "value": "noindex"}]}]}`},
	"firebase": {"firebase.json": `{"hosting": {"public": "public", "cleanUrls": true, "trailingSlash": false,
		"redirects": [{"source": "/about", "destination": "/"}],
		"headers": [{"source": "/guide/**", "headers": [{"key": "X-Robots-Tag", "value": "noindex"}]}]}}`},
	"azure": {"public/staticwebapp.config.json": `{"trailingSlash": "never",
		"routes": [{"route": "/about*", "redirect": "/", "statusCode": 301},
			{"route": "/guide/*", "headers": {"X-Robots-Tag": "noindex"}}]}`},
	"gitlab": {"public/_redirects": "/nowhere /guide/ 301\n"},
	"github": nil,
	"render": nil,
	"nginx":  nil,
	"s3":     nil,

	"readthedocs": nil,
}

// TestBuiltSitesServed serves sites built by Hugo and Jekyll as each host does. Every listed URL
// must answer with status 200, without a redirect, and with an indexable page whose canonical link
// is this URL. For every page that is left out, the answer must show the reason.
func TestBuiltSitesServed(t *testing.T) {
	for _, h := range platforms {
		if _, ok := hostFiles[h.name]; h.read != nil && !ok && !slices.Contains(hostsNotServed, h.name) {
			t.Errorf("%s reads files of its own, but hostFiles has none", h.name)
		}
	}
	dir := installPackages(t)
	binary := filepath.Join(dir, "sitewalk")
	run(t, ".", nil, "go", "build", "-o", binary, "github.com/sitewalk/sitewalk")
	var sites []served
	for _, g := range builtSites {
		src := filepath.Join(dir, "src", g.name)
		if err := os.CopyFS(src, os.DirFS(filepath.Join("..", "e2e", "testdata", g.name))); err != nil {
			t.Fatal(err)
		}
		run(t, src, nil, generatorPath(g.build[0]), g.build[1:]...)
		for host, files := range hostFiles {
			s := served{Name: g.name + "-" + host, Host: host, Dir: filepath.Join(dir, "built", g.name+"-"+host), Base: g.base}
			if err := os.CopyFS(filepath.Join(s.Dir, "public"), os.DirFS(filepath.Join(src, g.publish))); err != nil {
				t.Fatal(err)
			}
			for name, text := range files {
				write(t, filepath.Join(s.Dir, name), []byte(text))
			}
			write(t, filepath.Join(s.Dir, "sitemap.yaml"), []byte("host: "+host+"\npages: {dir: public}\n"))
			sites = append(sites, s)
		}
	}
	address := startServer(t, dir, sites)
	for _, s := range sites {
		t.Run(s.Name, func(t *testing.T) { s.checkExplanations(t, binary, address+s.Name+"/") })
	}
}

// generatorPath returns the path of a generator in SITEWALK_TOOLS, or name if there is none.
func generatorPath(name string) string {
	if own := filepath.Join(os.Getenv("SITEWALK_TOOLS"), "bin", name); os.Getenv("SITEWALK_TOOLS") != "" {
		if _, err := os.Stat(own); err == nil {
			return own
		}
	}
	return name
}

func (s served) checkExplanations(t *testing.T, binary, address string) {
	listed, out := 0, 0
	for _, e := range explain(t, binary, s) {
		path, ok := strings.CutPrefix(e.URL, s.Base)
		if !ok {
			continue // the file has no valid URL
		}
		a := s.request(t, address, path, e.URL)
		if e.Listed {
			listed++
			if a.status != 200 || a.reason != page.Listed {
				t.Errorf("%s is listed as %s, which answers %d: %s", e.Target, e.URL, a.status, a.reason)
			}
			continue
		}
		out++
		if !a.confirms(e.Verdict.Reason) {
			t.Errorf("%s is out by %s, but %s answers %d: %s", e.Target, e.Verdict.Reason, e.URL, a.status, a.reason)
		}
	}
	if s.countSitemapURLs(t, binary) != listed {
		t.Errorf("the sitemap does not list the %d pages that explain lists", listed)
	}
	if listed < 5 || out < 3 {
		t.Errorf("only %d listed pages and %d left out were looked at", listed, out)
	}
}

// countSitemapURLs returns the number of URLs in the sitemap.
func (s served) countSitemapURLs(t *testing.T, binary string) int {
	out := run(t, s.Dir, nil, binary, "build", "-b", s.Base, "-o", "-", "--format", "txt", "-q")
	return bytes.Count(out, []byte("\n"))
}

// A servedAnswer is the status of a response, and the reason for which a crawler would not index
// it.
type servedAnswer struct {
	status int
	reason page.Reason
}

// confirms reports whether the answer shows the given reason. For a reason that a response cannot
// show, such as "excluded", it returns true.
func (a servedAnswer) confirms(reason string) bool {
	switch reason {
	case "noindex", "canonical":
		return a.reason.String() == reason
	case "redirect":
		return a.status >= 300 || a.reason == page.Redirect
	case "error-page", "verification", "robots", "rule", "opted-out", "excluded":
		return true // the response cannot show these reasons
	}
	return false
}

// request requests a page as a crawler does.
func (s served) request(t *testing.T, address, path, loc string) (a servedAnswer) {
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Get(address + path)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	a.status = res.StatusCode
	if page.ParseRobots(res.Header.Get("X-Robots-Tag")).NoIndex("googlebot") {
		a.reason = page.NoIndex
		return a
	}
	body, _ := io.ReadAll(res.Body)
	if a.status == 200 && len(body) == 0 {
		t.Errorf("%s has no body", loc)
	}
	var f page.Facts
	if err := page.NewReader(page.Options{}).ReadHTML(bytes.NewReader(body), &f); err != nil {
		t.Fatal(err)
	}
	switch {
	case f.Skips.First().Reason != page.Listed:
		a.reason = f.Skips.First().Reason
	case f.Canonical != "" && mapping.SpellingKey(f.Canonical) != mapping.SpellingKey(loc):
		a.reason = page.Canonical
	}
	return a
}
