package engine

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestOriginsHidePassword checks that Build.Origins, which -v and the JSON report print, does not
// contain the password of a base URL.
func TestOriginsHidePassword(t *testing.T) {
	p := newProject(t, map[string]string{"public/index.html": testsite.SmallPage})
	p.setDirAndBase("public", "https://me:secret@example.internal/")
	b := New(Options{Dir: p.Dir})
	_ = b.Resolve(p.input(p.Dir))
	if text := fmt.Sprint(b.Origins()); !strings.Contains(text, "example.internal") || strings.Contains(text, "secret") {
		t.Errorf("Origins: got %s, want the host without the password", text)
	}
}

// TestWriteRejectsReplacedFolder replaces a folder by a symbolic link after the site was read.
// Write must return an error and write no file behind the link.
func TestWriteRejectsReplacedFolder(t *testing.T) {
	for name, sites := range map[string]string{"public": "", "led": "", "public/de": "sites: [{dir: de, base_url: 'https://de.example.internal/'}]\n"} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, map[string]string{
				"sitemap.yaml": testsite.SmallConfig + "ledger: led/sitemap.ledger\n" + sites,
				"led/x":        "", "public/index.html": testsite.SmallPage, "public/de/index.html": testsite.SmallPage,
			})
			b := New(Options{Dir: p.Dir})
			p.Must(errors.Join(b.Resolve(p.input(p.Dir)), b.ReadSite(t.Context())))
			p.Must(os.Rename(p.AbsPath(name), p.AbsPath("away")))
			p.Must(os.Mkdir(p.AbsPath("victim"), 0o755))
			if err := os.Symlink(p.AbsPath("victim"), p.AbsPath(name)); err != nil {
				t.Skip(err)
			}
			if err := b.Write(t.Context()); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("Write: got error %v, want an error about %s", err, name)
			}
			if names, err := os.ReadDir(p.AbsPath("victim")); err != nil || len(names) > 0 {
				t.Errorf("files behind the link: got %v, error %v", names, err)
			}
		})
	}
}
