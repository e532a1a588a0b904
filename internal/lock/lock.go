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

// A Lock is held until it is closed or the process ends. Nil is none.
type Lock struct{ file *os.File }

// Close releases the lock. Closing its file is not enough: a process that is being
// started has it open for a moment, too.
func (l *Lock) Close() error {
	if l == nil {
		return nil
	}
	return errors.Join(release(l.file), l.file.Close())
}

// Path locks what stands for a path, which may not exist, in the user's cache or
// else in the folder for temporary files. Where another process holds the lock for
// longer than patience, it returns [ErrHeld]; where there are no locks, it returns nil.
//
// Of a folder, open opens the folder itself, which is locked instead if it can be: not on
// NFS and on Windows. A container or another user may have it under another name.
func Path(ctx context.Context, path string, patience time.Duration, open ...func() (*os.File, error)) (*Lock, error) {
	files := append(open, func() (*os.File, error) {
		dir, err := os.UserCacheDir()
		if err != nil {
			return nil, err
		}
		return standIn(path, dir)
	}, func() (*os.File, error) { return standIn(path, os.TempDir()) })
	for _, open := range files {
		f, err := open()
		if err != nil {
			continue
		}
		err = wait(ctx, f, patience)
		if err == nil {
			return &Lock{f}, nil
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

// Target returns the path to which the symbolic links of a name lead, whether or not
// a file is there yet. A name whose links lead in a circle stays.
func Target(name string) string {
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

// standIn opens the file below dir that stands for a path.
func standIn(path, dir string) (*os.File, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	path = Target(path)
	dir = filepath.Join(dir, "sitewalk", "locks")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(path))
	return os.OpenFile(filepath.Join(dir, hex.EncodeToString(sum[:16])), os.O_RDWR|os.O_CREATE, 0o600)
}

// wait locks f, and returns [ErrHeld] if another process goes on holding its lock.
func wait(ctx context.Context, f *os.File, patience time.Duration) error {
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
