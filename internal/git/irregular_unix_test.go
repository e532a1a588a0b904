//go:build unix

package git_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/sitewalk/sitewalk/internal/git"
)

// TestReadDatesRejectsIrregularFiles replaces files of a repository by a FIFO, which would block
// git, and by a link to an endless device.
func TestReadDatesRejectsIrregularFiles(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"HEAD", "config", "config.worktree", "packed-refs", "shallow", "commondir", "info/grafts", "info/attributes", "objects/info/alternates"} {
		for kind, put := range map[string]func(file string) error{
			"FIFO":   func(file string) error { return syscall.Mkfifo(file, 0o600) },
			"device": func(file string) error { return os.Symlink("/dev/zero", file) },
		} {
			t.Run(name+" "+kind, func(t *testing.T) {
				r := history(t, 3)
				file := filepath.Join(r.dir, ".git", filepath.FromSlash(name))
				if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
					t.Fatal(err)
				}
				if err := put(file); err != nil {
					t.Skip(err)
				}
				requireFinding(t, r.requireDates(git.Options{}, map[string]string{"1.md": "git could not be read"}), "git-failed", "git fsck")
			})
		}
	}
}
