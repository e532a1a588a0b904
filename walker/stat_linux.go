package walker

import (
	"io/fs"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

func (f *linuxFile) Stat() (fs.FileInfo, error) {
	f.info.name = f.name
	if err := unix.Fstat(f.fd, &f.info.st); err != nil {
		return nil, err
	}
	return &f.info, nil
}

// A linuxInfo is what fstat says of a file.
type linuxInfo struct {
	name string
	st   unix.Stat_t
}

func (i *linuxInfo) Name() string       { return strings.Clone(i.name) }
func (i *linuxInfo) Size() int64        { return i.st.Size }
func (i *linuxInfo) Mode() fs.FileMode  { return fileMode(i.st.Mode) }
func (i *linuxInfo) ModTime() time.Time { return time.Unix(i.st.Mtim.Unix()) }
func (i *linuxInfo) IsDir() bool        { return i.Mode().IsDir() }
func (i *linuxInfo) Sys() any           { return &i.st }

func fileMode(m uint32) fs.FileMode {
	mode := fs.FileMode(m & 0o777)
	switch m & unix.S_IFMT {
	case unix.S_IFREG:
		return mode
	case unix.S_IFDIR:
		return mode | fs.ModeDir
	case unix.S_IFLNK:
		return mode | fs.ModeSymlink
	case unix.S_IFIFO:
		return mode | fs.ModeNamedPipe
	case unix.S_IFSOCK:
		return mode | fs.ModeSocket
	case unix.S_IFCHR:
		return mode | fs.ModeDevice | fs.ModeCharDevice
	case unix.S_IFBLK:
		return mode | fs.ModeDevice
	default:
		return mode | fs.ModeIrregular
	}
}
