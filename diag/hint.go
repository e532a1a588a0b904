package diag

import "fmt"

// A Hinted is an error that knows the next step.
type Hinted struct {
	Err  error
	Hint string // one line, without a full stop
}

// Error is that of Err, without the hint.
func (h Hinted) Error() string { return h.Err.Error() }

// Unwrap returns Err.
func (h Hinted) Unwrap() error { return h.Err }

// Hintedf returns an error that knows the next step.
func Hintedf(hint, format string, args ...any) error {
	return Hinted{fmt.Errorf(format, args...), hint}
}
