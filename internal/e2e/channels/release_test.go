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

// TestReproducibleBuild builds the program again in another folder and checks that both programs are
// equal. It adds a comment to every Go file of the clone, so that the build cache has none of its
// packages.
func TestReproducibleBuild(t *testing.T) {
	t.Parallel()
	config, err := releaseConfig()
	if err != nil {
		t.Fatal(err)
	}
	clone := filepath.Join(t.TempDir(), "another folder")
	if err := runCommand(root, nil, "git", "clone", "-q", ".", clone); err != nil {
		t.Fatal(err)
	}
	copyUncommitted(t, clone)
	appendComments(t, clone)
	to := t.TempDir()
	if err := config.Builds[0].build(clone, to, "linux", "amd64"); err != nil {
		t.Fatal(err)
	}
	if got, want := fileHash(t, filepath.Join(to, "sitewalk")), fileHash(t, self); got != want {
		t.Errorf("the hash of the second build is %s, want %s", got, want)
	}
}

// copyUncommitted copies the uncommitted changes of Go files to a clone.
func copyUncommitted(t *testing.T, to string) {
	t.Helper()
	s := newSession(t)
	s.dir = root
	for name := range strings.Lines(s.run("git", "-c", "safe.directory=*", "ls-files", "--modified", "--others", "--exclude-standard", "--", "*.go", "go.*", ":!internal/e2e")) {
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

// appendComments appends a new comment to every Go file.
func appendComments(t *testing.T, dir string) {
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

// fileHash returns the SHA-256 hash of a file.
func fileHash(t *testing.T, name string) string {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(src))
}

// TestProgramContainsNoLocalPaths checks that the program contains no path of this machine, and that
// it contains its build information.
func TestProgramContainsNoLocalPaths(t *testing.T) {
	src, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	home, _ := os.UserHomeDir()
	for _, dir := range []string{root + "/", home + "/"} {
		if strings.Contains(string(src), dir) {
			t.Errorf("the program contains the path %s", dir)
		}
	}
	if _, err := buildinfo.ReadFile(self); err != nil {
		t.Errorf("the program has no build information: %v", err)
	}
}

// maxProgramSize is the maximum size of the stripped program in bytes. CONTRIBUTING.md lists the
// size of each module. If you raise the limit, add the reason there.
const maxProgramSize = 18 << 20

func TestProgramSize(t *testing.T) {
	info, err := os.Stat(self)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > maxProgramSize {
		t.Errorf("the program has %d bytes, want at most %d; see \"Program size\" in CONTRIBUTING.md", info.Size(), maxProgramSize)
	}
}

func TestReleaseVersion(t *testing.T) {
	got := newSession(t).run(self, "version")
	checkContains(t, got, "sitewalk "+version+"\n", "commit  "+commit, "date    "+date, "linux/amd64")
}

// TestReleaseArchive unpacks the archive and checks the program, the man pages and the checksums.
func TestReleaseArchive(t *testing.T) {
	s := newSession(t)
	s.run("tar", "-xzf", filepath.Join(out, "sitewalk_"+version+"_linux_amd64.tar.gz"), "-C", s.dir)
	checkContains(t, s.run(filepath.Join(s.dir, "sitewalk"), "--version"), version)
	checkContains(t, s.run("man", "--warnings=w", "-l", "man/sitewalk-explain.1"), "sitewalk-explain - show why")
	s.dir = out
	checkContains(t, s.run("sha256sum", "-c", "checksums.txt"), "sitewalk_"+version+"_windows_arm64.zip: OK")
	if warnings := s.tryRun("man", "--warnings=w", "-l", "man/sitewalk.1").stderr; warnings != "" {
		t.Errorf("groff prints warnings:\n%s", warnings)
	}
}
