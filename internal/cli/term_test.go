package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spf13/pflag"
)

// runInTerminal runs a command in a folder with a terminal of the given width, and returns standard
// output and standard error.
func runInTerminal(t *testing.T, dir string, width int, env map[string]string, args ...string) (out, messages string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	getenv := func(name string) string { return env[name] }
	screen := NewTerminalScreen(width, getenv)
	Run(t.Context(), Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Dir: dir, Now: time.Now,
		Getenv: getenv, StdoutScreen: screen, StderrScreen: screen,
	})
	return stdout.String(), stderr.String()
}

// newProblemSite creates a site whose build has a finding, and returns its folder.
func newProblemSite(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"public/a.html":    `<meta property="article:modified_time" content="soon">`,
		"public/hid.html":  `<meta name=robots content=noindex>`,
		"public/404.html":  "",
		"public/b/c.html":  "<title>B</title>",
		"public/index.htm": "<title>Home</title>",
	} {
		writeFile(t, filepath.Join(dir, name), text)
	}
	return dir
}

func TestTerminalColors(t *testing.T) {
	dir := newProblemSite(t)
	args := []string{"build", "public", "-b", "https://example.com/", "-n", "--lastmod", "html"}
	_, messages := runInTerminal(t, dir, 200, nil, args...)
	if want := "\x1b[33mwarning:\x1b[0m"; !strings.Contains(messages, want) {
		t.Errorf("got %q, want %q in it", messages, want)
	}
	_, messages = runInTerminal(t, dir, 200, nil, "build", "nowhere")
	if want := "sitewalk: \x1b[1;31merror:\x1b[0m "; !strings.HasPrefix(messages, want) {
		t.Errorf("got %q, want %q in it", messages, want)
	}
	for name, value := range map[string]string{"NO_COLOR": "1", "TERM": "dumb"} {
		out, messages := runInTerminal(t, dir, 200, map[string]string{name: value}, args...)
		if strings.Contains(out+messages, "\x1b") {
			t.Errorf("%s=%s: got colors in %q", name, value, messages)
		}
	}
}

// TestListTable checks the table that list prints on a terminal.
func TestListTable(t *testing.T) {
	dir := newProblemSite(t)
	args := []string{"list", "public", "-b", "https://example.com/docs/", "--lastmod", "none"}
	out, _ := runInTerminal(t, dir, 80, map[string]string{"NO_COLOR": "1"}, args...)
	want := strings.Join([]string{
		"     OUT FOR     URL below https://example.com/docs  FILE in public",
		"in               /a.html  a.html",
		"in               /b/c.html  b/c.html",
		"out  noindex     /hid.html  hid.html",
		"in               /index.htm  index.htm",
		"",
	}, "\n")
	if out = regexp.MustCompile(`(?m)^out .*/404.html .*\n`).ReplaceAllString(out, ""); out != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
	out, _ = runInTerminal(t, dir, 80, nil, args...)
	if !strings.Contains(out, "\x1b[32min\x1b[0m               /a.html") || !strings.Contains(out, "\x1b[33mout\x1b[0m  noindex     /hid.html") {
		t.Errorf("got no colors of the states in %q", out)
	}
	if out, _ = runInTerminal(t, dir, 80, nil, append(args, "--reason", "draft")...); out != "" {
		t.Errorf("without pages: got %q, want nothing", out)
	}
}

// TestListTablePrintsDays checks that list prints days without times, and complete paths. With -v,
// it prints times.
func TestListTablePrintsDays(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("a-long-name/", 9) + "end.html"
	writeFile(t, filepath.Join(dir, "public", long), "<title>A</title>")
	writeFile(t, filepath.Join(dir, "public/index.html"), "<title>Home</title>")
	writeFile(t, filepath.Join(dir, "public/draft.html"), "<title>Draft</title>")
	writeFile(t, filepath.Join(dir, "content/draft.md"), "---\ntitle: Draft\nurl: /draft.html\ndraft: true\n---\n")
	writeFile(t, filepath.Join(dir, "content/index.md"), "---\ntitle: Home\nlastmod: 2024-05-06T12:00:00+02:00\n---\n")
	args := []string{"list", "public", "-b", "https://example.com/", "--content", "content", "--lastmod", "frontmatter"}
	out, _ := runInTerminal(t, dir, 80, map[string]string{"NO_COLOR": "1"}, args...)
	if !strings.Contains(out, "  2024-05-06  frontmatter  ") || strings.Count(out, long) != 2 {
		t.Errorf("got\n%s\nwant the day without the time, and complete paths", out)
	}
	out, _ = runInTerminal(t, dir, 80, nil, append(args, "-v")...)
	if strings.Count(out, long) != 2 || !strings.Contains(out, "2024-05-06T12:00:00+02:00") {
		t.Errorf("with -v, got\n%s\nwant complete paths and times", out)
	}
}

func TestDiffColors(t *testing.T) {
	dir := newProblemSite(t)
	before := "https://example.com/a.html\nhttps://example.com/gone.html\nhttps://example.com/hid.html\n"
	if err := os.WriteFile(filepath.Join(dir, "before.txt"), []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	out, _ := runInTerminal(t, dir, 60, nil, "diff", "before.txt", "public", "-b", "https://example.com/")
	var classes []string
	for _, m := range regexp.MustCompile(`(?m)^\x1b\[([0-9;]+)m([a-z ]+)\x1b`).FindAllStringSubmatch(out, -1) {
		classes = append(classes, m[2]+" "+m[1])
	}
	if got, want := strings.Join(classes, ", "), "lost 1;31, hidden 1;31, added 32, added 32"; got != want {
		t.Errorf("got classes %s, want %s:\n%s", got, want, out)
	}
}

// TestHelpHasEveryFlagOnce checks that the help of each command explains each flag once, on
// one line of 80 columns, without the notation of the flag library.
func TestHelpHasEveryFlagOnce(t *testing.T) {
	for _, cmd := range append(RootCommand().Commands(), RootCommand()) {
		var b strings.Builder
		printHelp(&b, cmd)
		help := b.String()
		for line := range strings.Lines(help) {
			if utf8.RuneCountInString(line) > 81 {
				t.Errorf("help of %s: got a line longer than 80 columns: %s", cmd.Name(), line)
			}
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if n := len(regexp.MustCompile(`(?m)^ +(-., )?--`+f.Name+`\b[^-]`).FindAllString(help+"\n", -1)); n != 1 || strings.Contains(help, `[="`) {
				t.Errorf("help of %s: got --%s %d times, want once", cmd.Name(), f.Name, n)
			}
		})
	}
}

func TestEachErrorHasPrefix(t *testing.T) {
	_, messages := runInTerminal(t, t.TempDir(), 0, map[string]string{"NO_COLOR": "1"}, "build", "nowhere", "-b", "example", "--jobs", "-3")
	for line := range strings.Lines(messages) {
		if !strings.HasPrefix(line, "sitewalk: error: ") {
			t.Errorf("got line %q, want a prefix", line)
		}
	}
	if n := strings.Count(messages, "\n"); n != 3 {
		t.Errorf("got %d lines, want 3:\n%s", n, messages)
	}
}
