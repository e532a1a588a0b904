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

// block makes a file one that can neither be replaced nor removed.
func block(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	put(t, filepath.Join(name, "inside"), "")
}

// changedOptions returns the options of everything with another page and key.
func changedOptions(dir string) Options {
	o := everything(dir)
	o.Page, o.IndexNowKey = "other.html", "another-key"
	return o
}

// TestCommitFails makes each file in turn one that cannot be changed. The error names the
// file, each other file is the old or the new one, and the indexes name existing files.
func TestCommitFails(t *testing.T) {
	t.Parallel()
	was := dated(append(append(many("blog", 25), many("zoo", 12)...), "", "about")...)
	now := was[:20]
	fresh := t.TempDir()
	write(t, was, everything(fresh))
	names := namesIn(tree(t, fresh))
	changed := t.TempDir()
	write(t, now, changedOptions(changed))
	after := tree(t, changed)
	if len(names) < 15 {
		t.Fatalf("only %d files", len(names))
	}
	tried := 0
	for _, name := range append(names, "a.ledger") {
		dir := t.TempDir()
		ledger := filepath.Join(dir, "kept", "a.ledger")
		put(t, ledger, "old")
		write(t, was, everything(dir))
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
		before := tree(t, dir)
		block(t, at)
		err = tx.Commit()
		tx.Close()
		if !changes {
			continue
		}
		tried++
		if pe, ok := errors.AsType[*fs.PathError](err); !ok || pe.Path != at || strings.Contains(err.Error(), files.TempPrefix) {
			t.Errorf("%s: error %v", name, err)
		}
		for other, text := range tree(t, dir) {
			path := filepath.Join(dir, filepath.FromSlash(other))
			isNew := text == after[other] || path == ledger && text == "new"
			if filepath.Dir(path) != at && text != before[other] && !isNew {
				t.Errorf("%s: %s is neither old nor new", name, other)
			}
		}
		if err := os.RemoveAll(at); err != nil {
			t.Fatal(err)
		}
		put(t, at, "")
		checkIndexes(t, tree(t, dir))
	}
	if tried < 15 {
		t.Errorf("only %d files changed: the test proves little", tried)
	}
}
