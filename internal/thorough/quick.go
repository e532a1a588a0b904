package thorough

import (
	"os"
	"runtime/debug"
	"testing"
)

// Quick saves what costs time and proves nothing, for the TestMain of a package:
// temporary files lie in memory, where a small one takes a fraction of the time
// that a disk's journal takes, and garbage, of which short tests hold little, is
// collected seldom. Both stay as they are where TMPDIR, GOGC or SITEWALK_THOROUGH
// says so.
func Quick() {
	if Or(0, 1) == 1 {
		return
	}
	if dir := memory(); dir != "" && os.Getenv("TMPDIR") == "" {
		os.Setenv("TMPDIR", dir)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// Memory returns a folder in memory, wherever the system has any, that is removed
// when the test ends: what is measured there, or killed in the middle, does not
// depend on a disk.
func Memory(tb testing.TB) string {
	dir, err := os.MkdirTemp(memory(), "sitewalk")
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
