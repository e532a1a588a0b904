package diag

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// A Hinted is an error with a hint that names the next step for the user.
type Hinted struct {
	Err  error
	Hint string // one line without a full stop: "--timeout TIME gives it more"
}

// Error returns the text of the wrapped error. The text does not include the hint.
func (h Hinted) Error() string { return h.Err.Error() }

// Unwrap returns the wrapped error.
func (h Hinted) Unwrap() error { return h.Err }

// Hintedf returns an error with a hint. fmt.Errorf formats the error.
func Hintedf(hint, format string, args ...any) error {
	return Hinted{fmt.Errorf(format, args...), hint}
}

// Cause removes the operation and the path from an error of a file: "open x: permission denied"
// becomes "permission denied". If err is or wraps an fs.PathError, Cause returns the error in it.
// Cause returns any other error unchanged.
func Cause(err error) error {
	if err == nil || err == io.EOF {
		return err // io.EOF is no failure, only the end of a file
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}
