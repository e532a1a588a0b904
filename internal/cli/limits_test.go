package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestLargeFiles puts a file of 8 GiB, which takes no room on disk, in the place of each
// that is read. No command takes much memory, and each says what it did not read.
func TestLargeFiles(t *testing.T) {
	const most = 64 << 20 // bytes that are allocated
	for name, of := range map[string]struct{ line, says string }{
		"sitemap.yaml":      {"build", "sitemap.yaml: it is larger than 4 MiB"},
		"hugo.toml":         {"build", "it is larger than 4 MiB"},
		"public/_headers":   {"build --host netlify", "oversized"},
		"vercel.json":       {"build --host vercel", "oversized"},
		"public/CNAME":      {"build", "oversized"},
		"public/robots.txt": {"build", "oversized"},
		"ledger":            {"build --ledger ledger", "it is larger than"},
		"accepted":          {"build --baseline accepted", "--baseline accepted: it is larger than 64 MiB"},
		"changes.json":      {"submit changes.json -n --wait 0s --key abcdefgh12345678", "changes.json: it is larger than 128 MiB"},
		"content/page.md":   {"build --content content", ""},
		"a.xml":             {"list --from a.xml", "a.xml: line 1"},
		"b.xml":             {"diff b.xml", "b.xml: line 1"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, filepath.Join(dir, "public/index.html"), "<!doctype html><title>Home</title>")
			put(t, filepath.Join(dir, "sitemap.yaml"), "output: {robots: true}\n")
			put(t, filepath.Join(dir, name), "")
			size := int64(8 << 30)
			if strconv.IntSize == 32 {
				size = 1 << 30 // os.Root opens no file above 2 GiB there
			}
			if err := os.Truncate(filepath.Join(dir, name), size); err != nil {
				t.Skip(err)
			}
			var messages bytes.Buffer
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			Run(t.Context(), Env{
				Args: append(strings.Fields(of.line), "-b", "https://example.com/"), Stdin: strings.NewReader(""), Stdout: new(bytes.Buffer), Stderr: &messages,
				Getenv: func(string) string { return "" }, Dir: dir, Now: time.Now,
			})
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > most {
				t.Errorf("%d MiB were allocated", took>>20)
			}
			if text := messages.String(); !strings.Contains(text, of.says) {
				t.Errorf("%.1000s, want %q", text, of.says)
			} else if n := strings.Count(text, "robots.txt: "); n > 1 {
				t.Errorf("%d findings of robots.txt: %.1000s", n, text)
			}
		})
	}
}
