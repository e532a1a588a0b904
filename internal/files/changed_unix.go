//go:build linux || darwin

package files

import (
	"io/fs"
	"syscall"
	"time"
)

// Changed returns when a file last changed in any way, which no program can set back; see
// stat(2) and inode(7). It returns the zero time where that is not known.
func Changed(info fs.FileInfo) time.Time {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return time.Time{}
	}
	return time.Unix(ctime(stat).Unix())
}
