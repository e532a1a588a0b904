// Package commit replaces and removes files together: all of them or none, and each
// whole.
//
// It refuses to know what the files hold. A [Folder] follows no link out of itself;
// [Transaction.File] follows the one that a user made.
package commit

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/lock"
)

// A Transaction is a set of changes. Until Commit, the new files stand beside the old
// ones, under temporary names. From Open to Close its folders are locked: another
// transaction waits for a minute, then it fails. The zero value is ready; it is for one
// goroutine, and Close has to follow.
type Transaction struct {
	token   string // how the names of its temporary files begin
	folders []*Folder
	locks   []*lock.Lock // those of Lock; nil where there are no locks
	changes []*change

	// CutShort ends Commit before the change of that number, from 1, as if the process
	// was killed then. It is for tests, also those of writer; 0 is never.
	CutShort int
}

const (
	maxWait   = time.Minute     // longer than a run writes into a folder that it has locked
	shortWait = 2 * time.Second // for files that may be written without a lock
)

var (
	errBusy     = errors.New("another process has kept this folder locked for a minute, such as a build of sitewalk; run this again when it has ended")
	errBusyFile = errors.New("another build of sitewalk has kept this file locked for a minute; run this again when it has ended")
	errCutShort = errors.New("cut short")
)

// Open opens the folder at dir, and locks it unless the transaction only looks. A folder
// that does not exist is empty, and nothing can be written into it.
func (t *Transaction) Open(ctx context.Context, dir string, dry bool) (*Folder, error) {
	f, err := t.folder(dir, dry)
	if err != nil || dry {
		return f, err
	}
	if err := f.lock(ctx, maxWait); err != nil {
		return nil, err
	}
	f.clear(".")
	return f, nil
}

// folder returns the folder at dir, the same one if it is open already under any name.
func (t *Transaction) folder(dir string, dry bool) (*Folder, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root, err := files.Root(at)
	if errors.Is(err, fs.ErrNotExist) {
		return &Folder{At: at, missing: err, dry: dry}, nil
	}
	if err != nil {
		return nil, err
	}
	is, err := root.Stat(".")
	for _, known := range t.folders {
		if err == nil && os.SameFile(known.is, is) {
			_ = root.Close()
			return known, nil
		}
	}
	if t.token == "" {
		t.token = TempPrefix + strings.ToLower(rand.Text())
	}
	f := &Folder{At: at, tx: t, root: root, is: is, dry: dry, cleared: map[string]bool{}}
	t.folders = append(t.folders, f)
	return f, nil
}

// lock keeps other transactions out of the folder until it is closed or this process
// ends.
func (f *Folder) lock(ctx context.Context, patience time.Duration) (err error) {
	if f.held != nil || f.missing != nil {
		return nil
	}
	f.held, err = lock.Path(ctx, f.At, patience, func() (*os.File, error) { return f.root.Open(".") })
	if errors.Is(err, lock.ErrHeld) {
		return &fs.PathError{Op: "lock", Path: f.At, Err: errBusy}
	}
	return err
}

// File drafts data as the content of the file at path, for a phase of the commit, as
// [Folder.Draft] does. A symbolic link stays, and its target is made or replaced. The
// folder must exist. A folder that stays locked is written into all the same.
func (t *Transaction) File(ctx context.Context, phase int, path string, data []byte) error {
	path = lock.Target(path)
	f, err := t.folder(filepath.Dir(path), false)
	if err != nil {
		return err
	}
	if err := f.lock(ctx, shortWait); err != nil && !errors.Is(err, errBusy) {
		return err
	}
	_, _, err = f.Draft(phase, filepath.Base(path), data)
	return err
}

// Replace makes data the content of the file at path, whole or not at all, as
// [Transaction.File] and [Transaction.Commit] do.
func Replace(path string, data []byte) error {
	var t Transaction
	defer t.Close()
	if err := t.File(context.Background(), 0, path, data); err != nil {
		return err
	}
	return t.Commit()
}

