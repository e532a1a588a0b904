//go:build !linux && !darwin

package watch

import (
	"io/fs"
	"os"
)

// A stamp says which file it is.
type stamp struct{ info fs.FileInfo }

func stampOf(info fs.FileInfo) stamp { return stamp{info} }

func (s stamp) same(o stamp) bool { return os.SameFile(s.info, o.info) }
