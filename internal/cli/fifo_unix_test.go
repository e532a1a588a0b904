//go:build unix

package cli

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

const smallIndex = `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://example.com/sitemap-1.xml</loc></sitemap></sitemapindex>
`

// TestCommandsSurviveFIFO replaces files of a project by FIFOs, and checks that no command waits
// for them. Some commands must report the FIFO.
func TestCommandsSurviveFIFO(t *testing.T) {
	fifos := map[string][]string{ // the flag that names the file, if there is one
		"public/sitemap.xml": nil, "public/sitemap.xml.gz": nil, "public/sitemap-1.xml": nil, "public/sitemap-1.xml.gz": nil, "public/robots.txt": nil,
		"public/index.html": nil, "public/404.html": nil, "public/_headers": nil, "public/_redirects": nil, "public/CNAME": nil, "public/.htaccess": nil,
		"sitemap.yaml": nil, "hugo.toml": nil, "package.json": nil, "netlify.toml": nil, "vercel.json": nil, ".git": nil, "content/a.md": {"--content", "content"},
		"ledger": {"--ledger", "ledger"}, "out": {"--write-baseline", "out"},
		"summary": {"--report", "github"}, "report": {"--report", "json=report"}, "public/deep/sitemap.xml": {"--output", "public/deep"},
		"lists/a.xml": {"--from", "lists/*.xml"},
	}
	commands := []string{"build", "build -n", "build --host netlify", "check", "check --links", "list", "explain /gone/", "diff before.xml", "submit --all -n --wait 0s"}
	wantMessages := map[string]string{
		"public/sitemap.xml/build": "not a regular file", "public/sitemap.xml/build -n": "not a regular file", "public/sitemap.xml.gz/build": "not a regular file",
		"public/robots.txt/build": "public/robots.txt: warning: ", "public/index.html/check": "no built site", "public/_headers/build --host netlify": "it is a FIFO",
		"sitemap.yaml/build": "sitemap.yaml: it is a FIFO", "hugo.toml/build": "hugo.toml: warning: ", "ledger/build": "it is a FIFO", "ledger/explain /gone/": "it is a FIFO",
		"out/build": "not a regular file", "out/check": "not a regular file",
		"summary/build": "GITHUB_STEP_SUMMARY: open ", "summary/check": "it is a FIFO that no process reads", "report/build": "it is a FIFO that no process reads",
		"lists/a.xml/list": "lists/a.xml: it is a FIFO", "public/sitemap-1.xml/check": "sitemap-1.xml",
	}
	for _, name := range slices.Sorted(maps.Keys(fifos)) {
		for _, command := range commands {
			t.Run(name+"/"+command, func(t *testing.T) {
				dir := t.TempDir()
				site := map[string]string{
					"public/index.html": "<!doctype html><title>Home</title><p>Home", "public/robots.txt": "", "before.xml": smallIndex,
					"sitemap.yaml": "base_url: https://example.com/\noutput: {robots: true, gzip: also, indexnow: abcdefgh12345678}\n",
				}
				if strings.Contains(name, "sitemap-1") {
					site["public/sitemap.xml"] = smallIndex
				}
				for file, text := range site {
					writeFile(t, filepath.Join(dir, file), text)
				}
				fifo := filepath.Join(dir, name)
				_ = os.Remove(fifo)
				writeFile(t, filepath.Join(filepath.Dir(fifo), ".keep"), "")
				if err := syscall.Mkfifo(fifo, 0o600); err != nil {
					t.Skip(err)
				}
				args := append(strings.Fields(command), "--base-url", "https://example.com/")
				if hasFlag(command, fifos[name]) {
					args = append(args, fifos[name]...)
				}
				_, _, messages := run(t.Context(), t, dir, args...)
				if want := wantMessages[name+"/"+command]; !strings.Contains(messages, want) {
					t.Errorf("got messages %s, want %q", messages, want)
				}
			})
		}
	}
}

// hasFlag reports whether a command accepts the flag args[0].
func hasFlag(command string, args []string) bool {
	if len(args) == 0 {
		return false
	}
	cmd, _, err := RootCommand().Find(strings.Fields(command))
	return err == nil && cmd.Flags().Lookup(strings.TrimLeft(args[0], "-")) != nil
}

// run runs a command in dir and returns its exit code, standard output and standard error.
func run(ctx context.Context, t *testing.T, dir string, args ...string) (code int, out, messages string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	getenv := func(name string) string {
		return map[string]string{"GITHUB_STEP_SUMMARY": filepath.Join(dir, "summary"), "GOGC": "100", "PATH": os.Getenv("PATH")}[name]
	}
	code = Run(ctx, Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Getenv: getenv, Dir: dir, Now: time.Now,
	})
	return code, stdout.String(), stderr.String()
}
