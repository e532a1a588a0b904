//go:build e2e

package hosting

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// TestDiffAnswers compares the result of "sitewalk diff" for old URLs with the answers of servers
// that behave like the hosts. The sites and their rules are random.
func TestDiffAnswers(t *testing.T) {
	dir := installPackages(t)
	binary := filepath.Join(dir, "sitewalk")
	run(t, ".", nil, "go", "build", "-o", binary, "github.com/sitewalk/sitewalk")
	hosts := []string{"netlify", "cloudflare", "vercel", "github", "nginx", "s3"}
	var sites []served
	olds := map[string][]string{}
	for i := range 90 {
		rnd := rand.New(rand.NewPCG(uint64(i), 12))
		s := served{Name: fmt.Sprintf("random-%d", i), Host: hosts[i%len(hosts)], Base: "https://example.com/"}
		s.Dir = filepath.Join(dir, "random", s.Name)
		olds[s.Name] = randomPair(t, rnd, s)
		sites = append(sites, s)
	}
	address := startServer(t, dir, sites)
	classes := map[string]int{}
	for _, s := range sites {
		t.Run(s.Name+"-"+s.Host, func(t *testing.T) { s.confirmDiff(t, binary, address+s.Name, olds[s.Name], classes) })
	}
	for _, class := range []string{"lost", "badly moved", "hidden", "moved"} {
		if classes[class] < 20 {
			t.Errorf("only %d URLs were %s: %v", classes[class], class, classes)
		}
	}
}

// randomPair writes a random site with rules of its host. It returns the URLs of an older version
// of the site.
func randomPair(t *testing.T, rnd *rand.Rand, s served) (old []string) {
	names := []string{"a", "b", "c/d", "c/e", "f", "old/g", "h"}
	pick := func(all ...string) string { return all[rnd.IntN(len(all))] }
	path := func() string { return "/" + pick(names...) + pick("", "/", "", "/", ".html", "/index.html") }
	write(t, filepath.Join(s.Dir, "public", "index.html"), []byte("<title>Home</title>"))
	write(t, filepath.Join(s.Dir, "public", "404.html"), []byte("<title>Not found</title>"))
	for _, name := range names {
		if rnd.IntN(2) == 0 {
			head := pick("", "", "", "<meta name=robots content=noindex>")
			file := filepath.FromSlash(name + pick(".html", "/index.html"))
			write(t, filepath.Join(s.Dir, "public", file), []byte("<!doctype html><title>"+name+"</title>"+head))
		}
	}
	var rules strings.Builder
	var redirects []map[string]any
	for range rnd.IntN(6) {
		from, to := path(), path()
		if strings.Trim(from, "/") == strings.Trim(to, "/") {
			continue // hosts differ in how they treat a redirect to the same page
		}
		status := []int{301, 301, 302, 308, 307}[rnd.IntN(5)]
		switch s.Host {
		case "netlify", "cloudflare":
			if s.Host == "netlify" {
				status = []int{301, 301, 302}[rnd.IntN(3)]
			}
			fmt.Fprintf(&rules, "%s %s %d%s\n", from, to, status, map[bool]string{true: "!"}[s.Host == "netlify" && rnd.IntN(2) == 0])
		case "vercel":
			redirects = append(redirects, map[string]any{"source": strings.TrimSuffix(from, "/"), "destination": to, "statusCode": status})
		}
	}
	if rules.Len() > 0 {
		write(t, filepath.Join(s.Dir, "public", "_redirects"), []byte(rules.String()))
	}
	if s.Host == "vercel" {
		config := map[string]any{"redirects": redirects, "cleanUrls": rnd.IntN(2) == 0}
		if redirects == nil {
			delete(config, "redirects")
		}
		if rnd.IntN(2) == 0 {
			config["trailingSlash"] = rnd.IntN(2) == 0
		}
		src, _ := json.Marshal(config)
		write(t, filepath.Join(s.Dir, "vercel.json"), src)
	}
	write(t, filepath.Join(s.Dir, "sitemap.yaml"), []byte("host: "+s.Host+"\nbase_url: "+s.Base+"\npages: {dir: public}\n"))
	for range 20 {
		if loc := s.Base + path()[1:]; !slices.Contains(old, loc) {
			old = append(old, loc)
		}
	}
	write(t, filepath.Join(s.Dir, "old.txt"), []byte(strings.Join(old, "\n")+"\n"))
	return old
}

