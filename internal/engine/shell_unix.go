//go:build !windows

package engine

import (
	"context"
	"os/exec"
	"syscall"
)

// newShellCommand returns a command that runs in /bin/sh. When ctx ends, the shell and all
// processes that it started receive SIGTERM.
func newShellCommand(ctx context.Context, command string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", command)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	return cmd
}

// killProcesses kills the shell of cmd and the processes that it started, if they are still
// running.
func killProcesses(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
