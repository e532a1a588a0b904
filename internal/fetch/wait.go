package fetch

import (
	"context"
	"io"
	"io/fs"
	"os"
)

// File opens a file that the user names. Where that is a pipe, nothing waits for
// its other end longer than ctx lasts.
func File(ctx context.Context, name string) (io.ReadCloser, error) {
	if info, err := os.Stat(name); err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeCharDevice) == 0 {
		return os.Open(name)
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
		return struct {
			io.Reader
			io.Closer
		}{Until(ctx, o.file), o.file}, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// IsRegular reports whether there is a regular file of that name.
func IsRegular(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// Until reads what may never come, as that of a pipe, no longer than ctx lasts. It
// begins to read at once, on a goroutine that outlives ctx when nothing comes.
func Until(ctx context.Context, r io.Reader) io.Reader {
	out, in := io.Pipe()
	stop := context.AfterFunc(ctx, func() { in.CloseWithError(context.Cause(ctx)) })
	go func() {
		defer stop()
		_, err := io.Copy(in, r)
		in.CloseWithError(err)
	}()
	return out
}
