// Package testsite supports the tests and benchmarks of the other packages. It writes
// small projects and large synthetic sites, serves them on a local web, and sets how
// much a test tries.
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

// Repeat returns the number of tries for a test: few by default, many if SITEWALK_THOROUGH is set.
func Repeat(few, many int) int {
	if os.Getenv("SITEWALK_THOROUGH") != "" {
		return many
	}
	return few
}

// IsFuzzing reports whether go test runs with -fuzz.
func IsFuzzing() bool {
	f := flag.Lookup("test.fuzz")
	return f != nil && f.Value.String() != ""
}

// SpeedUp makes the tests of a package faster; call it in TestMain. It puts temporary
// files into memory and collects garbage less often. It respects TMPDIR and GOGC, and
// does nothing if SITEWALK_THOROUGH is set.
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

// MemoryDir returns a temporary folder in memory if the system has one, or else on disk.
// The test removes it at its end.
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

// ChdirToRoot makes the root of the module the current folder for all tests of a package.
// Every test that reads files of the module must call it: only then does go test notice
// that a file has changed and its cached result is out of date.
func ChdirToRoot(tb testing.TB) {
	tb.Helper()
	if err := toRoot(); err != nil {
		tb.Fatal(err)
	}
}
