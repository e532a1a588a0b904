package git

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes make a program the first of a process group, and end it also when this
// process is killed.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// limitMemory bounds what a process allocates. Packs and indexes that git maps into
// its memory do not count; see setrlimit(2). A lower limit of the user stays.
func limitMemory(pid int) {
	_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: maxMemory, Max: maxMemory}, nil)
}
