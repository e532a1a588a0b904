package walker

import (
	"bytes"
	"encoding/binary"
	"io"
	"io/fs"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// A linuxSource is the path of the folder of a tree. It reads the tree with system calls of Linux.
// It opens each file relative to the open folder that contains the file, and parses folder entries
// in the format of the kernel.
type linuxSource string

// Dir returns the tree of the folder at path, a path of the operating system. If path is a symbolic
// link, the tree is the folder to which the link leads. Dir does not check whether the folder
// exists.
func Dir(path string) Tree { return Tree{linuxSource(path), path} }

const (
	folderFlags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC
	// fileFlags are the flags for opening a file. A pipe, a device or a symbolic link may have
	// replaced the file since its folder was listed. With these flags, opening does not wait for a
	// pipe or a device, and does not follow a symbolic link. A terminal does not become the
	// controlling terminal of the process.
	fileFlags = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_LARGEFILE
)

// openFolderAt opens the folder whose path is real, or the root if real is "". It opens each folder
// on the path in turn, so that a symbolic link on the path is an error.
func (l linuxSource) openFolderAt(real string) (folder, error) {
	fd, err := unix.Open(string(l), folderFlags, 0)
	if err != nil {
		return nil, err
	}
	var at folder = linuxFolder(fd)
	for real != "" && err == nil {
		name, rest, _ := strings.Cut(real, "/")
		up := at
		at, err = up.openFolder(name)
		up.close()
		real = rest
	}
	return at, err
}

// A linuxFolder is an open folder. Its value is the file descriptor.
type linuxFolder int

// bufferSize is the size of buffer.raw in bytes. The buffer has room for a few hundred folder
// entries.
const bufferSize = 8 << 10

// Byte offsets of the fields of struct linux_dirent64; see getdents(2).
const (
	direntLength = 16
	direntType   = 18
	direntName   = 19
)

func (l linuxFolder) readNextEntries(buf *buffer) error {
	if buf.raw == nil {
		buf.raw = make([]byte, bufferSize)
	}
	buf.entries = buf.entries[:0]
	for len(buf.entries) == 0 {
		n, err := unix.Getdents(int(l), buf.raw)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return err
		case n == 0:
			return nil
		default:
			l.parseEntries(buf, buf.raw[:n])
		}
	}
	return nil
}

// parseEntries parses raw, the result of getdents(2), and appends the entries except "." and ".."
// to buf.entries.
func (l linuxFolder) parseEntries(buf *buffer, raw []byte) {
	for len(raw) > direntName {
		one := raw[:binary.NativeEndian.Uint16(raw[direntLength:])]
		raw = raw[len(one):]
		name := one[direntName:]
		name = name[:max(0, bytes.IndexByte(name, 0))]
		if len(name) == 0 || string(name) == "." || string(name) == ".." {
			continue
		}
		k := unknown
		if t := one[direntType]; t != unix.DT_UNKNOWN {
			k = kindOfMode(fileTypes[t%16])
		}
		buf.entries = append(buf.entries, entry{string(name), k})
	}
}

// fileTypes maps file types of Linux to the types of fs.FileMode. The index is d_type of a folder
// entry, or the upper four bits of st_mode, which have the same values.
var fileTypes = [16]fs.FileMode{
	unix.DT_DIR: fs.ModeDir, unix.DT_LNK: fs.ModeSymlink, unix.DT_FIFO: fs.ModeNamedPipe, unix.DT_SOCK: fs.ModeSocket,
	unix.DT_CHR: fs.ModeDevice | fs.ModeCharDevice, unix.DT_BLK: fs.ModeDevice, unix.DT_REG: 0, unix.DT_WHT: fs.ModeIrregular,
	0: fs.ModeIrregular, 3: fs.ModeIrregular, 5: fs.ModeIrregular, 7: fs.ModeIrregular, // unknown types
	9: fs.ModeIrregular, 11: fs.ModeIrregular, 13: fs.ModeIrregular, 15: fs.ModeIrregular,
}

// toFileMode converts st_mode of Linux to an fs.FileMode with the type and the permissions.
func toFileMode(m uint32) fs.FileMode { return fileTypes[m>>12%16] | fs.FileMode(m&0o777) }

func (l linuxFolder) openFolder(name string) (folder, error) {
	fd, err := openat(int(l), name, folderFlags|unix.O_NOFOLLOW)
	if err != nil {
		return nil, err
	}
	return linuxFolder(fd), nil
}

func (l linuxFolder) openFile(name string) (fs.File, error) {
	fd, err := openat(int(l), name, fileFlags)
	if err != nil {
		return nil, err
	}
	return &linuxFile{fd: fd, name: name}, nil
}

func (l linuxFolder) lstat(name string) (kind, error) {
	var st unix.Stat_t
	if err := unix.Fstatat(int(l), name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return unknown, err
	}
	return kindOfMode(toFileMode(st.Mode)), nil
}

func (l linuxFolder) close() { unix.Close(int(l)) }

// openat opens the file or folder called name in the folder with the file descriptor dir. It adds
// the flag O_NOATIME, so that the kernel does not write an access time for each file. Only root and
// the owner of a file may use O_NOATIME. For other files, openat tries again without the flag.
func openat(dir int, name string, flags int) (int, error) {
	for quiet := unix.O_NOATIME; ; {
		fd, err := unix.Openat(dir, name, flags|quiet, 0)
		switch {
		case err == unix.EINTR:
		case err == unix.EPERM && quiet != 0:
			quiet = 0
		default:
			return fd, err
		}
	}
}

// A linuxFile is an open file. It implements fs.File.
type linuxFile struct {
	fd    int
	name  string
	ended bool // the last Read returned fewer bytes than its buffer has, so the file has ended
}

// maxRead is the maximum number of bytes that one read call of Linux returns; see read(2).
const maxRead = 0x7ffff000

// Read implements io.Reader. If a read call returns fewer bytes than requested, Read assumes that
// the file has ended. The next Read then returns io.EOF without a system call.
func (l *linuxFile) Read(p []byte) (int, error) {
	if l.ended {
		return 0, io.EOF
	}
	for {
		n, err := unix.Read(l.fd, p)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return 0, err
		case n == 0 && len(p) > 0:
			return 0, io.EOF
		default:
			l.ended = n < min(len(p), maxRead)
			return n, nil
		}
	}
}

func (l *linuxFile) Close() error { return unix.Close(l.fd) }

func (l *linuxFile) Stat() (fs.FileInfo, error) {
	info := &linuxInfo{name: l.name}
	if err := unix.Fstat(l.fd, &info.st); err != nil {
		return nil, err
	}
	return info, nil
}

// A linuxInfo is the result of fstat(2) for a file. It implements fs.FileInfo.
type linuxInfo struct {
	name string
	st   unix.Stat_t
}

func (l *linuxInfo) Name() string       { return l.name }
func (l *linuxInfo) Size() int64        { return l.st.Size }
func (l *linuxInfo) Mode() fs.FileMode  { return toFileMode(l.st.Mode) }
func (l *linuxInfo) ModTime() time.Time { return time.Unix(l.st.Mtim.Unix()) }
func (l *linuxInfo) IsDir() bool        { return l.Mode().IsDir() }
func (l *linuxInfo) Sys() any           { return &l.st }
