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
)

// block makes a file one that can neither be replaced nor removed.
func block(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	put(t, filepath.Join(name, "inside"), "")
}

// An error of the journal, as on a full disk, names the sitemap: users do not know
// the journal.
func TestJournalCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	var tx Transaction
	if _, err := tx.Draft(t.Context(), dated("a", "b"), everything(dir)); err != nil {
		t.Fatal(err)
	}
	block(t, filepath.Join(dir, journal))
	err := tx.Commit()
	tx.Close()
	if pe, ok := errors.AsType[*fs.PathError](err); !ok || pe.Path != filepath.Join(dir, "sitemap.xml") {
		t.Errorf("error %v", err)
	}
	if files := namesIn(tree(t, dir)); !slices.Equal(files, []string{journal + "/inside"}) {
		t.Errorf("it leaves %q", files)
	}
}

// Wherever a commit fails, each file is what it was, and the error names the one
// that failed.
func TestCommitIsUndone(t *testing.T) {
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
		if _, err := tx.Draft(t.Context(), now, o); err != nil {
			t.Fatal(err)
		}
		if err := tx.File(t.Context(), ledger, []byte("new")); err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(dir, name)
		if name == "a.ledger" {
			at = ledger
		}
		changes := slices.ContainsFunc(slices.Concat(tx.phases()...), func(s *step) bool {
			return filepath.Join(s.dir.at, s.name) == at
		})
		before := tree(t, dir)
		block(t, at)
		err := tx.Commit()
		tx.Close()
		if !changes {
			continue
		}
		tried++
		if pe, ok := errors.AsType[*fs.PathError](err); !ok || pe.Path != at || strings.Contains(err.Error(), TempPrefix) {
			t.Errorf("%s: error %v", name, err)
		}
		if err := os.RemoveAll(at); err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(dir, at)
		delete(before, filepath.ToSlash(rel))
		for name := range before {
			if strings.HasPrefix(filepath.Base(name), TempPrefix) {
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

// Where the old content has no second name, the error says what is new.
func TestCommitThatCannotBeUndone(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "a"), "old")
	d, err := openFolder(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	isNew, lost := &step{dir: d, name: "b", new: true}, &step{dir: d, name: "a"}
	put(t, filepath.Join(dir, "b"), "new")
	if left := undo([]*step{isNew, lost, {dir: d, name: "c", new: true}}); len(left) != 2 || len(tree(t, dir)) != 2 {
		t.Errorf("what came before an index is gone: %s", left)
	}
	left := undo([]*step{lost, isNew})
	if len(left) != 1 || left[0] != filepath.Join(dir, "a") || len(tree(t, dir)) != 1 {
		t.Errorf("left %s", left)
	}
	p := &Partial{New: left, Err: errors.New("no")}
	if want := "no; all files are as they were but for " + left[0] + "; the next build completes the change"; p.Error() != want {
		t.Errorf("error %q, want %q", p, want)
	}
}
