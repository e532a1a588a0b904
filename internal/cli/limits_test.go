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

// TestCommandsLimitFileSize replaces each input file by a sparse file of 8 GiB. Commands must not
// allocate much memory, and must report the file that they do not read.
func TestCommandsLimitFileSize(t *testing.T) {
	const maxAllocated = 64 << 20
	for name, tt := range map[string]struct{ line, message string }{
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
			writeFile(t, filepath.Join(dir, "public/index.html"), "<!doctype html><title>Home</title>")
			writeFile(t, filepath.Join(dir, "sitemap.yaml"), "output: {robots: true}\n")
			writeFile(t, filepath.Join(dir, name), "")
			size := int64(8 << 30)
			if strconv.IntSize == 32 {
				size = 1 << 30 // os.Root cannot open larger files than 2 GiB on 32-bit systems
			}
			if err := os.Truncate(filepath.Join(dir, name), size); err != nil {
				t.Skip(err)
			}
			var messages bytes.Buffer
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			Run(t.Context(), Env{
				Args: append(strings.Fields(tt.line), "-b", "https://example.com/"), Stdin: strings.NewReader(""), Stdout: new(bytes.Buffer), Stderr: &messages,
				Getenv: func(string) string { return "" }, Dir: dir, Now: time.Now,
			})
			runtime.ReadMemStats(&after)
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > maxAllocated {
				t.Errorf("got %d MiB of allocations, want at most %d", allocated>>20, maxAllocated>>20)
			}
			if text := messages.String(); !strings.Contains(text, tt.message) {
				t.Errorf("got messages %.1000s, want %q", text, tt.message)
			} else if n := strings.Count(text, "robots.txt: "); n > 1 {
				t.Errorf("got %d findings about robots.txt, want at most 1: %.1000s", n, text)
			}
		})
	}
}
