package testsite

import (
	"os"
	"testing"
)

// IsUpdating reports whether the environment variable UPDATE is set. Tests then write the files
// with their expected results. Read the diff before you commit it.
func IsUpdating() bool { return os.Getenv("UPDATE") != "" }

// CompareWithFile fails the test if got is not the content of the file name. If IsUpdating returns
// true, it first writes got to the file.
func CompareWithFile(tb testing.TB, name, got string) {
	tb.Helper()
	if IsUpdating() {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	if got != string(want) {
		tb.Errorf("%s has\n%s\nwant\n%s\nTo write it, set UPDATE=1 for go test.", name, want, got)
	}
}
