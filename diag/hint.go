package diag

import "fmt"

// A Hinted is an error with a hint about the next step.
type Hinted struct {
	Err  error
	Hint string // one line, without a full stop
}

// Error returns the text of Err, without the hint.
func (h Hinted) Error() string { return h.Err.Error() }

// Unwrap returns Err.
func (h Hinted) Unwrap() error { return h.Err }

// Hintedf returns an error with a hint.
func Hintedf(hint, format string, args ...any) error {
	return Hinted{fmt.Errorf(format, args...), hint}
}
