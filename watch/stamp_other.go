//go:build !linux && !darwin

package watch

import (
	"io/fs"
	"os"
	"time"
)

// A stamp says which file it is.
type stamp struct{ info fs.FileInfo }

func stampOf(info fs.FileInfo) stamp { return stamp{info} }

// changedAt is when a file was last written, as far as its time says.
func changedAt(info fs.FileInfo) time.Time { return info.ModTime() }

func (s stamp) same(o stamp) bool { return os.SameFile(s.info, o.info) }
