//go:build e2e && linux

package channels

import (
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestBinariesAreReproducible builds the program once more, in another folder, and wants
// the same bytes. Every file of the clone ends with a comment, so that the build cache has
// none of its packages; those of Go and of other modules lie in the same folders for both.
func TestBinariesAreReproducible(t *testing.T) {
	t.Parallel()
	config, err := releaseConfig()
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(t.TempDir(), "another folder")
	if err := command(root, nil, "git", "clone", "-q", ".", elsewhere); err != nil {
		t.Fatal(err)
	}
	overlay(t, elsewhere)
	comment(t, elsewhere)
	to := t.TempDir()
	if err := config.Builds[0].build(elsewhere, to, "linux", "amd64"); err != nil {
		t.Fatal(err)
	}
	if a, b := hash(t, self), hash(t, filepath.Join(to, "sitewalk")); a != b {
		t.Errorf("two builds differ: %s and %s", a, b)
	}
}

// overlay copies what is not committed yet, so that both build the same.
func overlay(t *testing.T, to string) {
	t.Helper()
	s := newSession(t)
	s.dir = root
	for name := range strings.Lines(s.do("git", "-c", "safe.directory=*", "ls-files", "--modified", "--others", "--exclude-standard", "--", "*.go", "go.*", ":!internal/e2e")) {
		name = strings.TrimSpace(name)
		src, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			err = os.Remove(filepath.Join(to, name))
		} else if err == nil {
			if err = os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o755); err == nil {
				err = os.WriteFile(filepath.Join(to, name), src, 0o644)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// comment ends every Go file with a comment that no build had before.
func comment(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || !d.Type().IsRegular() {
			return err
		}
		f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(f, "\n// %s\n", time.Now())
		return errors.Join(err, f.Close())
	})
	if err != nil {
		t.Fatal(err)
	}
}

func hash(t *testing.T, name string) string {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(src))
}

// TestBinaryTellsNoFolder looks for this machine in the program.
func TestBinaryTellsNoFolder(t *testing.T) {
	src, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	home, _ := os.UserHomeDir()
	for _, dir := range []string{root + "/", home + "/"} {
		if strings.Contains(string(src), dir) {
			t.Errorf("the program holds the path %s", dir)
		}
	}
	if _, err := buildinfo.ReadFile(self); err != nil {
		t.Errorf("nobody can see what it is made of: %v", err)
	}
}

// maxProgramSize is the maximum size of the stripped program in bytes. CONTRIBUTING.md lists the
// size of each module. If you raise the limit, add the reason there.
const maxProgramSize = 18 << 20

func TestBinaryIsSmall(t *testing.T) {
	info, err := os.Stat(self)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > maxProgramSize {
		t.Errorf("the program has %d bytes, more than %d; see \"Program size\" in CONTRIBUTING.md", info.Size(), maxProgramSize)
	}
}

func TestVersionOfARelease(t *testing.T) {
	got := newSession(t).do(self, "version")
	contains(t, got, "sitewalk "+version+"\n", "commit  "+commit, "date    "+date, "linux/amd64")
}

// TestArchiveHoldsWhatRuns unpacks the archive as a user does.
func TestArchiveHoldsWhatRuns(t *testing.T) {
	s := newSession(t)
	s.do("tar", "-xzf", filepath.Join(out, "sitewalk_"+version+"_linux_amd64.tar.gz"), "-C", s.dir)
	contains(t, s.do(filepath.Join(s.dir, "sitewalk"), "--version"), version)
	contains(t, s.do("man", "--warnings=w", "-l", "man/sitewalk-explain.1"), "sitewalk-explain - say why")
	s.dir = out
	contains(t, s.do("sha256sum", "-c", "checksums.txt"), "sitewalk_"+version+"_windows_arm64.zip: OK")
	if warnings := s.try("man", "--warnings=w", "-l", "man/sitewalk.1").stderr; warnings != "" {
		t.Errorf("groff says:\n%s", warnings)
	}
}
