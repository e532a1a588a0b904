//go:build linux || darwin

package watch

import (
	"io/fs"
	"syscall"
	"time"
)

// A stamp says which file it is, and when one that is no folder last changed in any way,
// which no program can set back; see stat(2) and inode(7).
type stamp struct {
	device, inode uint64
	ctime         syscall.Timespec
}

func stampOf(info fs.FileInfo) (s stamp) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		s.device, s.inode = uint64(stat.Dev), stat.Ino
		if !info.IsDir() {
			s.ctime = ctime(stat)
		}
	}
	return s
}

// changedAt is when a file last changed in any way.
func changedAt(info fs.FileInfo) time.Time {
	at := stampOf(info).ctime
	return time.Unix(at.Unix())
}

func (s stamp) same(o stamp) bool { return s == o }
