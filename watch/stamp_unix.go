//go:build linux || darwin

package watch

import (
	"io/fs"
	"syscall"
	"time"
)

// A stamp says which file it is, and when it last changed in any way, which
// no program can set back; see stat(2) and inode(7).
type stamp struct {
	device, inode uint64
	ctime         syscall.Timespec
}

func stampOf(info fs.FileInfo) (s stamp) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		s = stamp{uint64(stat.Dev), stat.Ino, ctime(stat)}
	}
	return s
}

// changedAt is when a file last changed in any way.
func changedAt(info fs.FileInfo) time.Time {
	at := stampOf(info).ctime
	return time.Unix(at.Unix())
}

func (s stamp) same(o stamp) bool { return s == o }

// identical is same for a folder, which changes with what lies in it.
func (s stamp) identical(o stamp) bool { return s.device == o.device && s.inode == o.inode }
