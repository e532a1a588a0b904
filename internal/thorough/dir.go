package thorough

import (
	"os"
	"testing"
)

// Dir returns a folder that is removed when the test ends. It lies in memory, where
// a small file takes a fraction of the time that a disk's journal takes; and in the
// folder for temporary files where that is named by TMPDIR, or SITEWALK_THOROUGH is set.
func Dir(tb testing.TB) string {
	if os.Getenv("TMPDIR") != "" || Or(0, 1) == 1 {
		return tb.TempDir()
	}
	return Memory(tb)
}

// Memory is [Dir] that only asks for memory: what is measured there, or killed in
// the middle, does not depend on a disk. Where the system has none, it is on disk.
func Memory(tb testing.TB) string {
	const memory = "/dev/shm"
	if info, err := os.Stat(memory); err != nil || !info.IsDir() {
		return tb.TempDir()
	}
	dir, err := os.MkdirTemp(memory, "sitewalk")
	if err != nil {
		return tb.TempDir()
	}
	tb.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			tb.Error(err)
		}
	})
	return dir
}
