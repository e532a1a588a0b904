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

// TestComparison runs other tools with their defaults on the sample site. It checks that the table in
// the README has the numbers of URLs that sitewalk for Netlify and the tools list.
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
	if err := json.Unmarshal([]byte(s.run(self, ".", "-b", base, "--host", "netlify", "--json", "-n")), &report); err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{} // by normalized URL
	var listed []string
	for _, p := range report.Pages {
		if p.Reason == "" {
			listed = append(listed, p.URL)
		}
		reasons[normalizeURL(p.URL)] = p.Reason
	}
	sscli := strings.Split(strings.TrimSpace(s.run("node", toolPath(t, "static-sitemap-cli/src/cli.js"), "-b", base, "-f", "txt", "-o")), "\n")
	plugin := parseLocs(s.run("node", "-e", `require(process.argv[1]).onPostBuild({
  constants: { PUBLISH_DIR: process.cwd() }, utils: { build: {} },
  inputs: { baseUrl: process.argv[2], exclude: [], prettyURLs: true, changeFreq: "weekly", priority: 0.8, trailingSlash: false },
}).then(() => console.log(require("fs").readFileSync("sitemap.xml", "utf8")))`, toolPath(t, "@netlify/plugin-sitemap"), base))

	table := "| | sitewalk | static-sitemap-cli | @netlify/plugin-sitemap |\n|---|---|---|---|\n"
	for _, row := range []struct {
		name    string
		matches func(loc string) bool
	}{
		{"URLs listed", func(string) bool { return true }},
		{"of them with `noindex`", func(loc string) bool { return reasons[normalizeURL(loc)] == "noindex" }},
		{"that only redirect", func(loc string) bool { return reasons[normalizeURL(loc)] == "redirect" }},
		{"whose canonical is another page", func(loc string) bool { return reasons[normalizeURL(loc)] == "canonical" }},
		{"that are error pages", func(loc string) bool { return reasons[normalizeURL(loc)] == "error-page" }},
		{"that the host redirects to add a slash", func(loc string) bool { return isFolder(s.dir, loc) && !strings.HasSuffix(loc, "/") }},
		{"with characters that a URL cannot contain", func(loc string) bool { return strings.ContainsFunc(loc, func(r rune) bool { return r > '~' }) }},
	} {
		table += fmt.Sprintf("| %s | %d | %d | %d |\n", row.name, count(listed, row.matches), count(sscli, row.matches), count(plugin, row.matches))
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), table) {
		t.Errorf("the README does not contain this table:\n%s", table)
	}
}

// parseLocs returns the URLs of a sitemap.
func parseLocs(sitemap string) (all []string) {
	for _, m := range regexp.MustCompile(`<loc>([^<]*)</loc>`).FindAllStringSubmatch(sitemap, -1) {
		all = append(all, m[1])
	}
	return all
}

// normalizeURL returns a URL without escapes, extension, index and trailing slash.
func normalizeURL(loc string) string {
	if plain, err := url.PathUnescape(loc); err == nil {
		loc = plain
	}
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(loc, ".html"), "index"), "/")
}

// isFolder reports whether the URL belongs to a folder below dir, except dir itself.
func isFolder(dir, loc string) bool {
	_, path, _ := strings.Cut(normalizeURL(loc), "example.com")
	info, err := os.Stat(filepath.Join(dir, path))
	return err == nil && info.IsDir() && path != ""
}

// count returns the number of URLs for which matches is true.
func count(locs []string, matches func(string) bool) (n int) {
	for _, loc := range locs {
		if matches(loc) {
			n++
		}
	}
	return n
}
