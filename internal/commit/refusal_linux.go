package commit

import (
	"errors"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// The reasons why a file cannot be replaced.
var (
	errMounted   = errors.New("it is mounted on its own, as into a container, and cannot be replaced; mount the folder that it is in")
	errImmutable = errors.New("the file system keeps it from being replaced; see chattr(1), and remove its attribute i or a")
)

// refusal returns why the system refuses to put another file in the place of name, or
// to remove it: err, if nothing better is known.
func (f *Folder) refusal(name string, err error) error {
	at, bad := f.root.Open(".")
	if bad != nil {
		return err
	}
	defer at.Close()
	var st unix.Statx_t
	if unix.Statx(int(at.Fd()), filepath.FromSlash(name), unix.AT_SYMLINK_NOFOLLOW|unix.AT_NO_AUTOMOUNT, 0, &st) != nil {
		return err // nothing is there, or the kernel is older than 4.11
	}
	switch {
	case st.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0:
		return errMounted
	case st.Attributes&(unix.STATX_ATTR_IMMUTABLE|unix.STATX_ATTR_APPEND) != 0:
		return errImmutable
	}
	return err
}
