//go:build !windows

package engine

import (
	"context"
	"os/exec"
	"syscall"
)

// shell returns a command that runs in /bin/sh. When ctx ends, the shell and all processes that it
// started get SIGTERM.
func shell(ctx context.Context, command string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", command)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	return cmd
}

// kill kills the processes that the command started and that still run.
func kill(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
