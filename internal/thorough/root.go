package thorough

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"testing"
)

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

// AtRoot makes the root of the module the current folder, for all tests of a package. Each
// of them calls it: what "go test" has cached is run again for a file that was read by a
// relative name, if the folder was changed by a test, and not before.
func AtRoot(tb testing.TB) {
	tb.Helper()
	if err := toRoot(); err != nil {
		tb.Fatal(err)
	}
}
