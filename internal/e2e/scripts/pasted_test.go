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

// pastedSite is the site on which the blocks of the manual are tried. The live site is
// that of the base URL, and has the same pages.
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

// TestPasted runs the commands of the manual that call sitewalk, and builds with each
// configuration in it, as somebody does who pastes them. Commands by npx are run by
// TestBuildCommands.
func TestPasted(t *testing.T) {
	testsite.ChdirToRoot(t)
	pages, _ := filepath.Glob("docs/*.md")
	tried := 0
	for _, name := range append(pages, "README.md") {
		var commands []string // of the whole page, of which the later ones may need the earlier
		for _, block := range pastedBlock.FindAllStringSubmatch(contents(t, name), -1) {
			key := pastedKey.FindStringSubmatch(block[2])
			switch {
			case block[2] == "sitewalk init\n": // its sitemap.yaml is for this site, and not for the next block's
				t.Run(name+": init", func(t *testing.T) { paste(t, "", pastedCommands(block[2])) })
			case block[1] == "sh":
				commands = append(commands, pastedCommands(block[2])...)
			case name == "docs/front-matter.md" || strings.Contains(block[2], "script:"): // no sitemap.yaml
			case key != nil && slices.Contains(configKeys(), key[1]):
				tried++
				t.Run(name+": "+key[0], func(t *testing.T) { paste(t, block[2], []string{"sitewalk build --dry-run"}) })
			}
		}
		tried += len(commands)
		t.Run(name, func(t *testing.T) { paste(t, "", commands) })
	}
	if tried < 40 {
		t.Errorf("only %d commands and configurations were found", tried)
	}
}

// configKeys returns the keys at the top of sitemap.yaml.
func configKeys() []string {
	return slices.DeleteFunc(config.Keys(), func(key string) bool { return strings.Contains(key, ".") })
}

// pastedCommands returns the command lines of sitewalk in a block for a shell.
func pastedCommands(block string) (lines []string) {
	for line := range strings.Lines(block) {
		line, _, _ = strings.Cut(line, "  #")
		for _, command := range strings.Split(line, "&&") {
			command, _, _ = strings.Cut(strings.TrimPrefix(command, "list-urls | "), " | ")
			command = strings.TrimSpace(strings.ReplaceAll(command, "'", ""))
			// watch does not end, Google asks for an account, and submit sends.
			if strings.HasPrefix(command+" ", "sitewalk ") && !strings.Contains(command, " watch ") && !strings.Contains(command, " --google") {
				lines = append(lines, strings.ReplaceAll(command, " submit ", " submit --dry-run "))
			}
		}
	}
	return lines
}

// paste runs command lines in a fresh copy of the site, of which each has to succeed.
func paste(t *testing.T, config string, lines []string) {
	dir := t.TempDir()
	live := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(dir, "public"))))
	defer live.Close()
	here := func(text string) string { return strings.ReplaceAll(text, "https://example.com", live.URL) }
	site := txtar.Parse([]byte(here(pastedSite)))
	if config != "" {
		site.Files = append(site.Files, txtar.File{Name: "sitemap.yaml", Data: []byte(here(config))})
	}
	if err := txtar.Write(site, dir); err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if strings.Contains(line, "--live") && !strings.Contains(line, "--rate") {
			line += " --rate 1000" // nothing waits
		}
		var out bytes.Buffer
		code := cli.Run(t.Context(), cli.Env{
			Args: strings.Fields(here(line))[1:], Stdin: strings.NewReader(live.URL + "/\n"), Stdout: &out, Stderr: &out,
			Getenv: func(name string) string { return map[string]string{"SITEWALK_BASE_URL": live.URL + "/"}[name] }, Dir: dir, Now: time.Now,
		})
		if code != 0 {
			t.Errorf("%s: exit code %d\n%s", line, code, &out)
		}
	}
}
