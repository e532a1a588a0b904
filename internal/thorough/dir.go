package thorough

import (
	"os"
	"testing"
)

// Place returns the folder in which those that tests make may lie, "" for that of
// temporary files. It is in memory, where a small file takes a fraction of the time
// that a disk's journal takes, unless TMPDIR or SITEWALK_THOROUGH is set.
func Place() string {
	if os.Getenv("TMPDIR") != "" || Or(0, 1) == 1 {
		return ""
	}
	return memory()
}

func memory() string {
	const memory = "/dev/shm"
	if info, err := os.Stat(memory); err != nil || !info.IsDir() {
		return ""
	}
	return memory
}

// Dir returns a folder in [Place] that is removed when the test ends.
func Dir(tb testing.TB) string { return dirIn(tb, Place()) }

// Memory is [Dir] in memory, wherever the system has any: what is measured there,
// or killed in the middle, does not depend on a disk.
func Memory(tb testing.TB) string { return dirIn(tb, memory()) }

func dirIn(tb testing.TB, place string) string {
	if place == "" {
		return tb.TempDir()
	}
	dir, err := os.MkdirTemp(place, "sitewalk")
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
