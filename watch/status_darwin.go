package watch

import (
	"io/fs"
	"syscall"
)

// statusTime returns when a file last changed in any way, which nobody can set
// back; see stat(2).
func statusTime(info fs.FileInfo) syscall.Timespec {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Ctimespec
	}
	return syscall.Timespec{}
}
