package walker

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"

	"github.com/sitewalk/sitewalk/internal/diag"
)

// cause is that of diag, for an error that comes of nearly every read, too.
func cause(err error) error {
	if err == nil || err == io.EOF {
		return err // what nearly every read ends in
	}
	return diag.Cause(err)
}

// vanished reports whether an error says that an entry is no longer what its
// folder said, as happens when something changes the tree during the walk.
func vanished(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

func exhausted(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

func tooManyFiles(err error) error {
	return fmt.Errorf("the system opens no more files; raise its limit (ulimit -n) or use fewer jobs: %w", cause(err))
}
