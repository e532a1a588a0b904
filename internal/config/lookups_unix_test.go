//go:build unix

package config

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestResolveSkipsNamedPipes checks that Resolve does not wait for a named pipe with the name of
// a configuration file.
func TestResolveSkipsNamedPipes(t *testing.T) {
	for _, name := range []string{"public/CNAME", "CNAME", "hugo.toml", "_config.yml", "netlify.toml", "public/_headers", "public/robots.txt"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			p := newTestProject(t, map[string]string{builtPage: ""}).setFlag("dir", "public")
			if err := syscall.Mkfifo(filepath.Join(p.dir, filepath.FromSlash(name)), 0o644); err != nil {
				t.Skip("named pipes are not supported: ", err)
			}
			if _, _, err := p.resolve(); err == nil {
				t.Error("Resolve returned no error for a site without a base URL")
			}
		})
	}
}

// TestIsOwnedByUser checks the owners of a symbolic link, of its target and of the working
// directory.
func TestIsOwnedByUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can change the owner of a file")
	}
	const user, other = 65534, 1234
	for _, tt := range []struct {
		name               string
		link, file, folder int
		user               int
		want               bool
	}{
		{"own file", user, user, user, user, true},
		{"file owned by root", 0, 0, user, user, true},
		{"own file in another user's folder", user, user, other, user, true},
		{"another user's file and folder", other, other, other, user, false},
		{"own link to another user's file", user, other, user, user, false},
		{"another user's link to own file", other, user, user, user, false},
		{"root in a user's folder", other, other, other, 0, true},
		{"root with a third user's file", user, other, user, 0, false},
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
			t.Errorf("%s: isOwnedByUser is %t, want %t", tt.name, got, tt.want)
		}
	}
}
