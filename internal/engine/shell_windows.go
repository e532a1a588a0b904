package engine

import (
	"context"
	"os/exec"
	"syscall"
)

// shell returns a command that the system's shell reads.
func shell(ctx context.Context, command string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /S /C "` + command + `"`}
	return cmd
}

// kill has nothing to do: the system knows no groups that outlive their shell.
func kill(*exec.Cmd) {}
