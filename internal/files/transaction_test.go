package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// readTree returns the files below dir with their contents.
func readTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		out[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// writeFile writes a file and creates its folder.
func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	for _, text := range []string{"one", "one", "one and", "one", "", strings.Repeat("x", 1<<20)} {
		if err := Replace(name, []byte(text)); err != nil {
			t.Errorf("%.10q: %v", text, err)
		}
		if got := readTree(t, dir); got["a"] != text || len(got) != 1 {
			t.Errorf("%.10q: got files %v", text, got)
		}
	}
	writeFile(t, filepath.Join(dir, ".sitewalk-1-x.tmp"), "half") // left by a killed run
	if err := Replace(name, nil); err != nil || len(readTree(t, dir)) != 1 {
		t.Errorf("got files %v, error %v, want one file", readTree(t, dir), err)
	}
	if err := Replace(filepath.Join(dir, "none", "a"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing folder: got error %v, want fs.ErrNotExist", err)
	}
	if err := Replace(dir, nil); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("directory: got error %v, want one", err)
	}
}

// TestReplaceSymbolicLink checks that Replace replaces a symbolic link and keeps its target.
func TestReplaceSymbolicLink(t *testing.T) {
	for _, to := range []string{"../elsewhere", "there", "missing"} {
		top := t.TempDir()
		dir := filepath.Join(top, "site")
		writeFile(t, filepath.Join(top, "elsewhere"), "old")
		writeFile(t, filepath.Join(dir, "there"), "old")
		link := filepath.Join(dir, "a")
		if err := os.Symlink(filepath.FromSlash(to), link); err != nil {
			t.Skip("cannot create symbolic links:", err)
		}
		if err := Replace(link, []byte("new")); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Lstat(link); err != nil || !info.Mode().IsRegular() {
			t.Errorf("link to %s: got no regular file, want one", to)
		}
		want := map[string]string{"elsewhere": "old", "site/there": "old", "site/a": "new"}
		if got := readTree(t, top); !maps.Equal(got, want) {
			t.Errorf("link to %s: got files %v, want %v", to, got, want)
		}
	}
}

func TestOpenRemovesTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, ".sitewalk-1-x.tmp"), "half")
	var tx Transaction
	defer tx.Close()
	if _, err := tx.Open(t.Context(), dir, false); err != nil {
		t.Fatal(err)
	}
	if got := readTree(t, dir); len(got) > 0 {
		t.Errorf("got files %v", got)
	}
}

