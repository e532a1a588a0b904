package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	maxWait   = time.Minute           // longer than a run writes into a folder that it has locked
	lockRetry = 20 * time.Millisecond // delay between two attempts to lock a folder
)

var (
	errHeld = errors.New("another process holds the lock")
	errBusy = errors.New("another process has kept this folder locked for a minute, such as a build of sitewalk; run this again when it has ended")
)

// UserCacheDir returns the user's cache folder. A relative path is an error, because it would
// name a folder of the project.
func UserCacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err == nil && !filepath.IsAbs(dir) {
		err = fmt.Errorf("the cache folder %s is relative", dir)
	}
	return dir, err
}

// lock keeps other transactions out of the folder until it is closed or this process ends. It
// locks the folder itself, which works across users and containers. Windows and NFS cannot
// lock a folder; there, lock locks a file in the user's cache folder. If neither is possible,
// the folder stays unlocked.
func (f *Folder) lock(ctx context.Context) error {
	if f.held != nil || f.missing != nil {
		return nil
	}
	for _, open := range []func() (*os.File, error){f.openSelf, f.openLockFile} {
		file, err := open()
		if err != nil {
			continue
		}
		if err = waitForLock(ctx, file); err == nil {
			f.held = file
			return nil
		}
		file.Close()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, errHeld):
			return &fs.PathError{Op: "lock", Path: f.Dir, Err: errBusy}
		}
	}
	return nil
}

func (f *Folder) openSelf() (*os.File, error) { return f.root.Open(".") }

// openLockFile opens the file in the user's cache folder that represents the folder. Its name
// is a hash of the folder's path without symbolic links.
func (f *Folder) openLockFile() (*os.File, error) {
	path, err := filepath.EvalSymlinks(f.Dir)
	if err != nil {
		return nil, err
	}
	cache, err := UserCacheDir()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, "sitewalk", "locks")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(path))
	return os.OpenFile(filepath.Join(dir, hex.EncodeToString(sum[:16])), os.O_RDWR|os.O_CREATE, 0o600)
}

// unlock releases the lock. Closing its file is not enough: a process that is being started
// has the file open for a moment, too.
func (f *Folder) unlock() {
	if f.held != nil {
		_ = unlock(f.held)
		_ = f.held.Close()
	}
}

// waitForLock locks f, and returns errHeld if another process holds the lock for maxWait.
func waitForLock(ctx context.Context, f *os.File) error {
	for end := time.After(maxWait); ; {
		if err := tryLock(f); !errors.Is(err, errHeld) {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-end:
			return errHeld
		case <-time.After(lockRetry):
		}
	}
}
