package diag

// A Hinted is an error that knows the next step.
type Hinted struct {
	Err  error
	Hint string // one line, without a full stop
}

// Error is that of Err, without the hint.
func (h Hinted) Error() string { return h.Err.Error() }

// Unwrap returns Err.
func (h Hinted) Unwrap() error { return h.Err }