// confirmDiff compares the class of each old URL, such as "lost", with the server's answer.
func (s served) confirmDiff(t *testing.T, binary, address string, old []string, classes map[string]int) {
	cmd := exec.Command(binary, "diff", "old.txt", "--json", "--lastmod", "none")
	cmd.Dir = s.Dir
	src, _ := cmd.Output()
	var out struct {
		Error   string
		Changes struct {
			List []struct{ Class, URL, To, Reason string }
		}
	}
	if err := json.Unmarshal(src, &out); err != nil || out.Error != "" {
		t.Fatalf("%v %s\n%s", err, out.Error, src)
	}
	type change struct{ class, to, reason string }
	said := map[string]change{}
	for _, c := range out.Changes.List {
		said[c.URL] = change{c.Class, c.To, c.Reason}
	}
	for _, loc := range old {
		got := said[loc]
		if got.class == "" {
			got.class = "same"
		}
		classes[got.class]++
		want := s.followRedirects(t, address, strings.TrimPrefix(loc, strings.TrimSuffix(s.Base, "/")), said[loc].to)
		path := strings.TrimPrefix(loc, strings.TrimSuffix(s.Base, "/"))
		if bare := strings.TrimSuffix(strings.TrimSuffix(path, "index.html"), "/"); got.class == "hidden" && bare != path && bare != "" {
			answer := fetch(t, address, bare)
			to, err := url.Parse(answer.location)
			if err == nil && answer.status/100 == 3 && mapping.SpellingKey(to.Path) != mapping.SpellingKey(path) {
				continue // a rule for /a counts for the page, which the server also serves at /a/ and /a/index.html
			}
		}
		if !slices.Contains(want, got.class) {
			t.Errorf("%s is %s (%s, %s); the server answers as if it were %v", loc, got.class, got.to, got.reason, want)
		}
	}
}

// followRedirects requests a path and follows the redirects. It returns the classes that are right
// for the answers.
func (s served) followRedirects(t *testing.T, address, path, to string) []string {
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	var statuses []int
	start := path
	for seen := map[string]bool{}; ; {
		if seen[path] {
			return []string{"badly moved"} // a loop
		}
		seen[path] = true
		res, err := client.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		var f page.Facts
		if err := page.NewReader(page.Options{}).ReadHTML(bytes.NewReader(body), &f); err != nil {
			t.Fatal(err)
		}
		if res.StatusCode == 200 && len(body) == 0 {
			t.Errorf("%s is served without a body", path)
		}
		statuses = append(statuses, res.StatusCode)
		if res.StatusCode >= 300 && res.StatusCode < 400 {
			u, err := url.Parse(res.Header.Get("Location"))
			if err != nil {
				t.Fatal(err)
			}
			path = u.Path
			continue
		}
		if skip := f.Skips.First().Reason; skip != page.Listed && mapping.SpellingKey(path) == mapping.SpellingKey(start) {
			return []string{"hidden", "badly moved"} // if the page is hidden, or if a rule redirects it to another spelling of its URL
		}
		return classesOf(statuses, f.Skips.First().Reason)
	}
}

// classesOf returns the classes that are right for a URL. statuses contains the statuses of the
// redirects and of the last answer. skip is the reason to leave out the last page, or page.Listed.
func classesOf(statuses []int, skip page.Reason) []string {
	first, last := statuses[0], statuses[len(statuses)-1]
	hops := len(statuses) - 1
	switch {
	case hops == 0 && last == 200 && skip != page.Listed:
		return []string{"hidden"}
	case hops == 0 && last == 200:
		return []string{"same", "moved"} // the sitemap lists the same URL, or another URL of the page
	case hops == 0:
		return []string{"lost"}
	case last != 200:
		return []string{"badly moved", "lost"} // the host redirects to another spelling of a URL without a file
	case skip != page.Listed || hops > 1 || first != 301 && first != 308:
		return []string{"badly moved"}
	}
	return []string{"moved"}
}
