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
	type opened struct {
		file *os.File
		err  error
	}
	done := make(chan opened, 1)
	go func() { // which no system can call back from its open(2)
		f, err := os.Open(name)
		if done <- (opened{f, err}); ctx.Err() != nil && err == nil {
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

// Until reads what may never come, as that of a pipe, no longer than ctx lasts.
func Until(ctx context.Context, r io.Reader) io.Reader {
	return &until{ctx: ctx, r: r}
}

// An until reads ahead on a goroutine that outlives it when nothing comes.
type until struct {
	ctx  context.Context // of one reader, which is passed as one
	r    io.Reader
	buf  []byte // of the goroutine while it runs
	rest []byte // of buf that is to be read
	err  error
}

// A read is what one came to.
type read struct {
	n   int
	err error
}

func (u *until) Read(p []byte) (int, error) {
	if len(u.rest) == 0 && u.err == nil {
		if u.buf == nil {
			u.buf = make([]byte, 64<<10)
		}
		came := make(chan read, 1)
		go func() {
			n, err := u.r.Read(u.buf)
			came <- read{n, err}
		}()
		select {
		case got := <-came:
			u.rest, u.err = u.buf[:got.n], got.err
		case <-u.ctx.Done():
			u.err = context.Cause(u.ctx)
			return 0, u.err
		}
	}
	n := copy(p, u.rest)
	if u.rest = u.rest[n:]; len(u.rest) > 0 {
		return n, nil
	}
	return n, u.err
}
