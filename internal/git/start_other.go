//go:build !linux && !windows

package git

import "syscall"

// attributes make a program the first of a process group.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// limitMemory does nothing: only Linux bounds another process, and these systems do
// not all count what a process allocates.
func limitMemory(int) {}
