package files

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// Typed opens for reading what the user named on the command line, which may also be
// a FIFO or a device. Neither opening nor reading that waits longer than ctx lasts.
func Typed(ctx context.Context, name string) (io.ReadCloser, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Mode()&(fs.ModeNamedPipe|fs.ModeDevice) == 0 {
		return Open(name)
	}
	type opening struct {
		file *os.File
		err  error
	}
	done := make(chan opening, 1)
	go func() { // which no system can call back from its open(2)
		f, err := os.Open(name)
		if done <- (opening{f, err}); ctx.Err() != nil && err == nil {
			f.Close()
		}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			return nil, o.err
		}
		return Until(ctx, o.file), nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// ReadTyped returns the content of what the user named, see Typed, up to limit bytes.
func ReadTyped(ctx context.Context, name string, limit int64) ([]byte, error) {
	f, err := Typed(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAll(f, name, limit)
}

// Until reads what may never come, as that of a pipe, no longer than ctx lasts. It
// begins to read at once, on a goroutine that outlives ctx when nothing comes, and
// closes r in the end.
func Until(ctx context.Context, r io.ReadCloser) io.ReadCloser {
	out, in := io.Pipe()
	stop := context.AfterFunc(ctx, func() { in.CloseWithError(context.Cause(ctx)) })
	go func() {
		_, err := io.Copy(in, r)
		stop()
		in.CloseWithError(err)
		r.Close()
	}()
	return out
}

// errUnread is a FIFO that would have to be waited for.
var errUnread = errors.New("it is a FIFO that no process reads; start its reader first")

// Append appends data to a file, which it creates, to a FIFO that a process reads, or
// to a device. It waits for a slow reader as long as ctx lasts.
//
// A regular file that already exists has all of the data or an error says that
// it may not; to replace one whole or not at all is for commit.Replace.
func Append(ctx context.Context, name string, data []byte) error {
	if info, err := os.Stat(name); err == nil && info.Mode()&(fs.ModeDir|fs.ModeSocket) != 0 {
		return refuse(name, info)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND|noWait, 0o644)
	if errors.Is(err, syscall.ENXIO) {
		return &fs.PathError{Op: "open", Path: name, Err: errUnread}
	}
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = f.SetWriteDeadline(time.Unix(0, 0)) })
	defer stop()
	_, err = f.Write(data)
	err = cmp.Or(err, f.Close())
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
