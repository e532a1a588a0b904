//go:build unix

package config

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipes waits for no pipe that has the name of a file that decides.
func TestPipes(t *testing.T) {
	for _, name := range []string{"public/CNAME", "CNAME", "hugo.toml", "_config.yml", "netlify.toml", "public/_headers", "public/robots.txt"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			w := newWorld(t, map[string]string{built: ""}).set("dir", "public")
			if err := syscall.Mkfifo(filepath.Join(w.dir, filepath.FromSlash(name)), 0o644); err != nil {
				t.Skip("no pipes here: ", err)
			}
			if _, _, err := w.resolve(); err == nil {
				t.Error("a site without an address is resolved")
			}
		})
	}
}

// TestOwners trusts the user and root with a settings file, and root the owner of the folder, too.
// A link and the file that it leads to both count.
func TestOwners(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files away")
	}
	const user, other = 65534, 1234
	for _, tt := range []struct {
		name               string
		link, file, folder int
		user               int
		want               bool
	}{
		{"own file", user, user, user, user, true},
		{"file of root", 0, 0, user, user, true},
		{"own file in the folder of another", user, user, other, user, true},
		{"folder of another user", other, other, other, user, false},
		{"own link to the file of another", user, other, user, user, false},
		{"link of another to an own file", other, user, user, user, false},
		{"root in the folder of a user", other, other, other, 0, true},
		{"root, and a file of a third user", user, other, user, 0, false},
	} {
		dir := t.TempDir()
		link, file := filepath.Join(dir, "sitewalk.yaml"), filepath.Join(dir, "real.yaml")
		for _, err := range []error{
			os.WriteFile(file, nil, 0o644), os.Symlink("real.yaml", link),
			os.Lchown(link, tt.link, 0), os.Chown(file, tt.file, 0), os.Chown(dir, tt.folder, 0),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := isOwnedByUser(link, dir, tt.user); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
}
