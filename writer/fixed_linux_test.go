package writer

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// What cannot be replaced is refused before anything changes, unless it stays as it
// is.
func TestWhatCannotBeReplaced(t *testing.T) {
	for _, tt := range []struct {
		what string
		fix  func(t *testing.T, name string) error
		want error
	}{
		{"immutable", immutable, errImmutable},
		{"mounted", mounted, errMounted},
	} {
		t.Run(tt.what, func(t *testing.T) {
			dir := t.TempDir()
			pages := dated(append(many("blog", 25), "", "about")...)
			write(t, pages, everything(dir))
			name := filepath.Join(dir, "sitemap-pages.xml")
			if err := tt.fix(t, name); err != nil {
				t.Skip("not here:", err)
			}
			before := tree(t, dir)
			write(t, pages, everything(dir))
			_, err := Write(t.Context(), dated(append(many("blog", 40), "")...), everything(dir))
			if !errors.Is(err, tt.want) {
				t.Errorf("error %v", err)
			}
			after := tree(t, dir)
			for name := range before {
				if after[name] != before[name] || len(after) != len(before) {
					t.Errorf("%s changed, or files came: %s", name, namesIn(after))
				}
			}
		})
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
