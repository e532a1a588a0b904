package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain runs the tests where the program is to be run: in the root.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// testRelease is a release of binaries that hold the name of their platform.
func testRelease(t *testing.T) *release {
	t.Helper()
	r := &release{version: "1.2.3", date: time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC), out: t.TempDir()}
	for _, platform := range slices.Sorted(maps.Keys(nodePlatforms)) {
		system, arch, _ := strings.Cut(platform, "/")
		b := binary{os: system, arch: arch, file: filepath.Join(t.TempDir(), "program")}
		if err := create(b.file, []byte(platform), 0o755); err != nil {
			t.Fatal(err)
		}
		r.bins = append(r.bins, b)
	}
	return r
}

func TestArchives(t *testing.T) {
	r := testRelease(t)
	if err := r.archives(); err != nil {
		t.Fatal(err)
	}
	want := []string{"CHANGELOG.md", "LICENSE", "README.md", "completions/_sitewalk", "completions/sitewalk.bash", "man/sitewalk-build.1", "man/sitewalk.1"}
	tarball := tarMembers(t, filepath.Join(r.out, "sitewalk_1.2.3_linux_arm64.tar.gz"))
	zipball := zipMembers(t, filepath.Join(r.out, "sitewalk_1.2.3_windows_amd64.zip"))
	for _, name := range want {
		if tarball[name] == "" || tarball[name] != zipball[name] {
			t.Errorf("%s has %d bytes in the tar and %d in the zip", name, len(tarball[name]), len(zipball[name]))
		}
	}
	if got := tarball["sitewalk"]; got != "linux/arm64" {
		t.Errorf("the program of linux/arm64 is that of %q", got)
	}
	if got := zipball["sitewalk.exe"]; got != "windows/amd64" {
		t.Errorf("the program of windows/amd64 is that of %q", got)
	}
	first := read(t, r.out, checksums)
	if n := strings.Count(first, "\n"); n != len(r.bins) {
		t.Errorf("%d checksums", n)
	}
	again := *r
	again.out = t.TempDir()
	if err := again.archives(); err != nil {
		t.Fatal(err)
	}
	if second := read(t, again.out, checksums); second != first {
		t.Errorf("a second run has other checksums:\n%s\n%s", first, second)
	}
}

func TestNPMPackages(t *testing.T) {
	r := testRelease(t)
	for range 2 { // the second run replaces what the first made
		if err := r.npm(); err != nil {
			t.Fatal(err)
		}
	}
	var chooser struct {
		Version              string
		OptionalDependencies map[string]string
		Scripts              map[string]string
		Dependencies         map[string]string
	}
	decodeFile(t, filepath.Join(r.out, "npm/sitewalk/package.json"), &chooser)
	if chooser.Version != "1.2.3" || len(chooser.OptionalDependencies) != len(nodePlatforms) || chooser.Scripts != nil || chooser.Dependencies != nil {
		t.Errorf("the package that chooses: %+v", chooser)
	}
	js := read(t, "integrations/npm/sitewalk/lib/binary.js")
	for _, node := range nodePlatforms {
		name := "@sitewalk/" + node.os + "-" + node.cpu
		var pkg struct {
			Name, Version string
			OS, CPU       []string
			Scripts       map[string]string
		}
		decodeFile(t, filepath.Join(r.out, "npm", name, "package.json"), &pkg)
		if pkg.Name != name || pkg.Version != "1.2.3" || pkg.OS[0] != node.os || pkg.CPU[0] != node.cpu || pkg.Scripts != nil {
			t.Errorf("%s: %+v", name, pkg)
		}
		if chooser.OptionalDependencies[name] != "1.2.3" {
			t.Errorf("the package that chooses asks for %s %q", name, chooser.OptionalDependencies[name])
		}
		if !strings.Contains(js, `"`+node.os+"-"+node.cpu+`": [`) {
			t.Errorf("binary.js does not choose %s", name)
		}
	}
	info, err := os.Stat(filepath.Join(r.out, "npm/@sitewalk/linux-x64/bin/sitewalk"))
	if err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the program: %v, %v", info, err)
	}
	r.bins = r.bins[1:]
	if err := r.npm(); err == nil || !strings.Contains(err.Error(), "5 of 6 platforms") {
		t.Errorf("with a platform missing: %v", err)
	}
}

func TestActionAndFormula(t *testing.T) {
	r := testRelease(t)
	if err := r.archives(); err != nil {
		t.Fatal(err)
	}
	sums := read(t, r.out, checksums)
	if err := create(filepath.Join(r.out, checksums), []byte(sums+strings.Repeat("0", 64)+"  sitewalk_1.2.3_linux_amd64.deb\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, make := range []func() error{r.action, r.formula} {
		if err := make(); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(t, r.out, "github", checksums); got != sums {
		t.Errorf("the action's checksums are\n%s\nthose of the archives\n%s", got, sums)
	}
	ruby := read(t, r.out, "homebrew/sitewalk.rb")
	if n := len(regexp.MustCompile(`sha256 "[0-9a-f]{64}"`).FindAllString(ruby, -1)); n != 4 || strings.Contains(ruby, "<no value>") {
		t.Errorf("%d checksums in\n%s", n, ruby)
	}
	r.version = "1.2.4"
	if err := r.action(); err == nil || !strings.Contains(err.Error(), "no archive of version 1.2.4 for darwin/amd64") {
		t.Errorf("checksums of another version: %v", err)
	}
}

func TestBinariesAreSitewalk(t *testing.T) {
	r := &release{version: "1.2.3", bin: t.TempDir(), out: t.TempDir()}
	self, err := os.Executable() // a Go program that is another one
	if err != nil {
		t.Fatal(err)
	}
	if err := copyTo(filepath.Join(r.bin, "sitewalk_linux_amd64", "sitewalk"), self, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := r.binaries(); err == nil || !strings.Contains(err.Error(), "holds no binary of sitewalk") {
		t.Errorf("%v", err)
	}
}

func read(t *testing.T, name ...string) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(name...))
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

func decodeFile(t *testing.T, name string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(read(t, name)), v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func tarMembers(t *testing.T, name string) map[string]string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(read(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	members := map[string]string{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return members
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil || !h.ModTime.Equal(time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC)) {
			t.Fatalf("%s: %v, %v", h.Name, h.ModTime, err)
		}
		members[h.Name] = string(content)
	}
}

func zipMembers(t *testing.T, name string) map[string]string {
	t.Helper()
	src := read(t, name)
	z, err := zip.NewReader(strings.NewReader(src), int64(len(src)))
	if err != nil {
		t.Fatal(err)
	}
	members := map[string]string{}
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var content bytes.Buffer
		if _, err := content.ReadFrom(in); err != nil {
			t.Fatal(err)
		}
		members[f.Name] = content.String()
	}
	return members
}
