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

// Typed opens for reading a file that the user named on the command line. The file may also be
// a FIFO or a device: neither opening nor reading then waits longer than ctx lasts.
func Typed(ctx context.Context, name string) (io.ReadCloser, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Mode()&(fs.ModeNamedPipe|fs.ModeDevice) == 0 {
		return Open(name)
	}
	return until(ctx, func() (io.ReadCloser, error) { return os.Open(name) }), nil
}

// ReadTyped returns the content of a file that the user named, up to limit bytes; see Typed.
func ReadTyped(ctx context.Context, name string, limit int64) ([]byte, error) {
	f, err := Typed(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAll(f, name, limit)
}

// Until returns a reader of r whose Read waits no longer than ctx lasts. A goroutine begins to
// read r at once, and closes r at the end. If r blocks, the goroutine outlives ctx.
func Until(ctx context.Context, r io.ReadCloser) io.ReadCloser {
	return until(ctx, func() (io.ReadCloser, error) { return r, nil })
}

func until(ctx context.Context, open func() (io.ReadCloser, error)) io.ReadCloser {
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

// Append appends data to a file, a device, or a FIFO that a process reads. It creates a missing
// file. If Append fails, the file may contain a part of data; see Replace for a file that must
// be complete.
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
