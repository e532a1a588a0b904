// Package policy tests the repository as a whole: which package imports which, which
// packages open files, which types importers see, and whether texts use plain words.
package policy

import (
	"fmt"
	"os"
	"testing"
)

// TestMain lets every path begin at the root of the repository.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(m.Run())
}
