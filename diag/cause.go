package diag

import (
	"errors"
	"io"
	"io/fs"
)

// Cause returns the underlying error of an fs.PathError, without the operation and the path: "open
// x: permission denied" becomes "permission denied". err may also wrap an fs.PathError. Cause
// returns any other error unchanged.
func Cause(err error) error {
	if err == nil || err == io.EOF {
		return err // io.EOF is no failure, only the end of a file
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}
