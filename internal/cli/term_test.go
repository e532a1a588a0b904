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

// seen runs a command line in a folder as a person at a terminal sees it.
func seen(t *testing.T, dir string, width int, env map[string]string, args ...string) (out, talk string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	getenv := func(name string) string { return env[name] }
	screen := NewTerminalScreen(width, getenv)
	Run(t.Context(), Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Dir: dir, Now: time.Now,
		Getenv: getenv, Page: screen, Messages: screen,
	})
	return stdout.String(), stderr.String()
}

// troubled makes a site with a finding, an error and a hint.
func troubled(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"public/a.html":    `<meta property="article:modified_time" content="soon">`,
		"public/hid.html":  `<meta name=robots content=noindex>`,
		"public/404.html":  "",
		"public/b/c.html":  "<title>B</title>",
		"public/index.htm": "<title>Home</title>",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestColours(t *testing.T) {
	dir := troubled(t)
	args := []string{"build", "public", "-b", "https://example.com/", "-n", "--lastmod", "html"}
	_, talk := seen(t, dir, 200, nil, args...)
	if want := "\x1b[33mwarning:\x1b[0m"; !strings.Contains(talk, want) {
		t.Errorf("no %q in %q", want, talk)
	}
	_, talk = seen(t, dir, 200, nil, "build", "nowhere")
	if want := "sitewalk: \x1b[1;31merror:\x1b[0m "; !strings.HasPrefix(talk, want) {
		t.Errorf("no %q in %q", want, talk)
	}
	for name, value := range map[string]string{"NO_COLOR": "1", "TERM": "dumb"} {
		out, talk := seen(t, dir, 200, map[string]string{name: value}, args...)
		if strings.Contains(out+talk, "\x1b") {
			t.Errorf("%s=%s: %q", name, value, talk)
		}
	}
}

// TestListAtATerminal compares the table with what stands in a pipe.
func TestListAtATerminal(t *testing.T) {
	dir := troubled(t)
	args := []string{"list", "public", "-b", "https://example.com/docs/", "--lastmod", "none"}
	out, _ := seen(t, dir, 80, map[string]string{"NO_COLOR": "1"}, args...)
	want := strings.Join([]string{
		"     URL below https://example.com/docs  OUT FOR     FILE in public",
		"in   /a.html                                         a.html",
		"in   /b/c.html                                       b/c.html",
		"out  /hid.html                           noindex     hid.html",
		"in   /index.htm                                      index.htm",
		"",
	}, "\n")
	if out = regexp.MustCompile(`(?m)^out  /404.html .*\n`).ReplaceAllString(out, ""); out != want {
		t.Errorf("it prints\n%s\nwant\n%s", out, want)
	}
	out, _ = seen(t, dir, 80, nil, args...)
	if !strings.Contains(out, "\x1b[32min\x1b[0m   /a.html") || !strings.Contains(out, "\x1b[33mout\x1b[0m  /hid.html") {
		t.Errorf("the states have no colour: %q", out)
	}
	if out, _ = seen(t, dir, 80, nil, append(args, "--reason", "draft")...); out != "" {
		t.Errorf("of no page it prints %q", out)
	}
}

// TestListFitsTheTerminal checks that list cuts long paths in the middle at 80 columns and prints
// days without times. With -v it prints both whole.
func TestListFitsTheTerminal(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("a-long-name/", 9) + "end.html"
	put(t, filepath.Join(dir, "public", long), "<title>A</title>")
	put(t, filepath.Join(dir, "public/index.html"), "<title>Home</title>")
	put(t, filepath.Join(dir, "public/draft.html"), "<title>Draft</title>")
	put(t, filepath.Join(dir, "content/draft.md"), "---\ntitle: Draft\nurl: /draft.html\ndraft: true\n---\n")
	put(t, filepath.Join(dir, "content/index.md"), "---\ntitle: Home\nlastmod: 2024-05-06T12:00:00+02:00\n---\n")
	args := []string{"list", "public", "-b", "https://example.com/", "--content", "content", "--lastmod", "frontmatter"}
	out, _ := seen(t, dir, 80, map[string]string{"NO_COLOR": "1"}, args...)
	if !strings.Contains(out, "  2024-05-06  frontmatter  ") {
		t.Errorf("the day is not alone:\n%s", out)
	}
	for line := range strings.Lines(out) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("a line has %d columns: %s", n, line)
		}
	}
	if !strings.Contains(out, "/a-long") || !strings.Contains(out, "…") || strings.Count(out, "end.html") != 2 {
		t.Errorf("the middle is not cut:\n%s", out)
	}
	out, _ = seen(t, dir, 80, nil, append(args, "-v")...)
	if strings.Count(out, long) != 2 || !strings.Contains(out, "2024-05-06T12:00:00+02:00") {
		t.Errorf("-v cuts paths or times:\n%s", out)
	}
}

func TestDiffAtATerminal(t *testing.T) {
	dir := troubled(t)
	before := "https://example.com/a.html\nhttps://example.com/gone.html\nhttps://example.com/hid.html\n"
	if err := os.WriteFile(filepath.Join(dir, "before.txt"), []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	out, _ := seen(t, dir, 60, nil, "diff", "before.txt", "public", "-b", "https://example.com/")
	var classes []string
	for _, m := range regexp.MustCompile(`(?m)^\x1b\[([0-9;]+)m([a-z ]+)\x1b`).FindAllStringSubmatch(out, -1) {
		classes = append(classes, m[2]+" "+m[1])
	}
	if got, want := strings.Join(classes, ", "), "lost 1;31, hidden 1;31, added 32, added 32"; got != want {
		t.Errorf("the classes are %s, want %s:\n%s", got, want, out)
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
				t.Errorf("a line of the help of %s is longer than 80 columns: %s", cmd.Name(), line)
			}
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if n := len(regexp.MustCompile(`(?m)^ +(-., )?--`+f.Name+`\b[^-]`).FindAllString(help+"\n", -1)); n != 1 || strings.Contains(help, `[="`) {
				t.Errorf("the help of %s has --%s %d times", cmd.Name(), f.Name, n)
			}
		})
	}
}

func TestEachErrorHasItsPrefix(t *testing.T) {
	_, talk := seen(t, t.TempDir(), 0, map[string]string{"NO_COLOR": "1"}, "build", "nowhere", "-b", "example", "--jobs", "-3")
	for line := range strings.Lines(talk) {
		if !strings.HasPrefix(line, "sitewalk: error: ") {
			t.Errorf("no prefix: %q", line)
		}
	}
	if n := strings.Count(talk, "\n"); n != 3 {
		t.Errorf("%d lines, want 3:\n%s", n, talk)
	}
}
