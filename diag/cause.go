package diag

import (
	"errors"
	"io"
	"io/fs"
)

// Cause returns what is behind an error about a path, without the name of the call
// and the path, which the user would not type so; any other error is its own.
func Cause(err error) error {
	if err == nil || err == io.EOF {
		return err // what nearly every read ends in
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}
