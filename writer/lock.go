package writer

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/sitewalk/sitewalk/internal/lock"
)

// maxWait is longer than a run writes into a folder that it has locked.
const maxWait = time.Minute

// shortWait is for files that may be written without a lock.
const shortWait = 2 * time.Second

var (
	errBusy     = errors.New("another process has kept this folder locked for a minute, such as a build of sitewalk; run this again when it has ended")
	errBusyFile = errors.New("another build of sitewalk has kept this file locked for a minute; run this again when it has ended")
)

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

// self opens the folder, to lock it.
func (d *folder) self() (*os.File, error) { return d.Open(".") }

// lock keeps other runs out of the folder until it is closed or this process ends.
func (d *folder) lock(ctx context.Context, patience time.Duration) (err error) {
	d.held, err = lock.Folder(ctx, d.at, d.self, patience)
	if errors.Is(err, lock.ErrHeld) {
		return &fs.PathError{Op: "lock", Path: d.at, Err: errBusy}
	}
	return err
}
