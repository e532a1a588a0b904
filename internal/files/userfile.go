package files

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// OpenUserFile opens the file name, which the user gives on the command line, for reading. The file
// may also be a FIFO or a device. When ctx ends, opening and reading a FIFO or a device stop with
// an error.
func OpenUserFile(ctx context.Context, name string) (io.ReadCloser, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Mode()&(fs.ModeNamedPipe|fs.ModeDevice) == 0 {
		return Open(name)
	}
	return startContextReader(ctx, func() (io.ReadCloser, error) { return os.Open(name) }), nil
}

// ReadUserFile returns the content of the file name, which the user gives on the command line. The
// file may also be a FIFO or a device; see OpenUserFile. If the content has more than limit bytes,
// the error wraps a [TooLarge].
func ReadUserFile(ctx context.Context, name string, limit int64) ([]byte, error) {
	f, err := OpenUserFile(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAll(f, name, limit)
}

// NewContextReader returns a reader of r whose Read returns an error when ctx ends. A goroutine
// starts to read r immediately. It closes r and ends when r ends, when ctx ends, or when the
// returned reader is closed. If a read of r is blocked at that time, the goroutine first waits
// until the read returns.
func NewContextReader(ctx context.Context, r io.ReadCloser) io.ReadCloser {
	return startContextReader(ctx, func() (io.ReadCloser, error) { return r, nil })
}

// startContextReader is like NewContextReader, but calls open in the goroutine to get the reader.
func startContextReader(ctx context.Context, open func() (io.ReadCloser, error)) io.ReadCloser {
	out, in := io.Pipe()
	stop := context.AfterFunc(ctx, func() { in.CloseWithError(context.Cause(ctx)) })
	go func() {
		r, err := open()
		if err == nil {
			_, err = io.Copy(in, r)
			r.Close()
		}
		stop()
		in.CloseWithError(err)
	}()
	return out
}

var errNoReader = errors.New("it is a FIFO that no process reads; start its reader first")

// Append appends data to the file name, and creates the file if it does not exist. name may also be
// a device, or a FIFO that a process reads. If Append fails, the file may contain a part of data.
func Append(name string, data []byte) error {
	if info, err := os.Stat(name); err == nil && info.Mode()&(fs.ModeDir|fs.ModeSocket) != 0 {
		return newIrregularError(name, info)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND|noWait, 0o644)
	if errors.Is(err, syscall.ENXIO) {
		return &fs.PathError{Op: "open", Path: name, Err: errNoReader}
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return cmp.Or(err, f.Close())
}
