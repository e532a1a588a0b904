package engine

import (
	"context"
	"os/exec"
	"syscall"
)

// shell returns a command for cmd.exe.
func shell(ctx context.Context, command string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /S /C "` + command + `"`}
	return cmd
}

// kill does nothing, because Windows has no process groups that outlive their shell.
func kill(*exec.Cmd) {}
