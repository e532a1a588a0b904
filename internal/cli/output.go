package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/sitewalk/sitewalk/internal/diag"
)

// An output is standard output or standard error. It remembers the first error, so
// that what prints does not have to look at each.
type output struct {
	to   io.Writer
	name string
	mu   sync.Mutex
	err  error
}

// Write writes to the output, and fails for good once it has failed.
func (o *output) Write(b []byte) (n int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		n, err = o.to.Write(b)
		if err != nil {
			o.err = fmt.Errorf("%s cannot be written: %w", o.name, diag.Cause(err))
		}
	}
	return n, o.err
}

// lost returns the error of a command whose output was not written, or its own if
// that says so or is worse.
func (o *output) lost(err error) error {
	if err == nil || errors.Is(err, errFindings) {
		return cmp.Or(o.err, err)
	}
	return err
}
