package gitdates

import (
	"io/fs"
	"syscall"
)

// changeTime returns when a file or what is known of it last changed, or m, which
// the index holds, when that is unknown or not to be compared.
func changeTime(info fs.FileInfo, m moment) moment {
	if s, ok := info.Sys().(*syscall.Stat_t); ok && m != (moment{}) {
		return moment{uint32(s.Ctim.Sec), uint32(s.Ctim.Nsec)}
	}
	return m
}
