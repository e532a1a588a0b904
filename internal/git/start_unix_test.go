//go:build !windows

package git_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sitewalk/sitewalk/internal/git"
)

// TestGrandchildrenEnd has a git that starts programs of its own, each of which
// keeps a FIFO open for as long as it runs.
func TestGrandchildrenEnd(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"git hangs":   "sleep 3600 3>FIFO",
		"git ended":   "sleep 3600 3>FIFO & exit 0",
		"git is left": "sleep 3600 >/dev/null 2>&1 3>FIFO & exec git \"$@\"",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // two of them last a second, after which git's streams are left alone
			r := history(t, 1)
			fifo := filepath.Join(realDir(t), "FIFO")
			if err := syscall.Mkfifo(fifo, 0o600); err != nil {
				t.Skip(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() {
				f, err := os.Open(fifo) // waits for the first program
				if err == nil {
					if name != "git is left" {
						cancel()
					}
					_, err = io.Copy(io.Discard, f) // waits for the last
					f.Close()
				}
				ended <- err
			}()
			git.Read(ctx, []string{"1.md"}, git.Options{Dir: r.dir, Git: script(t, strings.ReplaceAll(body, "FIFO", fifo))})
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}
