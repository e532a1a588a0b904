//go:build e2e && linux

package channels

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestComparison runs other tools with their defaults over the sample site, as on
// Netlify, and holds the README's table to what they list.
func TestComparison(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	if err := os.CopyFS(s.dir, os.DirFS(filepath.Join(root, "testdata/sample/public"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(s.dir, "sitemap.xml")); err != nil {
		t.Fatal(err)
	}
	const base = "https://example.com/"
	var report struct {
		Pages []struct{ URL, File, Reason string }
	}
	if err := json.Unmarshal([]byte(s.do(self, ".", "-b", base, "--host", "netlify", "--json", "-n")), &report); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{} // reasons by the address without its spelling
	var want []string
	for _, p := range report.Pages {
		if p.Reason == "" {
			want = append(want, p.URL)
		}
		out[plainly(p.URL)] = p.Reason
	}
	sscli := strings.Split(strings.TrimSpace(s.do("node", tools(t, "static-sitemap-cli/src/cli.js"), "-b", base, "-f", "txt", "-o")), "\n")
	plugin := locs(s.do("node", "-e", `require(process.argv[1]).onPostBuild({
  constants: { PUBLISH_DIR: process.cwd() }, utils: { build: {} },
  inputs: { baseUrl: process.argv[2], exclude: [], prettyURLs: true, changeFreq: "weekly", priority: 0.8, trailingSlash: false },
}).then(() => console.log(require("fs").readFileSync("sitemap.xml", "utf8")))`, tools(t, "@netlify/plugin-sitemap"), base))

	table := "| | sitewalk | static-sitemap-cli | @netlify/plugin-sitemap |\n|---|---|---|---|\n"
	for _, row := range []struct {
		name  string
		wrong func(loc string) bool
	}{
		{"URLs listed", func(string) bool { return true }},
		{"of them with `noindex`", func(loc string) bool { return out[plainly(loc)] == "noindex" }},
		{"that only redirect", func(loc string) bool { return out[plainly(loc)] == "redirect" }},
		{"whose canonical is another page", func(loc string) bool { return out[plainly(loc)] == "canonical" }},
		{"that are error pages", func(loc string) bool { return out[plainly(loc)] == "error-page" }},
		{"that the host redirects to add a slash", func(loc string) bool { return folder(s.dir, loc) && !strings.HasSuffix(loc, "/") }},
		{"with characters that a URL cannot contain", func(loc string) bool { return strings.ContainsFunc(loc, func(r rune) bool { return r > '~' }) }},
	} {
		table += fmt.Sprintf("| %s | %d | %d | %d |\n", row.name, number(want, row.wrong), number(sscli, row.wrong), number(plugin, row.wrong))
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), table) {
		t.Errorf("the README has not this table:\n%s", table)
	}
}

func locs(sitemap string) (all []string) {
	for _, m := range regexp.MustCompile(`<loc>([^<]*)</loc>`).FindAllStringSubmatch(sitemap, -1) {
		all = append(all, m[1])
	}
	return all
}

// plainly is an address without its spelling: neither slash, nor extension, nor
// escapes.
func plainly(loc string) string {
	if plain, err := url.PathUnescape(loc); err == nil {
		loc = plain
	}
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(loc, ".html"), "index"), "/")
}

// folder reports whether the page of an address is the index of a folder.
func folder(dir, loc string) bool {
	_, path, _ := strings.Cut(plainly(loc), "example.com")
	info, err := os.Stat(filepath.Join(dir, path))
	return err == nil && info.IsDir() && path != ""
}

func number(locs []string, counts func(string) bool) (n int) {
	for _, loc := range locs {
		if counts(loc) {
			n++
		}
	}
	return n
}