// TestCloseKeepsOldFiles checks that a transaction without Commit changes no file.
func TestCloseKeepsOldFiles(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	writeFile(t, name, "old")
	var tx Transaction
	f, err := tx.Open(t.Context(), dir, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Stage(0, "a", []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got := readTree(t, dir); got["a"] != "old" {
		t.Errorf("before Close: got files %v, want the old file", got)
	}
	tx.Close()
	if got := readTree(t, dir); got["a"] != "old" || len(got) != 1 {
		t.Errorf("got files %v", got)
	}
}

// stageChanges stages changes of the files of newTestFolder, in five phases.
func stageChanges(t *testing.T, tx *Transaction, dir string) {
	t.Helper()
	f, err := tx.Open(t.Context(), dir, false)
	if err != nil {
		t.Fatal(err)
	}
	f.StageRemoval(3, "old")
	for _, c := range []struct {
		phase int
		name  string
	}{{2, "index"}, {1, "sub/a"}, {0, "first"}, {1, "b"}, {1, "same"}} {
		text := "new"
		if c.name == "same" {
			text = "old"
		}
		if _, changed, err := f.Stage(c.phase, c.name, []byte(text)); err != nil || changed == (c.name == "same") {
			t.Fatalf("%s: changed %t, %v", c.name, changed, err)
		}
	}
	f.StageRemoval(4, "first")
}

// newTestFolder creates the folder that stageChanges changes.
func newTestFolder(t *testing.T) (dir string) {
	t.Helper()
	dir = testsite.MemoryDir(t)
	for _, name := range []string{"index", "b", "same", "old"} {
		writeFile(t, filepath.Join(dir, name), "old")
	}
	return dir
}

// stepsOfCommit contains the files before and after each change of stageChanges.
var stepsOfCommit = []map[string]string{
	{"index": "old", "b": "old", "same": "old", "old": "old"},
	{"index": "old", "b": "old", "same": "old", "old": "old", "first": "new"},
	{"index": "old", "b": "old", "same": "old", "old": "old", "first": "new", "sub/a": "new"},
	{"index": "old", "b": "new", "same": "old", "old": "old", "first": "new", "sub/a": "new"},
	{"index": "new", "b": "new", "same": "old", "old": "old", "first": "new", "sub/a": "new"},
	{"index": "new", "b": "new", "same": "old", "first": "new", "sub/a": "new"},
	{"index": "new", "b": "new", "same": "old", "sub/a": "new"},
}

// TestCommitOrdersPhases stops a commit after each of its changes, and checks that the changes
// follow the order of the phases.
func TestCommitOrdersPhases(t *testing.T) {
	for n, want := range stepsOfCommit {
		dir := newTestFolder(t)
		tx := Transaction{}
		stageChanges(t, &tx, dir)
		tx.CutShort = n + 1
		if err := tx.Commit(); (err == nil) != (n == len(stepsOfCommit)-1) {
			t.Errorf("stopped after %d changes: got error %v", n, err)
		}
		tx.Close()
		if got := readTree(t, dir); !maps.Equal(got, want) {
			t.Errorf("stopped after %d changes: got files %v, want %v", n, got, want)
		}
	}
}

// TestCommitStopsAtBlockedFile checks that Commit stops at a file that cannot be changed. The error
// must name the file, and no temporary file may remain.
func TestCommitStopsAtBlockedFile(t *testing.T) {
	for i, name := range []string{"first", "sub/a", "b", "index", "old"} {
		t.Run(name, func(t *testing.T) {
			dir := newTestFolder(t)
			var tx Transaction
			stageChanges(t, &tx, dir)
			at := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.RemoveAll(at); err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(at, "inside"), "")
			want := maps.Clone(stepsOfCommit[i])
			delete(want, name)
			want[name+"/inside"] = ""
			err := tx.Commit()
			tx.Close()
			if pe, ok := errors.AsType[*fs.PathError](err); !ok || pe.Path != at || strings.Contains(err.Error(), TempPrefix) {
				t.Errorf("got error %v, want one about %s", err, at)
			}
			if got := readTree(t, dir); !maps.Equal(got, want) {
				t.Errorf("got files %v, want %v", got, want)
			}
		})
	}
}

// TestDryTransaction checks that a dry transaction changes no file, and works without the folder.
func TestDryTransaction(t *testing.T) {
	dir := newTestFolder(t)
	for _, at := range []string{dir, filepath.Join(dir, "none")} {
		var tx Transaction
		f, err := tx.Open(t.Context(), at, true)
		if err != nil {
			t.Fatal(err)
		}
		info, changed, err := f.Stage(0, "b", []byte("new"))
		f.StageRemoval(0, "old")
		if err := errors.Join(err, tx.Commit()); info != nil || !changed || err != nil {
			t.Errorf("%s: got info %v, changed %t, error %v, want a change without info", at, info, changed, err)
		}
		tx.Close()
	}
	if got := readTree(t, dir); !maps.Equal(got, stepsOfCommit[0]) {
		t.Errorf("got files %v", got)
	}
}

// TestOpenMissingFolder checks that a missing folder counts as empty, and that staging a file in it
// is an error.
func TestOpenMissingFolder(t *testing.T) {
	var tx Transaction
	defer tx.Close()
	f, err := tx.Open(t.Context(), filepath.Join(t.TempDir(), "none"), false)
	if err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat("a")
	if file, bad := f.Open("a"); info != nil || file != nil || err != nil || bad != nil {
		t.Errorf("got info %v, file %v, errors %v and %v, want none", info, file, err, bad)
	}
	f.StageRemoval(0, "a")
	if _, _, err := f.Stage(0, "a", nil); !errors.Is(err, fs.ErrNotExist) || tx.Commit() != nil {
		t.Errorf("Stage: got error %v, want fs.ErrNotExist", err)
	}
}

// TestOpenReturnsSameFolder checks that Open returns the same Folder for two paths of one folder.
func TestOpenReturnsSameFolder(t *testing.T) {
	dir := t.TempDir()
	var tx Transaction
	defer tx.Close()
	var all []*Folder
	for _, name := range []string{dir, filepath.Join(dir, "..", filepath.Base(dir))} {
		f, err := tx.Open(t.Context(), name, false)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	if len(slices.Compact(all)) != 1 {
		t.Error("got two folders, want one")
	}
}

// TestErrorsHideTemporaryNames checks that an error about a temporary file names the folder
// instead.
func TestErrorsHideTemporaryNames(t *testing.T) {
	f := &Folder{Dir: filepath.FromSlash("/site")}
	for name, want := range map[string]string{"a": "/site/a", TempPrefix + "x": "/site", "sub/" + TempPrefix + "x" + tempSuffix: "/site/sub"} {
		err := f.wrapError("write", name, &os.LinkError{Op: "rename", Old: TempPrefix, New: "a", Err: fs.ErrPermission})
		if got := fmt.Sprint(err); got != "write "+filepath.FromSlash(want)+": permission denied" && got != "write "+filepath.FromSlash(want)+": "+fs.ErrPermission.Error() {
			t.Errorf("%s: got %s, want the path %s", name, got, want)
		}
	}
}

// TestOpenRejectsLinksOutOfFolder opens two symbolic links below an open folder. A link out of the
// folder must be rejected. A link inside the folder must work.
func TestOpenRejectsLinksOutOfFolder(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	for _, name := range []string{"in", "de"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Remove(filepath.Join(dir, "de")), os.Symlink(outside, filepath.Join(dir, "de")), os.Symlink("in", filepath.Join(dir, "fr"))); err != nil {
		t.Skip(err)
	}
	var tx Transaction
	defer tx.Close()
	if _, err := tx.Open(t.Context(), dir, false); err != nil {
		t.Fatal(err)
	}
	if f, err := tx.Open(t.Context(), filepath.Join(dir, "de"), false); err == nil {
		t.Error(f.Stage(0, "a", []byte("x")))
	}
	f, err := tx.Open(t.Context(), filepath.Join(dir, "fr"), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Stage(0, "a", []byte("x")); err != nil {
		t.Error(err)
	}
	if err := tx.Commit(); err != nil {
		t.Error(err)
	}
	if names, err := os.ReadDir(outside); err != nil || len(names) > 0 {
		t.Error(names, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "in", "a")); err != nil {
		t.Error(err)
	}
}

// TestReplaceWith replaces a file, a symbolic link and a file in a missing folder. If the write
// function fails, the file must keep its content.
func TestReplaceWith(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "a"), filepath.Join(dir, "link")
	write := func(text string, failure error) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return errors.Join(err, failure)
		}
	}
	if err := errors.Join(ReplaceWith(name, write("one", nil)), os.Chmod(name, 0o600), ReplaceWith(name, write("two", nil))); err != nil {
		t.Fatal(err)
	}
	if err := ReplaceWith(name, write("half", errCutShort)); err == nil {
		t.Error("failing write function: got no error, want one")
	}
	if err := os.Symlink("a", link); err != nil {
		t.Skip(err)
	}
	if err := ReplaceWith(link, write("three", nil)); err != nil {
		t.Error(err)
	}
	if got, want := readTree(t, dir), map[string]string{"a": "two", "link": "three"}; !maps.Equal(got, want) {
		t.Errorf("got files %v, want %v", got, want)
	}
	if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	if err := ReplaceWith(filepath.Join(dir, "missing", "a"), write("one", nil)); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
