// Package testsite supports the tests and benchmarks of the other packages. It writes small
// projects and large synthetic sites, and serves sites on the local machine. It also contains the
// settings for thorough tests.
package testsite

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"runtime/debug"
	"sync"
	"testing"
)

// Repeat returns the number of repetitions for a test: many if the environment variable
// SITEWALK_THOROUGH is set, otherwise few.
func Repeat(few, many int) int {
	if os.Getenv("SITEWALK_THOROUGH") != "" {
		return many
	}
	return few
}

// IsFuzzing reports whether "go test" is running with the flag -fuzz.
func IsFuzzing() bool {
	f := flag.Lookup("test.fuzz")
	return f != nil && f.Value.String() != ""
}

// SpeedUp makes the tests of a package faster. Call it in TestMain. It uses a temporary folder in
// memory and less garbage collection, unless TMPDIR or GOGC is set. It does nothing if the
// environment variable SITEWALK_THOROUGH is set.
func SpeedUp() {
	if Repeat(0, 1) == 1 {
		return
	}
	if dir := findMemoryDir(); dir != "" && os.Getenv("TMPDIR") == "" {
		os.Setenv("TMPDIR", dir)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// MemoryDir returns a temporary folder, in memory if possible. The folder is removed at the end
// of the test.
func MemoryDir(tb testing.TB) string {
	dir, err := os.MkdirTemp(findMemoryDir(), "sitewalk")
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

var toRoot = sync.OnceValue(func() error {
	_, err := os.Stat("go.mod")
	for range 9 {
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := os.Chdir(".."); err != nil {
			return err
		}
		_, err = os.Stat("go.mod")
	}
	return err
})

// ChdirToRoot changes to the root folder of the module, for all tests of the package. Call it in
// each test that reads files of the module, and not in TestMain. Before m.Run, "go test" does not
// record that the folder changes, and would use cached results although a file has changed.
func ChdirToRoot(tb testing.TB) {
	tb.Helper()
	if err := toRoot(); err != nil {
		tb.Fatal(err)
	}
}
