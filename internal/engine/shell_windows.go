package engine

import (
	"context"
	"os/exec"
	"syscall"
)

// shell returns a command that runs in cmd.exe. When ctx ends, the process is killed.
func shell(ctx context.Context, command string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /S /C "` + command + `"`}
	return cmd
}

// kill does nothing on Windows.
func kill(*exec.Cmd) {}
