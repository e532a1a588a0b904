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
	maxWait   = time.Minute           // how long lock waits; a build usually keeps a folder locked for less time
	lockRetry = 20 * time.Millisecond // delay between two attempts to lock a folder
)

var (
	errHeld = errors.New("another process holds the lock")
	errBusy = errors.New("another process has kept this folder locked for a minute, such as a build of sitewalk; run this again when it has ended")
)

// UserCacheDir is like os.UserCacheDir, but returns an error if the path is relative.
func UserCacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err == nil && !filepath.IsAbs(dir) {
		err = fmt.Errorf("the cache folder %s is relative", dir)
	}
	return dir, err
}

// lock locks the folder for this process until unlock, or until the process ends. If another
// process has the lock, lock waits for a minute and then returns an error. It also returns an error
// when ctx ends. If the folder does not exist, lock does nothing.
//
// lock locks the folder itself, which works across users and containers. Windows and NFS cannot
// lock a folder; in that case lock locks a file in the user's cache folder. If that also fails,
// lock returns nil without a lock.
func (f *Folder) lock(ctx context.Context) error {
	if f.lockFile != nil || f.missing != nil {
		return nil
	}
	for _, open := range []func() (*os.File, error){f.openDir, f.openLockFile} {
		file, err := open()
		if err != nil {
			continue
		}
		if err = waitForLock(ctx, file); err == nil {
			f.lockFile = file
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

// openDir opens the folder as a file that can be locked.
func (f *Folder) openDir() (*os.File, error) { return f.root.Open(".") }

// openLockFile opens the lock file of the folder. The lock file is in the user's cache folder. Its
// name is a hash of the folder's path without symbolic links.
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

// unlock releases the lock and closes its file. Closing alone might not release the lock: a child
// process that is being started also has the file open for a moment.
func (f *Folder) unlock() {
	if f.lockFile != nil {
		_ = unlock(f.lockFile)
		_ = f.lockFile.Close()
	}
}

// waitForLock locks f. If another process keeps the lock for longer than maxWait, it returns
// errHeld. If ctx ends before, it returns the cause of ctx. It returns any other error of tryLock
// at once.
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
