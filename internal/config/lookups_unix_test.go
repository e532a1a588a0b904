//go:build unix

package config

import (
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
