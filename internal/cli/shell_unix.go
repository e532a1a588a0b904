//go:build !windows

package cli

import (
	"context"
	"os/exec"
)

// shell returns a command that the system's shell reads.
func shell(ctx context.Context, command string) *exec.Cmd {
	return exec.CommandContext(ctx, "/bin/sh", "-c", command)
}
