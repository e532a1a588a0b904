package writer

import (
	"path/filepath"

	"golang.org/x/sys/unix"
)

// replaceable returns an error if the system would refuse to put another file in
// the place of name.
func (d *folder) replaceable(name string) error {
	at, err := d.Open(".")
	if err != nil {
		return err
	}
	defer at.Close()
	var st unix.Statx_t
	if unix.Statx(int(at.Fd()), filepath.FromSlash(name), unix.AT_SYMLINK_NOFOLLOW|unix.AT_NO_AUTOMOUNT, 0, &st) != nil {
		return nil // nothing is there, or the kernel is older than 4.11
	}
	switch {
	case st.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0:
		return d.blame("replace", name, errMounted)
	case st.Attributes&(unix.STATX_ATTR_IMMUTABLE|unix.STATX_ATTR_APPEND) != 0:
		return d.blame("replace", name, errImmutable)
	}
	return nil
}
