package engine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/writer"
)

// TestPastTooLarge checks that a stored list above the size limit is not read.
func TestPastTooLarge(t *testing.T) {
	b := New(Options{Cache: t.TempDir()})
	b.Settings = &config.Settings{Writer: writer.Options{Dir: t.TempDir()}}
	name := b.pastURLsFile()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(pastHead+"2026-01-01T12:00:00Z\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, 256<<20); err != nil {
		t.Fatal(err)
	}
	err := b.ReadPastURLs(t.Context(), func(PastURL) { t.Error("a URL of the list is read") })
	if err == nil || err.Error() != "the list of an earlier build is too large" {
		t.Errorf("error %v", err)
	}
}
