package writer

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/files"
)

// makeUnreplaceable replaces a file by a folder with a file, which Commit can neither replace nor
// remove.
func makeUnreplaceable(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(name, "inside"), "")
}

// changedOptions returns fullOptions with another page and key.
func changedOptions(dir string) Options {
	o := fullOptions(dir)
	o.Page, o.IndexNowKey = "other.html", "another-key"
	return o
}

// TestCommitReportsBlockedFile makes each file unreplaceable in turn. The error of Commit must name
// the file. Every other file must have its old or new content, and the indexes must name existing
// files.
func TestCommitReportsBlockedFile(t *testing.T) {
	t.Parallel()
	was := siteWithDates(append(append(pagePaths("blog", 25), pagePaths("zoo", 12)...), "", "about")...)
	now := was[:20]
	fresh := t.TempDir()
	mustWrite(t, was, fullOptions(fresh))
	names := fileNames(readTree(t, fresh))
	changed := t.TempDir()
	mustWrite(t, now, changedOptions(changed))
	after := readTree(t, changed)
	if len(names) < 15 {
		t.Fatalf("got %d files, want at least 15", len(names))
	}
	tried := 0
	for _, name := range append(names, "a.ledger") {
		dir := copyTree(t, fresh)
		ledger := filepath.Join(dir, "kept", "a.ledger")
		writeFile(t, ledger, "old")
		var tx Transaction
		report, err := tx.Draft(t.Context(), now, changedOptions(dir))
		if err != nil {
			t.Fatal(err)
		}
		if err := tx.AddFile(t.Context(), ledger, []byte("new")); err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(dir, name)
		if name == "a.ledger" {
			at = ledger
		}
		changes := at == ledger || slices.ContainsFunc(report.Files, func(f File) bool {
			return f.State != Unchanged && f.Name == name
		})
		before := readTree(t, dir)
		makeUnreplaceable(t, at)
		err = tx.Commit()
		tx.Close()
		if !changes {
			continue
		}
		tried++
		if pe, ok := errors.AsType[*fs.PathError](err); !ok || pe.Path != at || strings.Contains(err.Error(), files.TempPrefix) {
			t.Errorf("%s: got error %v, want one about the file", name, err)
		}
		for other, text := range readTree(t, dir) {
			path := filepath.Join(dir, filepath.FromSlash(other))
			isNew := text == after[other] || path == ledger && text == "new"
			if filepath.Dir(path) != at && text != before[other] && !isNew {
				t.Errorf("%s: %s has neither its old nor its new content", name, other)
			}
		}
		if err := os.RemoveAll(at); err != nil {
			t.Fatal(err)
		}
		writeFile(t, at, "")
		checkIndexes(t, readTree(t, dir))
	}
	if tried < 15 {
		t.Errorf("got %d changed files, want at least 15", tried)
	}
}
