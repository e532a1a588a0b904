package diag

import (
	"errors"
	"io"
	"io/fs"
)

// Cause removes the operation and the path from an fs.PathError and returns the underlying error:
// "open x: permission denied" becomes "permission denied". It returns any other error unchanged.
func Cause(err error) error {
	if err == nil || err == io.EOF {
		return err // io.EOF is no failure, only the end of a file
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}
