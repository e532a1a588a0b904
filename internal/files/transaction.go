package files

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Transaction is an ordered set of changes. New files have temporary names beside the
// old ones until Commit renames them, so a full disk changes nothing. Open locks a folder
// until Close: another transaction waits for a minute and then fails. The zero value is
// ready to use by one goroutine. Always call Close.
type Transaction struct {
	token   string // how the names of its temporary files begin
	folders []*Folder
	changes []*change

	// CutShort makes Commit stop before the change with this number, counted from 1, as
	// if the process was killed. Only tests set it.
	CutShort int
}

var errCutShort = errors.New("cut short")

// Open opens and locks the folder dir. With dry, it does not lock the folder, and nothing is
// written. A missing folder is like an empty one into which nothing can be written.
func (t *Transaction) Open(ctx context.Context, dir string, dry bool) (*Folder, error) {
	f, err := t.folder(dir, dry)
	if err != nil || dry {
		return f, err
	}
	if err := f.lock(ctx); err != nil {
		return nil, err
	}
	f.clear(".")
	return f, nil
}

// folder returns the folder dir. It returns the same Folder for every path of one folder.
func (t *Transaction) folder(dir string, dry bool) (*Folder, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(at)
	if errors.Is(err, fs.ErrNotExist) {
		return &Folder{Dir: at, missing: err, dryRun: dry}, nil
	}
	if err != nil {
		return nil, err
	}
	is, err := root.Stat(".")
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

// Replace atomically replaces the file at path with data. If it fails, the old file
// stays.
func Replace(path string, data []byte) error {
	var t Transaction
	defer t.Close()
	f, err := t.folder(filepath.Dir(path), false)
	if err != nil {
		return err
	}
	if _, _, err := f.Draft(0, filepath.Base(path), data); err != nil {
		return err
	}
	return t.Commit()
}

// Close removes the temporary files, and unlocks the folders.
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

// Commit makes the changes in the order of their phases, and syncs the folders before the
// next phase begins. If the process is killed, each file is the old or the new one, and
// every phase before the current one is complete. Commit stops at the first error, which
// names the file; the changes made so far stay.
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

// A change replaces or removes one file.
type change struct {
	folder *Folder
	name   string // slash-separated
	phase  int
	temp   string // the temporary file that replaces the file; "" removes the file
}

func (c *change) apply() error {
	if c.temp == "" {
		return c.folder.remove(c.name)
	}
	if err := c.folder.rename(c.temp, filepath.FromSlash(c.name)); err != nil {
		return c.folder.wrapError("replace", c.name, err)
	}
	c.temp = ""
	return nil
}

// syncFolders syncs the folders of the changes, so that the changes survive a power failure. It
// ignores errors, because some systems cannot sync a folder.
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
