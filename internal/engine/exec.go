package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/sitewalk/sitewalk/writer"
)

// runExec runs the user's command and waits for it, if the content of a file differs from the
// last build. A restored file does not count: a command that edits written files would
// otherwise run forever.
func (s *session) runExec(ctx context.Context, files []writer.File) {
	if s.o.Exec == "" || !s.haveNewBytes(files) {
		return
	}
	cmd := shell(ctx, s.o.Exec)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.o.Build.Dir, s.o.Output, s.o.Output
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		kill(cmd)
	case err != nil:
		s.o.Tell.Note(fmt.Sprintf("--exec: %v", err))
	}
}

// haveNewBytes reports whether the content of any file changed, and stores the new hashes.
func (s *session) haveNewBytes(files []writer.File) (fresh bool) {
	for _, f := range files {
		name := filepath.Join(s.build.Settings.Writer.Dir, filepath.FromSlash(f.Name))
		sum := digest(name)
		fresh = fresh || f.State != writer.Unchanged && sum != s.sums[name]
		s.sums[name] = sum
	}
	return fresh
}
