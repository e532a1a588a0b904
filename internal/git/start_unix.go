//go:build !windows

package git

import (
	"os"
	"os/exec"
	"syscall"
)

// start starts a program as the first of a process group, all of which ends when
// the program's context does. The function that it returns ends what is left of
// the group when the program has ended.
func start(cmd *exec.Cmd) (end func(), err error) {
	kill := func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.SysProcAttr = attributes()
	cmd.Cancel = func() error {
		if kill() != nil {
			return os.ErrProcessDone
		}
		return nil
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	limitMemory(cmd.Process.Pid)
	return func() { _ = kill() }, nil
}
