package writer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// maxWait is longer than a run writes into a folder that it has locked.
const maxWait = time.Minute

// shortWait is for files that may be written without a lock.
const shortWait = 2 * time.Second

// retry is how often a lock that another process holds is asked for again.
const retry = 20 * time.Millisecond

var (
	errLocked = errors.New("another process holds the lock")
	errBusy   = errors.New("another process has kept this folder locked for a minute, such as a build of sitewalk; run this again when it has ended")
)

// lock keeps other runs out of the folder until it is closed or this process
// ends, however that happens. It locks the folder itself, as a container or
// another user may have it under another name; a file outside of what is
// published stands for it where folders cannot be locked: on NFS and on Windows.
// Where there are no locks at all, it succeeds without one.
func (d *folder) lock(ctx context.Context, patience time.Duration) error {
	for _, candidate := range []func() (*os.File, error){d.self, d.cacheFile, d.tempFile} {
		f, err := candidate()
		if err != nil {
			continue
		}
		err = waitForLock(ctx, f, patience)
		if err == nil {
			d.held = f
			return nil
		}
		f.Close()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, errLocked):
			return &fs.PathError{Op: "lock", Path: d.at, Err: errBusy}
		}
	}
	return nil
}

// self opens the folder, to lock it.
func (d *folder) self() (*os.File, error) { return d.Open(".") }

// cacheFile opens the file that stands for the folder in the user's cache.
func (d *folder) cacheFile() (*os.File, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	return d.fileIn(dir)
}

func (d *folder) tempFile() (*os.File, error) { return d.fileIn(os.TempDir()) }

func (d *folder) fileIn(dir string) (*os.File, error) {
	real, err := filepath.EvalSymlinks(d.at)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err == nil {
		dir = filepath.Join(dir, "sitewalk", "locks")
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(real))
	return os.OpenFile(filepath.Join(dir, hex.EncodeToString(sum[:16])), os.O_RDWR|os.O_CREATE, 0o600)
}

// waitForLock locks f, and returns errLocked if another process goes on holding
// its lock.
func waitForLock(ctx context.Context, f *os.File, patience time.Duration) error {
	end := time.After(patience)
	for {
		if err := tryLock(f); !errors.Is(err, errLocked) {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-end:
			return errLocked
		case <-time.After(retry):
		}
	}
}
