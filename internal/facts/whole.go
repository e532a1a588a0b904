package facts

import (
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/walker"
)

// usualPage is room for nearly every page.
const usualPage = 64 << 10

// A whole reads files to their end, one after another.
type whole struct {
	buf   []byte // of the file at hand
	usual []byte // for the next file, while buf is that of a large one
	large *large // of all that read side by side
}

// A large is room for one file that is larger than most. Only one is in memory at a
// time, however many read.
type large struct {
	sync.Mutex
	buf []byte
}

// read reads a file, of a large one a byte more than is read of a page; its bytes are
// valid until close.
func (w *whole) read(f *walker.File) error {
	if w.buf = w.buf[:0]; w.buf == nil {
		w.buf = make([]byte, 0, usualPage)
	}
	for len(w.buf) <= page.MaxBytes {
		if len(w.buf) == cap(w.buf) {
			w.grow(f)
		}
		n, err := f.Read(w.buf[len(w.buf):cap(w.buf)])
		w.buf = w.buf[:len(w.buf)+n]
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	w.buf = w.buf[:page.MaxBytes+1]
	return nil
}

// grow makes room for the rest of a file that is larger than most.
func (w *whole) grow(f *walker.File) {
	if w.usual != nil { // it has grown since
		w.buf = slices.Grow(w.buf, len(w.buf))
		return
	}
	w.large.Lock()
	w.usual = w.buf
	size := 2 * len(w.buf)
	if info, err := f.Stat(); err == nil {
		size = max(size, int(min(info.Size(), page.MaxBytes))+1) // one more, to meet the end
	}
	if cap(w.large.buf) < size {
		w.large.buf = nil // not to have both at once
		w.large.buf = make([]byte, size)
	}
	w.buf = append(w.large.buf[:0], w.usual...)
}

// close lets go of a large file.
func (w *whole) close() {
	if w.usual != nil {
		w.large.buf = w.buf
		w.buf, w.usual = w.usual, nil
		w.large.Unlock()
	}
}
