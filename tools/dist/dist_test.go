package main

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"
)

// testRelease returns a release whose binaries contain the name of their platform.
func testRelease(t *testing.T) *release {
	t.Helper()
	r := &release{version: "1.2.3", date: time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC), out: t.TempDir(), bins: map[string]string{}}
	for _, platform := range slices.Sorted(maps.Keys(platforms)) {
		r.bins[platform] = filepath.Join(t.TempDir(), "program")
		if err := writeFile(r.bins[platform], []byte(platform), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// TestWriteNpmPackages checks the package.json files of the main package and of the packages with
// the programs. No package may have install scripts.
func TestWriteNpmPackages(t *testing.T) {
	t.Chdir("../..")
	r := testRelease(t)
	for range 2 { // the second run replaces the files of the first
		if err := r.writeNpmPackages(); err != nil {
			t.Fatal(err)
		}
	}
	var mainPackage struct {
		Version              string
		OptionalDependencies map[string]string
		Scripts              map[string]string
		Dependencies         map[string]string
	}
	decodeFile(t, filepath.Join(r.out, "npm/sitewalk/package.json"), &mainPackage)
	if mainPackage.Version != "1.2.3" || len(mainPackage.OptionalDependencies) != len(platforms) || mainPackage.Scripts != nil || mainPackage.Dependencies != nil {
		t.Errorf("main package: got %+v, want version 1.2.3 with %d optional dependencies only", mainPackage, len(platforms))
	}
	binaryJS := readFile(t, "integrations/npm/sitewalk/lib/binary.js")
	for _, node := range platforms {
		name := node.npmName()
		var pkg struct {
			Name, Version string
			OS, CPU       []string
			Scripts       map[string]string
		}
		decodeFile(t, filepath.Join(r.out, "npm", name, "package.json"), &pkg)
		if pkg.Name != name || pkg.Version != "1.2.3" || pkg.OS[0] != node.os || pkg.CPU[0] != node.cpu || pkg.Scripts != nil {
			t.Errorf("package %s: got %+v, want version 1.2.3 for %s-%s without scripts", name, pkg, node.os, node.cpu)
		}
		if mainPackage.OptionalDependencies[name] != "1.2.3" {
			t.Errorf("optional dependency %s: got version %q, want 1.2.3", name, mainPackage.OptionalDependencies[name])
		}
		if !strings.Contains(binaryJS, `"`+node.os+"-"+node.cpu+`": [`) {
			t.Errorf("binary.js does not contain the platform of %s", name)
		}
	}
	info, err := os.Stat(filepath.Join(r.out, "npm/@sitewalk/linux-x64/bin/sitewalk"))
	if err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("program of linux-x64: got %v, error %v, want mode 0755", info, err)
	}
	delete(r.bins, "linux/amd64")
	if err := r.writeNpmPackages(); err == nil || !strings.Contains(err.Error(), "5 of 6 platforms") {
		t.Errorf("missing platform: got error %v, want 5 of 6 platforms", err)
	}
}

// TestWriteWheelsIsReproducible builds the wheels twice, and checks the files in one of them.
// TestWheels in internal/e2e/channels checks all wheels with pip.
func TestWriteWheelsIsReproducible(t *testing.T) {
	t.Chdir("../..")
	r := testRelease(t)
	r.version = "1.2.3-rc.1"
	var builds [2]map[string]string
	for i := range builds {
		if err := r.writeWheels(); err != nil {
			t.Fatal(err)
		}
		builds[i] = map[string]string{}
		files, _ := filepath.Glob(filepath.Join(r.out, "python/*"))
		for _, file := range files {
			builds[i][filepath.Base(file)] = readFile(t, file)
		}
	}
	if !maps.Equal(builds[0], builds[1]) || len(builds[0]) != len(platforms) {
		t.Fatalf("wheels differ or are missing: got %q and %q", slices.Collect(maps.Keys(builds[0])), slices.Collect(maps.Keys(builds[1])))
	}
	file := filepath.Join(r.out, "python/sitewalk-1.2.3rc1-py3-none-win_arm64.whl")
	z, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for i, want := range []string{
		"sitewalk-1.2.3rc1.data/scripts/sitewalk.exe 0755", "sitewalk-1.2.3rc1.dist-info/METADATA 0644", "sitewalk-1.2.3rc1.dist-info/WHEEL 0644",
		"sitewalk-1.2.3rc1.dist-info/licenses/LICENSE 0644", "sitewalk-1.2.3rc1.dist-info/RECORD 0644",
	} {
		if f := z.File[i]; fmt.Sprintf("%s %#o", f.Name, f.Mode()) != want || f.Modified.UTC().Year() != 1980 {
			t.Errorf("file in the wheel: got %s %#o of %s, want %s of 1980", f.Name, f.Mode(), f.Modified, want)
		}
	}
	for _, version := range []string{"1.2", "1.2.3-SNAPSHOT-abc"} {
		if r.version = version; r.writeWheels() == nil {
			t.Errorf("version %s: got no error", version)
		}
	}
}

// TestWriteActionAndFormula checks the files of the GitHub action and the checksums in the
// Homebrew formula.
func TestWriteActionAndFormula(t *testing.T) {
	t.Chdir("../..")
	r := testRelease(t)
	sums := ""
	for _, platform := range slices.Sorted(maps.Keys(platforms)) {
		system, arch, _ := strings.Cut(platform, "/")
		ending := "tar.gz"
		if system == "windows" {
			ending = "zip"
		}
		sums += strings.Repeat("1", 64) + "  sitewalk_1.2.3_" + system + "_" + arch + "." + ending + "\n"
	}
	if err := writeFile(filepath.Join(r.out, checksums), []byte(sums+strings.Repeat("0", 64)+"  sitewalk_1.2.3_linux_amd64.deb\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, write := range []func() error{r.writeAction, r.writeFormula} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
	}
	if got := readFile(t, r.out, "github", checksums); got != sums {
		t.Errorf("checksums of the action: got\n%s\nwant\n%s", got, sums)
	}
	for _, name := range []string{"action.yml", "install.sh", "LICENSE"} {
		readFile(t, r.out, "github", name)
	}
	ruby := readFile(t, r.out, "homebrew/sitewalk.rb")
	if n := len(regexp.MustCompile(`sha256 "[0-9a-f]{64}"`).FindAllString(ruby, -1)); n != 4 || strings.Contains(ruby, "<no value>") {
		t.Errorf("got %d checksums, want 4 in\n%s", n, ruby)
	}
	r.version = "1.2.4"
	if err := r.writeAction(); err == nil || !strings.Contains(err.Error(), "no archive of version 1.2.4 for darwin/amd64") {
		t.Errorf("checksums of another version: got error %v", err)
	}
}

// TestBinariesRejectsOtherPrograms checks that binaries does not accept a Go program that is not
// sitewalk.
func TestBinariesRejectsOtherPrograms(t *testing.T) {
	t.Chdir("../..")
	r := &release{version: "1.2.3", bin: t.TempDir(), out: t.TempDir()}
	self, err := os.Executable() // the test binary, which is a Go program
	if err != nil {
		t.Fatal(err)
	}
	if err := copyTo(filepath.Join(r.bin, "sitewalk_linux_amd64", "sitewalk"), self, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := r.binaries(); err == nil || !strings.Contains(err.Error(), "has the binaries of 0 of 6 platforms") {
		t.Errorf("got error %v, want 0 of 6 platforms", err)
	}
}

func readFile(t *testing.T, name ...string) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(name...))
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

func decodeFile(t *testing.T, name string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(readFile(t, name)), v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// TestWorkflowsPinActions checks that jobs with write permission use actions by commit and not by
// a tag that can move.
func TestWorkflowsPinActions(t *testing.T) {
	t.Chdir("../..")
	files, err := filepath.Glob(".github/workflows/*.yml")
	if err != nil || len(files) < 3 {
		t.Fatalf("got workflows %q, error %v, want at least 3", files, err)
	}
	pinned := regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40}$`)
	jobs := 0
	for _, file := range files {
		var workflow struct {
			Permissions map[string]string
			Jobs        map[string]struct {
				Permissions map[string]string
				Steps       []struct{ Uses string }
			}
		}
		if err := yaml.Unmarshal([]byte(readFile(t, file)), &workflow); err != nil {
			t.Fatal(err)
		}
		if workflow.Permissions == nil {
			t.Errorf("%s: the workflow does not set permissions, so that the settings of the repository apply", file)
		}
		for name, job := range workflow.Jobs {
			permissions := workflow.Permissions
			if job.Permissions != nil {
				permissions = job.Permissions
			}
			if !slices.Contains(slices.Collect(maps.Values(permissions)), "write") {
				continue
			}
			jobs++
			for _, step := range job.Steps {
				if step.Uses != "" && !pinned.MatchString(step.Uses) {
					t.Errorf("%s: job %s uses %s, want a commit", file, name, step.Uses)
				}
			}
		}
	}
	if jobs < 2 {
		t.Errorf("got %d jobs with write permission, want at least 2", jobs)
	}
}
