package writer

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/commit"
)

// block makes a file one that can neither be replaced nor removed.
func block(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	put(t, filepath.Join(name, "inside"), "")
}

// TestJournalCannotBeWritten gets an error that names the folder: users do not know the
// journal.
func TestJournalCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	var tx Transaction
	if _, err := tx.Draft(t.Context(), dated("a", "b"), everything(dir)); err != nil {
		t.Fatal(err)
	}
	block(t, filepath.Join(dir, journal))
	err := tx.Commit()
	tx.Close()
	if pe, ok := errors.AsType[*fs.PathError](err); !ok || pe.Path != dir {
		t.Errorf("error %v", err)
	}
	if files := namesIn(tree(t, dir)); !slices.Equal(files, []string{journal + "/inside"}) {
		t.Errorf("it leaves %q", files)
	}
}

// Wherever a commit fails, each file is what it was, and the error names the one
// that failed.
func TestCommitIsUndone(t *testing.T) {
	t.Parallel()
	was := dated(append(append(many("blog", 25), many("zoo", 12)...), "", "about")...)
	now := was[:20]
	fresh := t.TempDir()
	write(t, was, everything(fresh))
	files := namesIn(tree(t, fresh))
	if len(files) < 15 {
		t.Fatalf("only %d files", len(files))
	}
	tried := 0
	for _, name := range append(files, "a.ledger") {
		dir := t.TempDir()
		ledger := filepath.Join(dir, "kept", "a.ledger")
		put(t, ledger, "old")
		write(t, was, everything(dir))
		var tx Transaction
		o := everything(dir)
		o.Page, o.Key = "other.html", "another-key"
		report, err := tx.Draft(t.Context(), now, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := tx.File(t.Context(), ledger, []byte("new")); err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(dir, name)
		if name == "a.ledger" {
			at = ledger
		}
		changes := at == ledger || slices.ContainsFunc(report.Files, func(f File) bool {
			return f.State != Unchanged && f.Name == name
		})
		before := tree(t, dir)
		block(t, at)
		err = tx.Commit()
		tx.Close()
		if !changes {
			continue
		}
		tried++
		if pe, ok := errors.AsType[*fs.PathError](err); !ok || pe.Path != at || strings.Contains(err.Error(), commit.TempPrefix) {
			t.Errorf("%s: error %v", name, err)
		}
		if err := os.RemoveAll(at); err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(dir, at)
		delete(before, filepath.ToSlash(rel))
		for name := range before {
			if strings.HasPrefix(filepath.Base(name), commit.TempPrefix) {
				delete(before, name)
			}
		}
		if after := tree(t, dir); !maps.EqualFunc(before, after, func(a, b string) bool { return a == b }) {
			t.Fatalf("%s: files %s, and before %s", name, namesIn(after), namesIn(before))
		}
	}
	if tried < 15 {
		t.Errorf("only %d files changed: the test proves little", tried)
	}
}
