//go:build e2e && linux

package channels

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ours finds build commands that take sitewalk for installed.
var ours = regexp.MustCompile("(?:(?:hugo|(?:run|astro|jekyll) build) && |run: )sitewalk( |`|$)")

// spans finds code and strings in a line.
var spans = regexp.MustCompile("`[^`]+`|\"[^\"]+\"")

// fetching returns the commands of a text that fetch sitewalk: a code span, a string of
// a configuration, or a line.
func fetching(text string) (commands []string) {
	const fetch = "npx --yes sitewalk@"
	for line := range strings.Lines(text) {
		if !strings.Contains(line, fetch) {
			continue
		}
		all := []string{line}
		if found := spans.FindAllString(line, -1); slices.ContainsFunc(found, func(s string) bool { return strings.Contains(s, fetch) }) {
			all = found
		}
		for _, command := range all {
			command = strings.TrimSpace(command)
			if n := len(command) - 1; command[0] == command[n] { // a span
				command = command[1:n]
			}
			for _, prefix := range []string{"- ", "run: ", "&& "} {
				command = strings.TrimPrefix(command, prefix)
			}
			if strings.Contains(command, fetch) {
				commands = append(commands, command)
			}
		}
	}
	return commands
}

// TestBuildCommands runs every command of the README, the manual and the examples that
// fetches sitewalk by npx, with nothing at hand but what a platform has: a shell, git,
// Node, Hugo.
func TestBuildCommands(t *testing.T) {
	registry := newRegistry(t)
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("https://example.internal/\n")) }))
	t.Cleanup(live.Close)
	built, have := newHugoSite(t), t.TempDir()
	built.write("hugo.toml", built.read("hugo.toml")+"baseURL = 'https://example.internal/'\n")
	built.write("package.json", `{"name": "site", "private": true, "scripts": {"build": "mkdir -p dist _site && cp -r public/. dist && cp -r public/. _site"}}`)
	built.write("package-lock.json", `{"name": "site", "lockfileVersion": 3, "packages": {"": {"name": "site"}}}`)
	built.write("content/about.md", "About\n")
	built.do("hugo", "--quiet")
	built.do(self, "-q") // a recipe's earlier step
	built.do("npm", "run", "build")
	for _, name := range []string{"sh", "env", "git", "hugo", "node", "npm", "npx", "mkdir", "cp", "uname"} {
		real, err := filepath.EvalSymlinks(built.look(name))
		if err == nil {
			err = os.Symlink(real, filepath.Join(have, name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	site := func(t *testing.T) *session {
		s := newSession(t)
		if err := os.CopyFS(s.dir, os.DirFS(built.dir)); err != nil {
			t.Fatal(err)
		}
		s.env[0] = "PATH=" + have
		s.env = append(s.env, "npm_config_registry="+registry, "CI_PAGES_URL=https://example.internal")
		return s
	}
	commands := map[string]string{}
	for _, dir := range []string{"README.md", "docs", "integrations"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(file string, d fs.DirEntry, err error) error {
			if filepath.Base(file) == "start" && d.IsDir() { // TestTrials follows these pages
				return filepath.SkipDir
			}
			if err != nil || d.IsDir() || !strings.Contains(".md .yml .toml", path.Ext(file)) || path.Ext(file) == "" {
				return err
			}
			src, err := os.ReadFile(file)
			for _, command := range fetching(string(src)) {
				commands[command] = file
			}
			for _, m := range ours.FindAllString(string(src), -1) {
				if !strings.Contains(string(src), "uses: sitewalk/action@") {
					t.Errorf("%s: %q takes sitewalk for installed", file, m)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(commands) < 10 {
		t.Fatalf("only %d commands were found", len(commands))
	}
	for line, file := range commands {
		name, _ := filepath.Rel(root, file)
		t.Run(name+": "+line, func(t *testing.T) {
			t.Parallel()
			s := site(t)
			line := strings.NewReplacer("https://example.internal/sitemap.xml", live.URL, "git fetch --unshallow && ", "").Replace(withOwnAddress(line))
			if strings.Contains(line, ".cache/sitewalk/submitted.xml") { // an earlier run's
				s.write(".cache/sitewalk/submitted.xml", "https://example.internal/\n")
			}
			if strings.Contains(line, " submit ") { // to search engines, which are not asked here
				line = strings.Replace(line, "submit changes.json", "submit --help", 1)
			}
			if strings.Contains(line, " check --live") || strings.Contains(line, " submit --google") {
				line += " --help" // there is no live site here: flags are read; TestLive and the scripts ask one
			}
			if o := s.try("sh", "-c", line); o.code != 0 {
				t.Errorf("exit code %d\n%s%s", o.code, o.stdout, o.stderr)
			}
		})
	}
}
