package engine

import (
	"context"
	"os/exec"
	"syscall"
)

// newShellCommand returns a command that runs in cmd.exe. When ctx ends, the process is killed.
func newShellCommand(ctx context.Context, command string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /S /C "` + command + `"`}
	return cmd
}

// killProcesses does nothing on Windows.
func killProcesses(*exec.Cmd) {}
