package diag

import (
	"errors"
	"io"
	"io/fs"
)

// Cause returns the cause of an error about a path, without the operation and the path. It returns
// any other error unchanged.
func Cause(err error) error {
	if err == nil || err == io.EOF {
		return err // the usual end of a read
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}
