package fetch

import (
	"cmp"
	"fmt"
	"io"
)

// The limits of one command, in bytes. maxRead limits the decompressed size of all lists together.
// maxKept limits the memory for their URLs, and is enough for two million short URLs.
const (
	maxRead = 2 << 30
	maxKept = 384 << 20
)

// urlOverhead is the memory in bytes that one URL needs in addition to its text, unless
// ListOptions.Overhead is set.
const urlOverhead = 128

// A Budget counts how many bytes one command may still read from lists, and how many bytes of
// memory their URLs may still need.
type Budget struct{ read, kept int64 }

// NewBudget returns a Budget with the full limits of one command.
func NewBudget() *Budget { return &Budget{maxRead, maxKept} }

// Charge subtracts a number of bytes of memory from the budget. It returns an error if the budget
// is exceeded. A call of ReadList with the same budget then also returns an error, at its next URL.
func (b *Budget) Charge(bytes int) error {
	if b.kept -= int64(bytes); b.kept < 0 {
		return budgetError("URLs")
	}
	return nil
}

// A budgetError is the error for an exceeded Budget. Its value is the exceeded limit: "bytes" for
// reading, or "URLs" for memory.
type budgetError string

func (e budgetError) Error() string {
	if e == "bytes" {
		return fmt.Sprintf("there are more than %d GiB of sitemaps; the rest is not read", maxRead>>30)
	}
	return fmt.Sprintf("the URLs take more than %d MiB; the rest is not read", maxKept>>20)
}

// chargeURL subtracts the memory for one URL from the budget. textBytes is the length of its text.
// It returns an error if the budget is exceeded.
func (r *reader) chargeURL(textBytes int) error {
	return r.o.Budget.Charge(cmp.Or(r.o.Overhead, urlOverhead) + textBytes)
}

// A budgetReader subtracts the bytes that it reads from the budget for reading. With
// ListOptions.Rewrites, it also subtracts them from the budget for memory, because the caller keeps
// all fields of each URL.
type budgetReader struct {
	io.Reader
	r *reader
}

func (s budgetReader) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	b := s.r.o.Budget
	if b.read -= int64(n); b.read < 0 {
		return 0, budgetError("bytes")
	}
	if s.r.o.Rewrites {
		b.kept -= int64(n)
	}
	return n, err
}
