package fetch

import (
	"cmp"
	"fmt"
	"io"
)

// The budget of a command: the bytes that it reads, unpacked, and the memory for
// what it keeps of them. Two million short URLs fit in.
const (
	maxRead = 2 << 30
	maxKept = 384 << 20
)

// urlOverhead is what a URL takes in memory beside its texts.
const urlOverhead = 128

// A Budget is what the lists of one command may take together.
type Budget struct{ read, kept int64 }

// NewBudget returns what a command may take.
func NewBudget() *Budget { return &Budget{maxRead, maxKept} }

// Keep takes memory from the budget for what a caller keeps beside the URLs. If that is
// too much, the list ends at its next URL.
func (b *Budget) Keep(bytes int) { b.kept -= int64(bytes) }

// Spent returns an error if more was kept than the command may.
func (b *Budget) Spent() error {
	if b.kept < 0 {
		return spentError("URLs")
	}
	return nil
}

// A spentError is the end of a budget: of which "bytes" or "URLs" there are too many.
type spentError string

func (e spentError) Error() string {
	if e == "bytes" {
		return fmt.Sprintf("there are more than %d GiB of sitemaps, and no more is read", maxRead>>30)
	}
	return fmt.Sprintf("the URLs take more than %d MiB, and no more are read", maxKept>>20)
}

// keep takes the memory for a URL with so many bytes of text from the budget.
func (r *reader) keep(texts int) error { return r.take(cmp.Or(r.o.Beside, urlOverhead) + texts) }

// take takes memory from the budget.
func (r *reader) take(bytes int) error {
	if r.o.Budget.Keep(bytes); r.o.Budget.kept < 0 {
		return spentError("URLs")
	}
	return nil
}

// spending takes what is read from the budget. Where all that is said of a URL is
// kept, that takes about as much memory as it has bytes.
type spending struct {
	io.Reader
	r *reader
}

func (s spending) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	b := s.r.o.Budget
	if b.read -= int64(n); b.read < 0 {
		return 0, spentError("bytes")
	}
	if s.r.o.Carry {
		b.kept -= int64(n)
	}
	return n, err
}
