package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var errFull = errors.New("no space left on device")

// A fullDisk is a writer that accepts the first space bytes and then fails.
type fullDisk struct{ space int }

func (d *fullDisk) Write(b []byte) (int, error) {
	if d.space -= len(b); d.space < 0 {
		return max(0, d.space+len(b)), errFull
	}
	return len(b), nil
}

// TestCommandsReportFullDisk checks that commands fail and report the error once if standard output
// or standard error is a full disk.
func TestCommandsReportFullDisk(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir+"/public/index.html", "<!doctype html><title>Home</title>")
	writeFile(t, dir+"/before.xml", `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/gone/</loc></url></urlset>`)
	env := func(stdout, stderr io.Writer, line string) Env {
		args := strings.Fields(line)
		if args[0] != "help" && len(args) > 1 && args[1] == "public" {
			args = append(args, "-b", "https://example.com/")
		}
		return Env{Args: args, Stdin: strings.NewReader(""), Stdout: stdout, Stderr: stderr, Getenv: func(string) string { return "" }, Dir: dir, Now: time.Now}
	}
	for _, line := range []string{
		"--help", "--version", "help", "help build", "build --help", "version", "completion bash", "completion zsh", "completion fish",
		"list public", "list public --json", "build public -o -", "build public -n --json", "check public --json", "check public --report sarif",
		"explain public/index.html --dir public -b https://example.com/", "explain public/index.html --dir public -b https://example.com/ --json",
		"diff before.xml public -b https://example.com/ --max-loss 5", "submit --all -n --wait 0s --key abcdefgh12345678 -b https://example.com/", "__complete build --",
		"diff before.xml public -b https://example.com/ --report github", "build public -n --report markdown",
	} {
		for _, space := range []int{0, 10} {
			var stderr bytes.Buffer
			code := Run(t.Context(), env(&fullDisk{space}, &stderr, line))
			if code != exitFailed || strings.Count(stderr.String(), errFull.Error()) != 1 {
				t.Errorf("%s with space for %d bytes: got exit code %d and messages %s", line, space, code, stderr.String())
			}
		}
	}
	for _, line := range []string{"build public -n", "check public", "explain /nothing --dir public"} {
		if code := Run(t.Context(), env(io.Discard, &fullDisk{}, line)); code != exitFailed {
			t.Errorf("%s with a full standard error: got exit code %d, want %d", line, code, exitFailed)
		}
	}
}

// TestWatchEndsOnFullDisk checks that a watch fails if its events cannot be written.
func TestWatchEndsOnFullDisk(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir+"/public/index.html", "<!doctype html><title>Home</title>")
	var stderr bytes.Buffer
	code := Run(t.Context(), Env{
		Args: []string{"watch", "public", "--json", "-b", "https://example.com/"}, Stdout: &fullDisk{10}, Stderr: &stderr,
		Getenv: func(string) string { return "" }, Dir: dir, Now: time.Now,
	})
	if code != exitFailed || stderr.String() != "sitewalk: error: standard output cannot be written: no space left on device\n" {
		t.Errorf("got exit code %d and messages %s", code, stderr.String())
	}
}

// writeFile writes a file and creates its folder.
func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
