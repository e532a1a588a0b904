// Package lock lets one process at a time work on a path.
//
// It refuses to outlive the process, however that ends, and to leave anything beside
// the path.
package lock

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// ErrHeld says that another process holds the lock.
var ErrHeld = errors.New("another process holds the lock")

// retry is how often a lock that another process holds is asked for again.
const retry = 20 * time.Millisecond

// Path locks what stands for a path, which may not exist, in the user's cache or
// else in the folder for temporary files, until the function that it returns is
// called or the process ends. Where another process holds the lock for longer than
// patience, it returns [ErrHeld]; where there are no locks, it succeeds without one.
func Path(ctx context.Context, path string, patience time.Duration) (unlock func() error, err error) {
	for _, folder := range []func() (string, error){os.UserCacheDir, tempDir} {
		f, err := standIn(path, folder)
		if err != nil {
			continue
		}
		err = Wait(ctx, f, patience)
		if err == nil {
			return f.Close, nil
		}
		f.Close()
		if ctx.Err() != nil || errors.Is(err, ErrHeld) {
			return nil, err
		}
	}
	return func() error { return nil }, nil
}

func tempDir() (string, error) { return os.TempDir(), nil }

// standIn opens the file in a folder that stands for a path.
func standIn(path string, folder func() (string, error)) (*os.File, error) {
	dir, err := folder()
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(real, filepath.Base(path))
	}
	dir = filepath.Join(dir, "sitewalk", "locks")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(path))
	return os.OpenFile(filepath.Join(dir, hex.EncodeToString(sum[:16])), os.O_RDWR|os.O_CREATE, 0o600)
}

// Wait locks an open file, or a folder where the system locks folders, until it is
// closed or the process ends. It returns [ErrHeld] if another process goes on holding
// its lock for longer than patience.
func Wait(ctx context.Context, f *os.File, patience time.Duration) error {
	for end := time.After(patience); ; {
		if err := try(f); !errors.Is(err, ErrHeld) {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-end:
			return ErrHeld
		case <-time.After(retry):
		}
	}
}
