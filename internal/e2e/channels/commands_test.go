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

// installedCommand matches build commands that need an installed sitewalk.
var installedCommand = regexp.MustCompile("(?:(?:hugo|(?:run|astro|jekyll) build) && |run: )sitewalk( |`|$)")

// quotedText matches code spans and strings in a line.
var quotedText = regexp.MustCompile("`[^`]+`|\"[^\"]+\"")

// npxCommands returns the commands in a text that run sitewalk with npx. A command is a code span, a
// string in a configuration, or a whole line.
func npxCommands(text string) (commands []string) {
	const npx = "npx --yes sitewalk@"
	for line := range strings.Lines(text) {
		if !strings.Contains(line, npx) {
			continue
		}
		all := []string{line}
		if quoted := quotedText.FindAllString(line, -1); slices.ContainsFunc(quoted, func(s string) bool { return strings.Contains(s, npx) }) {
			all = quoted
		}
		for _, command := range all {
			command = strings.TrimSpace(command)
			if n := len(command) - 1; command[0] == command[n] { // remove the quotation marks
				command = command[1:n]
			}
			for _, prefix := range []string{"- ", "run: ", "&& "} {
				command = strings.TrimPrefix(command, prefix)
			}
			if strings.Contains(command, npx) {
				commands = append(commands, command)
			}
		}
	}
	return commands
}

// TestBuildCommands runs every npx command in the README, the manual and the examples. The PATH has
// only the programs of a hosting platform: a shell, git, Node and Hugo.
func TestBuildCommands(t *testing.T) {
	registry := newRegistry(t)
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("https://example.internal/\n")) }))
	t.Cleanup(live.Close)
	built, bin := newHugoSite(t), t.TempDir()
	built.write("hugo.toml", built.read("hugo.toml")+"baseURL = 'https://example.internal/'\n")
	built.write("package.json", `{"name": "site", "private": true, "scripts": {"build": "mkdir -p dist _site && cp -r public/. dist && cp -r public/. _site"}}`)
	built.write("package-lock.json", `{"name": "site", "lockfileVersion": 3, "packages": {"": {"name": "site"}}}`)
	built.write("content/about.md", "About\n")
	built.run("hugo", "--quiet")
	built.run(self, "-q") // some commands need an existing sitemap
	built.run("npm", "run", "build")
	for _, name := range []string{"sh", "env", "git", "hugo", "node", "npm", "npx", "mkdir", "cp", "uname"} {
		real, err := filepath.EvalSymlinks(built.lookPath(name))
		if err == nil {
			err = os.Symlink(real, filepath.Join(bin, name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	copySite := func(t *testing.T) *session {
		s := newSession(t)
		if err := os.CopyFS(s.dir, os.DirFS(built.dir)); err != nil {
			t.Fatal(err)
		}
		s.env[0] = "PATH=" + bin
		s.env = append(s.env, "npm_config_registry="+registry, "CI_PAGES_URL=https://example.internal")
		return s
	}
	commands := map[string]string{} // file names by command
	for _, dir := range []string{"README.md", "docs", "integrations"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(file string, d fs.DirEntry, err error) error {
			if filepath.Base(file) == "start" && d.IsDir() { // TestTrials runs the commands of these pages
				return filepath.SkipDir
			}
			if err != nil || d.IsDir() || !strings.Contains(".md .yml .toml", path.Ext(file)) || path.Ext(file) == "" {
				return err
			}
			src, err := os.ReadFile(file)
			for _, command := range npxCommands(string(src)) {
				commands[command] = file
			}
			for _, m := range installedCommand.FindAllString(string(src), -1) {
				if !strings.Contains(string(src), "uses: sitewalk/action@") {
					t.Errorf("%s: %q needs an installed sitewalk; use npx", file, m)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(commands) < 10 {
		t.Fatalf("%d commands, want at least 10", len(commands))
	}
	for line, file := range commands {
		name, _ := filepath.Rel(root, file)
		t.Run(name+": "+line, func(t *testing.T) {
			t.Parallel()
			s := copySite(t)
			line := strings.NewReplacer("https://example.internal/sitemap.xml", live.URL, "git fetch --unshallow && ", "").Replace(withTestDomain(line))
			if strings.Contains(line, ".cache/sitewalk/submitted.xml") { // an earlier run would have written the file
				s.write(".cache/sitewalk/submitted.xml", "https://example.internal/\n")
			}
			if strings.Contains(line, " submit ") { // do not send requests to search engines
				line = strings.Replace(line, "submit changes.json", "submit --help", 1)
			}
			if strings.Contains(line, " check --live") || strings.Contains(line, " submit --google") {
				line += " --help" // without a live site, check only the flags
			}
			if o := s.tryRun("sh", "-c", line); o.code != 0 {
				t.Errorf("exit code %d, want 0\n%s%s", o.code, o.stdout, o.stderr)
			}
		})
	}
}
