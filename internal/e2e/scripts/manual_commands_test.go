package scripts

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sitewalk/sitewalk/internal/cli"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

// pastedSite is the site for the commands and configurations of the manual. A server with the
// same pages replaces the live site at https://example.com.
const pastedSite = `
-- public/index.html --
<!doctype html><title>Home</title><main>Home <a href="/about/">About</a> <a href="/the/page/">Page</a> <a href="/guide/first/">First</a></main>
-- public/about/index.html --
<!doctype html><title>About</title><main>About</main>
-- public/the/page/index.html --
<!doctype html><title>Page</title><main>Page</main>
-- public/guide/first/index.html --
<!doctype html><title>First</title><main>First</main>
-- public/404.html --
<!doctype html><title>Not found</title><main>Not found</main>
-- public/robots.txt --
Sitemap: https://example.com/sitemap.xml
-- public/de/index.html --
<!doctype html><title>Start</title><main>Start <a href="/">en</a></main>
-- public/sitemap.xml --
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>
-- sitemap.xml --
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>
-- projects/a/sitemap.xml --
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/a/</loc></url></urlset>
-- docs/about.md --
# About
-- apps/blog/hugo.toml --
baseURL = "https://example.com/"
-- apps/blog/public/index.html --
<!doctype html><title>Blog</title><main>Blog</main>
-- apps/docs/mkdocs.yml --
site_url: https://example.com/docs/
-- apps/docs/site/index.html --
<!doctype html><title>Docs</title><main>Docs</main>
`

var (
	pastedBlock = regexp.MustCompile("(?ms)^```(sh|yaml)\n(.*?)^```$")
	pastedKey   = regexp.MustCompile(`^([a-z_]+):`)
)

// TestManualCommands runs the sitewalk commands in the manual, and builds with each of its
// configurations. TestBuildCommands in internal/e2e/channels runs the commands with npx.
func TestManualCommands(t *testing.T) {
	testsite.ChdirToRoot(t)
	pages, _ := filepath.Glob("docs/*.md")
	numRuns := 0
	for _, name := range append(pages, "README.md") {
		var commands []string // of the whole page; they run in order in one folder
		for _, block := range pastedBlock.FindAllStringSubmatch(contents(t, name), -1) {
			key := pastedKey.FindStringSubmatch(block[2])
			switch {
			case block[2] == "sitewalk init\n": // in a separate copy, so that the next blocks do not use its sitemap.yaml
				t.Run(name+": init", func(t *testing.T) { runPasted(t, "", pastedCommands(block[2])) })
			case block[1] == "sh":
				commands = append(commands, pastedCommands(block[2])...)
			case name == "docs/front-matter.md" || strings.Contains(block[2], "script:"): // the block is not a sitemap.yaml
			case key != nil && slices.Contains(topLevelKeys(), key[1]):
				numRuns++
				t.Run(name+": "+key[0], func(t *testing.T) { runPasted(t, block[2], []string{"sitewalk build --dry-run"}) })
			}
		}
		numRuns += len(commands)
		t.Run(name, func(t *testing.T) { runPasted(t, "", commands) })
	}
	if numRuns < 40 {
		t.Errorf("the manual has %d commands and configurations, want at least 40", numRuns)
	}
}

// topLevelKeys returns the top-level keys of sitemap.yaml.
func topLevelKeys() []string {
	return slices.DeleteFunc(config.Keys(), func(key string) bool { return strings.Contains(key, ".") })
}

// pastedCommands returns the command lines of sitewalk in a shell block.
func pastedCommands(block string) (lines []string) {
	for line := range strings.Lines(block) {
		line, _, _ = strings.Cut(line, "  #")
		for _, command := range strings.Split(line, "&&") {
			command, _, _ = strings.Cut(strings.TrimPrefix(command, "list-urls | "), " | ")
			command = strings.TrimSpace(strings.ReplaceAll(command, "'", ""))
			// watch does not end, and Google requires an account. submit would send requests.
			if strings.HasPrefix(command+" ", "sitewalk ") && !strings.Contains(command, " watch ") && !strings.Contains(command, " --google") {
				lines = append(lines, strings.ReplaceAll(command, " submit ", " submit --dry-run "))
			}
		}
	}
	return lines
}

// runPasted runs command lines in a new copy of the site and checks that each succeeds.
func runPasted(t *testing.T, config string, lines []string) {
	dir := t.TempDir()
	live := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(dir, "public"))))
	defer live.Close()
	withLiveURL := func(text string) string { return strings.ReplaceAll(text, "https://example.com", live.URL) }
	site := txtar.Parse([]byte(withLiveURL(pastedSite)))
	if config != "" {
		site.Files = append(site.Files, txtar.File{Name: "sitemap.yaml", Data: []byte(withLiveURL(config))})
	}
	if err := txtar.Write(site, dir); err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if strings.Contains(line, "--live") && !strings.Contains(line, "--rate") {
			line += " --rate 1000" // do not wait between requests
		}
		var out bytes.Buffer
		code := cli.Run(t.Context(), cli.Env{
			Args: strings.Fields(withLiveURL(line))[1:], Stdin: strings.NewReader(live.URL + "/\n"), Stdout: &out, Stderr: &out,
			Getenv: func(name string) string { return map[string]string{"SITEWALK_BASE_URL": live.URL + "/"}[name] }, Dir: dir, Now: time.Now,
		})
		if code != 0 {
			t.Errorf("%s: exit code %d\n%s", line, code, &out)
		}
	}
}
