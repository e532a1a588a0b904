//go:build linux || darwin

package watch

import (
	"io/fs"
	"syscall"

	"github.com/sitewalk/sitewalk/internal/files"
)

// A stamp says which file it is, and when one that is no folder last changed in any way.
type stamp struct {
	device, inode uint64
	changed       int64 // in nanoseconds, as far as they reach
}

func stampOf(info fs.FileInfo) (s stamp) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		s.device, s.inode = uint64(stat.Dev), stat.Ino
	}
	if !info.IsDir() {
		s.changed = files.Changed(info).UnixNano()
	}
	return s
}

func (s stamp) same(o stamp) bool { return s == o }
