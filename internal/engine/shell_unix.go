//go:build !windows

package engine

import (
	"context"
	"os/exec"
	"syscall"
)

// shell returns a command that the system's shell reads. It is the first of a
// process group, and all of that is ended with ctx.
func shell(ctx context.Context, command string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", command)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	return cmd
}

// kill ends what is left of the group of a shell that has ended, or will not.
func kill(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
