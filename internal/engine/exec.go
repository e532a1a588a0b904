package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/sitewalk/sitewalk/writer"
)

// runExec runs the user's command when a file became another one than after the
// last build, and waits for it. What only had to be repaired is the same: a
// command that edits our files would start itself for ever.
func (s *session) runExec(ctx context.Context, files []writer.File) {
	if s.o.Exec == "" || !s.fresh(files) {
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

// fresh reports whether files changed, and remembers what they hold.
func (s *session) fresh(files []writer.File) (fresh bool) {
	for _, f := range files {
		name := filepath.Join(s.build.Settings.Writer.Dir, filepath.FromSlash(f.Name))
		sum := digest(name)
		fresh = fresh || f.State != writer.Unchanged && sum != s.sums[name]
		s.sums[name] = sum
	}
	return fresh
}
