package fetch

import (
	"cmp"
	"fmt"
	"io"
)

// Limits of a command: decompressed bytes of lists, and bytes kept in memory. Two million short
// URLs fit.
const (
	maxRead = 2 << 30
	maxKept = 384 << 20
)

// urlOverhead is the memory for one URL in addition to its text, in bytes.
const urlOverhead = 128

// A Budget limits the lists of one command together.
type Budget struct{ read, kept int64 }

// NewBudget returns the budget of a command.
func NewBudget() *Budget { return &Budget{maxRead, maxKept} }

// Charge subtracts memory that a caller uses. If the budget is exceeded, the list ends at its
// next URL.
func (b *Budget) Charge(bytes int) { b.kept -= int64(bytes) }

// Err returns an error if the memory budget is exceeded.
func (b *Budget) Err() error {
	if b.kept < 0 {
		return spentError("URLs")
	}
	return nil
}

// A spentError reports an exceeded budget. Its value is the exceeded quantity, "bytes" or
// "URLs".
type spentError string

func (e spentError) Error() string {
	if e == "bytes" {
		return fmt.Sprintf("there are more than %d GiB of sitemaps, and no more is read", maxRead>>30)
	}
	return fmt.Sprintf("the URLs take more than %d MiB, and no more are read", maxKept>>20)
}

// chargeURL charges the memory budget for one URL with texts bytes of text.
func (r *reader) chargeURL(texts int) error {
	return r.chargeMemory(cmp.Or(r.o.Overhead, urlOverhead) + texts)
}

// chargeMemory charges the memory budget.
func (r *reader) chargeMemory(bytes int) error {
	if r.o.Budget.Charge(bytes); r.o.Budget.kept < 0 {
		return spentError("URLs")
	}
	return nil
}

// budgetReader charges the budget for the bytes that it reads. With ListOptions.Rewrites, it also
// charges the memory budget, because all fields of a URL are kept.
type budgetReader struct {
	io.Reader
	r *reader
}

func (s budgetReader) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	b := s.r.o.Budget
	if b.read -= int64(n); b.read < 0 {
		return 0, spentError("bytes")
	}
	if s.r.o.Rewrites {
		b.kept -= int64(n)
	}
	return n, err
}
