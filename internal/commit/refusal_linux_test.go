package commit

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestRefusal says why the system refuses, and leaves all as it was.
func TestRefusal(t *testing.T) {
	for _, tt := range []struct {
		what string
		fix  func(t *testing.T, name string) error
		want error
	}{
		{"immutable", immutable, errImmutable},
		{"mounted", mounted, errMounted},
	} {
		for _, name := range []string{"b", "old"} { // one that is replaced, and one that goes
			t.Run(tt.what+" "+name, func(t *testing.T) {
				dir := t.TempDir()
				for _, name := range []string{"index", "b", "same", "old"} {
					put(t, filepath.Join(dir, name), "old")
				}
				for _, name := range []string{name, "same"} { // what stays as it is may be fixed
					if err := tt.fix(t, filepath.Join(dir, name)); err != nil {
						t.Skip("not here:", err)
					}
				}
				var tx Transaction
				begin(t, &tx, dir)
				err := tx.Commit()
				tx.Close()
				if pe, ok := errors.AsType[*fs.PathError](err); !ok || !errors.Is(err, tt.want) || pe.Path != filepath.Join(dir, name) {
					t.Errorf("error %v", err)
				}
				if got := tree(t, dir); !maps.Equal(got, steps[0]) {
					t.Errorf("files %v", got)
				}
			})
		}
	}
}

// immutable does what chattr(1) does.
func immutable(t *testing.T, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	t.Cleanup(func() {
		_ = unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, 0)
		f.Close()
	})
	return unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, 0x10) // FS_IMMUTABLE_FL
}

// mounted puts a mount where a file is, as containers have it.
func mounted(t *testing.T, name string) error {
	err := unix.Mount(name, name, "", unix.MS_BIND, "")
	if err == nil {
		t.Cleanup(func() { _ = unix.Unmount(name, unix.MNT_DETACH) })
	}
	return err
}
