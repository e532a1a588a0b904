package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// ErrHeld reports that another process holds the lock.
var ErrHeld = errors.New("another process holds the lock")

// lockRetry is the delay between two attempts to lock a path.
const lockRetry = 20 * time.Millisecond

// A PathLock is held until it is closed or the process ends. A nil PathLock holds nothing.
type PathLock struct{ file *os.File }

// Close releases the lock. Closing its file is not enough: a process that is being
// started has it open for a moment, too.
func (l *PathLock) Close() error {
	if l == nil {
		return nil
	}
	return errors.Join(unlock(l.file), l.file.Close())
}

// UserCacheDir returns the user's cache folder. A relative path is an error, because it would
// name a folder of the project.
func UserCacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err == nil && !filepath.IsAbs(dir) {
		err = fmt.Errorf("the cache folder %s is relative", dir)
	}
	return dir, err
}

// LockPath locks path, which need not exist. It waits up to patience for another process
// and then returns [ErrHeld]. It returns nil on systems without locks.
//
// The lock is a file in the user's cache, or else in the folder for temporary files. If
// path is a folder, open opens it, and LockPath locks the folder itself where the system
// can do that (not on NFS and Windows). That lock also works across users and containers,
// which may know the folder under another name.
func LockPath(ctx context.Context, path string, patience time.Duration, open ...func() (*os.File, error)) (*PathLock, error) {
	candidates := append(open, func() (*os.File, error) {
		dir, err := UserCacheDir()
		if err != nil {
			return nil, err
		}
		return lockFile(path, dir)
	}, func() (*os.File, error) { return lockFile(path, os.TempDir()) })
	for _, open := range candidates {
		f, err := open()
		if err != nil {
			continue
		}
		err = waitForLock(ctx, f, patience)
		if err == nil {
			return &PathLock{f}, nil
		}
		f.Close()
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case errors.Is(err, ErrHeld):
			return nil, err
		}
	}
	return nil, nil
}

// LinkTarget returns the path to which the symbolic links of a name lead, whether or not
// a file is there yet. A name whose links lead in a circle stays.
func LinkTarget(name string) string {
	path := name
	for range maxLinks {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return real
		}
		dir, base := filepath.Split(path)
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		path = filepath.Join(dir, base)
		to, err := os.Readlink(path)
		if err != nil {
			return path
		}
		if !filepath.IsAbs(to) {
			to = dir + string(filepath.Separator) + to // not Join: ".." leads from where a link leads
		}
		path = to
	}
	return name
}

// maxLinks is how many links that lead to each other are followed, as by Linux.
const maxLinks = 40

// lockFile opens the file below dir that stands for a path.
func lockFile(path, dir string) (*os.File, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	path = LinkTarget(path)
	dir = filepath.Join(dir, "sitewalk", "locks")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(path))
	return os.OpenFile(filepath.Join(dir, hex.EncodeToString(sum[:16])), os.O_RDWR|os.O_CREATE, 0o600)
}

// waitForLock locks f, and returns ErrHeld if another process goes on holding its lock.
func waitForLock(ctx context.Context, f *os.File, patience time.Duration) error {
	for end := time.After(patience); ; {
		if err := tryLock(f); !errors.Is(err, ErrHeld) {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-end:
			return ErrHeld
		case <-time.After(lockRetry):
		}
	}
}
