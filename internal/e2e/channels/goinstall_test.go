//go:build e2e && linux

package channels

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestGoInstall runs "go install" with a local module proxy. It checks that the installed program
// prints the version of the module.
func TestGoInstall(t *testing.T) {
	t.Parallel()
	const tag = "v" + version
	s := newSession(t)
	at := filepath.Join(s.dir, "github.com/sitewalk/sitewalk/@v")
	s.write("github.com/sitewalk/sitewalk/@v/list", tag+"\n")
	s.write("github.com/sitewalk/sitewalk/@v/"+tag+".info", `{"Version": "`+tag+`", "Time": "`+date+`"}`)
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	s.write("github.com/sitewalk/sitewalk/@v/"+tag+".mod", string(mod))
	git := []string{"-C", root, "-c", "safe.directory=*"}
	archive := append(git, "archive", "--format=zip", "--prefix=github.com/sitewalk/sitewalk@"+tag+"/", "-o", filepath.Join(at, tag+".zip"), "HEAD")
	for other := range strings.Lines(s.run("git", slices.Concat(git, []string{"ls-files", "*/go.mod"})...)) {
		archive = append(archive, ":!"+path.Dir(other)) // leave out other modules
	}
	s.run("git", archive...)

	bin := filepath.Join(s.dir, "bin")
	caches := strings.TrimSpace(s.run("bash", "-c", "env -i PATH=\"$1\" HOME=\"$2\" go env GOMODCACHE GOCACHE", "bash", os.Getenv("PATH"), userHome(t)))
	modules, cache, _ := strings.Cut(caches, "\n")
	s.env = append(s.env, "GOPROXY=file://"+s.dir+",file://"+modules+"/cache/download,off", "GOSUMDB=off", "GOBIN="+bin, "GOCACHE="+cache,
		"GOMODCACHE="+filepath.Join(s.dir, "modules"), "GOFLAGS=-modcacherw -trimpath", "CGO_ENABLED=0")
	s.run("go", "install", "github.com/sitewalk/sitewalk@latest")
	got := s.run(filepath.Join(bin, "sitewalk"), "version")
	checkContains(t, got, "sitewalk "+version+"\n", "  go      go1.")
}

func userHome(t *testing.T) string {
	t.Helper()
	dir, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