// Lock keeps other transactions that lock the file at path from writing it, until
// Close. The file need not exist.
func (t *Transaction) Lock(ctx context.Context, path string) error {
	held, err := lock.Path(ctx, path, maxWait)
	if errors.Is(err, lock.ErrHeld) {
		return &fs.PathError{Op: "lock", Path: path, Err: errBusyFile}
	}
	t.locks = append(t.locks, held)
	return err
}

// Close removes what stands beside the files, and unlocks the folders.
func (t *Transaction) Close() {
	for _, c := range t.changes {
		for _, temp := range []string{c.temp, c.old} {
			if temp != "" {
				_ = c.folder.root.Remove(temp)
			}
		}
	}
	for _, f := range t.folders {
		_ = f.held.Close()
		_ = f.root.Close()
	}
	for _, l := range t.locks {
		_ = l.Close()
	}
	*t = Transaction{}
}

// Commit makes the changes, those of the lowest phase first. They are on disk for good
// before those of the next one begin. So whenever a commit is cut short, each file is
// whole, and no change of a phase is made without all of those before it. If Commit
// fails, it puts back what was there; where it cannot, the error is a [Partial].
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
		if i < len(t.changes)-1 { // the last change is never undone
			c.keep()
		}
		if err := c.make(); err != nil {
			if left := undo(t.changes[:i]); len(left) > 0 {
				return &Partial{New: left, Err: err}
			}
			return err
		}
	}
	syncFolders(t.changes[synced:])
	return nil
}

// A change is one file that gets another content, or goes.
type change struct {
	folder *Folder
	name   string // slash-separated
	phase  int
	temp   string // the file beside it that takes its place; "": none, or none any more

	old string // once kept: a temporary name of what was there before; "": it has none
	new bool   // nothing was there before
}

func (c *change) make() error {
	if c.temp == "" {
		return c.folder.remove(c.name)
	}
	err := c.folder.root.Rename(c.temp, filepath.FromSlash(c.name))
	if err != nil {
		return c.folder.blame("replace", c.name, c.folder.refusal(c.name, err))
	}
	c.temp = ""
	return nil
}

// keep gives what stands in the place of a change a second name, as far as the file
// system can.
func (c *change) keep() {
	info, err := c.folder.Stat(c.name)
	if c.new = err == nil && info == nil; c.new {
		return
	}
	if old := c.folder.tempName(c.name); c.folder.root.Link(filepath.FromSlash(c.name), old) == nil {
		c.old = old
	}
}

// undo puts back what was there, the last change first, and returns the files that
// stay changed. Behind one that it cannot put back it stops, as what was changed later
// may name each file that was changed before it.
func undo(done []*change) (left []string) {
	for len(done) > 0 && done[len(done)-1].undo() {
		done = done[:len(done)-1]
	}
	for _, c := range done {
		left = append(left, c.folder.path(c.name))
	}
	return left
}

func (c *change) undo() (ok bool) {
	if c.new {
		return c.folder.remove(c.name) == nil
	}
	ok = c.old != "" && c.folder.root.Rename(c.old, filepath.FromSlash(c.name)) == nil
	if ok {
		c.old = ""
	}
	return ok
}

// syncFolders makes changes outlast a power cut, as far as the system lets a directory
// be synced: some refuse, and then nothing is lost but that promise.
func syncFolders(changes []*change) {
	synced := map[string]bool{}
	for _, c := range changes {
		dir := filepath.Dir(filepath.FromSlash(c.name))
		if key := filepath.Join(c.folder.At, dir); !synced[key] {
			synced[key] = true
			if d, err := c.folder.root.Open(dir); err == nil {
				_ = d.Sync()
				_ = d.Close()
			}
		}
	}
}

// A Partial is the error of a commit that could neither be completed nor undone.
type Partial struct {
	New []string // paths of the files that are as the commit makes them, or gone; all others are as they were
	Err error    // why it was not completed
}

// Error names the files.
func (p *Partial) Error() string {
	return fmt.Sprintf("%v; all files are as they were but for %s; the next build completes the change", p.Err, strings.Join(p.New, ", "))
}

// Unwrap returns the cause.
func (p *Partial) Unwrap() error { return p.Err }
