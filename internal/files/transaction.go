package files

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Transaction is an ordered set of changes to files. Until Commit renames it, each new file has a
// temporary name in its folder, so a full disk changes no existing file. Open locks a folder until
// Close; another process waits for the lock for a minute and then fails.
//
// The zero Transaction is ready to use by one goroutine. Always call Close.
type Transaction struct {
	token   string // prefix of the names of the temporary files: TempPrefix and random letters
	folders []*Folder
	changes []*change

	// Seen maps the absolute paths of folders to the fs.FileInfo that they had when their content
	// was read. Open returns an error if a path in Seen now leads to a different folder.
	Seen map[string]fs.FileInfo

	// CutShort, if not 0, makes Commit stop before the change with this number, as if the process
	// were killed. Changes are counted from 1. Only tests set CutShort.
	CutShort int
}

var (
	errCutShort = errors.New("cut short")
	errReplaced = errors.New("the folder was replaced while it was read; run this again")
)

// Open opens and locks the folder dir. If dry is true, it does not lock the folder, and Commit
// writes nothing into it. If dir does not exist, Open returns an empty Folder without an error, and
// Stage returns an error unless dry is true.
func (t *Transaction) Open(ctx context.Context, dir string, dry bool) (*Folder, error) {
	f, err := t.openFolder(dir, dry)
	if err != nil || dry {
		return f, err
	}
	if err := f.lock(ctx); err != nil {
		return nil, err
	}
	f.removeStaleTemps(".")
	return f, nil
}

// openFolder opens the folder dir without locking it. If the transaction has already opened the
// same folder by another path, openFolder returns the same Folder. If dir does not exist, it
// returns an empty Folder.
func (t *Transaction) openFolder(dir string, dry bool) (*Folder, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root, err := t.openRoot(at)
	if errors.Is(err, fs.ErrNotExist) {
		return &Folder{Dir: at, missing: err, dryRun: dry}, nil
	}
	if err != nil {
		return nil, err
	}
	is, err := root.Stat(".")
	if seen := t.Seen[at]; seen != nil && (err != nil || !os.SameFile(seen, is)) {
		_ = root.Close()
		return nil, &fs.PathError{Op: "open", Path: at, Err: errReplaced}
	}
	for _, known := range t.folders {
		if err == nil && os.SameFile(known.info, is) {
			_ = root.Close()
			return known, nil
		}
	}
	if t.token == "" {
		t.token = TempPrefix + strings.ToLower(rand.Text())
	}
	f := &Folder{Dir: at, tx: t, root: root, info: is, dryRun: dry, cleared: map[string]bool{}}
	t.folders = append(t.folders, f)
	return f, nil
}

// openRoot opens the folder dir. If dir is below a folder that the transaction has opened, a
// symbolic link out of that folder is an error.
func (t *Transaction) openRoot(dir string) (*os.Root, error) {
	for _, f := range t.folders {
		if rel, ok := RelBelow(f.Dir, dir); ok {
			root, err := f.root.OpenRoot(rel)
			return root, f.wrapError("open", filepath.ToSlash(rel), err)
		}
	}
	return os.OpenRoot(dir)
}

// Replace atomically replaces the content of the file at path with data, or creates the file. If
// Replace fails, the old content stays. Replace waits for the lock of the folder for a second at
// most. Without the lock, it still writes the file. With the lock, it also removes temporary files
// of killed runs.
func Replace(path string, data []byte) error {
	return ReplaceWith(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// ReplaceWith is like Replace, but calls write to write the content, which may be large.
func ReplaceWith(path string, write func(io.Writer) error) error {
	var t Transaction
	defer t.Close()
	f, err := t.openFolder(filepath.Dir(path), false)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = f.lock(ctx)
	f.removeStaleTemps(".")
	name := filepath.Base(path)
	old, err := f.Stat(name)
	if err = cmp.Or(err, f.CheckReplaceable(name), f.missing); err != nil {
		return err
	}
	if old != nil && !old.Mode().IsRegular() {
		old = nil // a symbolic link, which is replaced
	}
	if _, err = f.stageWith(0, name, old, write); err != nil {
		return err
	}
	return t.Commit()
}

// Close removes the temporary files that were not committed, and unlocks the folders.
func (t *Transaction) Close() {
	for _, c := range t.changes {
		if c.temp != "" {
			_ = c.folder.root.Remove(c.temp)
		}
	}
	for _, f := range t.folders {
		f.unlock()
		_ = f.root.Close()
	}
	*t = Transaction{}
}

// Commit applies the changes in the order of their phases. It syncs the folders to disk before the
// next phase begins. If the process is killed during a phase, all earlier phases are complete, and
// each file has its old or its new content.
//
// Commit stops at the first error, which names the file. Changes before the error stay.
func (t *Transaction) Commit() error {
	slices.SortStableFunc(t.changes, func(a, b *change) int { return cmp.Compare(a.phase, b.phase) })
	synced := 0
	for i, c := range t.changes {
		if i+1 == t.CutShort {
			return errCutShort
		}
		if c.phase > t.changes[synced].phase {
			syncFolders(t.changes[synced:i])
			synced = i
		}
		if err := c.apply(); err != nil {
			return err
		}
	}
	syncFolders(t.changes[synced:])
	return nil
}

// A change is the replacement or removal of one file.
type change struct {
	folder *Folder
	name   string // slash-separated
	phase  int
	temp   string // the temporary file to rename to name; "" removes the file
}

func (c *change) apply() error {
	if c.temp == "" {
		return c.folder.removeNow(c.name)
	}
	if err := c.folder.renameWithRetry(c.temp, filepath.FromSlash(c.name)); err != nil {
		return c.folder.wrapError("replace", c.name, err)
	}
	c.temp = ""
	return nil
}

// syncFolders syncs the folders of the changed files to disk, so that the changes survive a power
// failure. It ignores errors, because some systems cannot sync a folder.
func syncFolders(changes []*change) {
	synced := map[string]bool{}
	for _, c := range changes {
		dir := filepath.Dir(filepath.FromSlash(c.name))
		if key := filepath.Join(c.folder.Dir, dir); !synced[key] {
			synced[key] = true
			if d, err := c.folder.root.Open(dir); err == nil {
				_ = d.Sync()
				_ = d.Close()
			}
		}
	}
}
