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

func TestNPMPackages(t *testing.T) {
	t.Chdir("../..")
	r := testRelease(t)
	for range 2 { // the second run replaces what the first made
		if err := r.writeNpmPackages(); err != nil {
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
	if chooser.Version != "1.2.3" || len(chooser.OptionalDependencies) != len(platforms) || chooser.Scripts != nil || chooser.Dependencies != nil {
		t.Errorf("the package that chooses: %+v", chooser)
	}
	js := read(t, "integrations/npm/sitewalk/lib/binary.js")
	for _, node := range platforms {
		name := node.npmName()
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
	delete(r.bins, "linux/amd64")
	if err := r.writeNpmPackages(); err == nil || !strings.Contains(err.Error(), "5 of 6 platforms") {
		t.Errorf("with a platform missing: %v", err)
	}
}

// TestWheelsAreTheSameEveryDay builds the wheels twice and checks the content of one of them.
// TestWheels in internal/e2e/channels checks all of them with pip.
func TestWheelsAreTheSameEveryDay(t *testing.T) {
	t.Chdir("../..")
	r := testRelease(t)
	r.version = "1.2.3-rc.1"
	var made [2]map[string]string
	for i := range made {
		if err := r.writeWheels(); err != nil {
			t.Fatal(err)
		}
		made[i] = map[string]string{}
		files, _ := filepath.Glob(filepath.Join(r.out, "python/*"))
		for _, file := range files {
			made[i][filepath.Base(file)] = read(t, file)
		}
	}
	if !maps.Equal(made[0], made[1]) || len(made[0]) != len(platforms) {
		t.Fatalf("%q and %q", slices.Collect(maps.Keys(made[0])), slices.Collect(maps.Keys(made[1])))
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
			t.Errorf("%s %#o of %s, want %s", f.Name, f.Mode(), f.Modified, want)
		}
	}
	for _, version := range []string{"1.2", "1.2.3-SNAPSHOT-abc"} {
		if r.version = version; r.writeWheels() == nil {
			t.Errorf("a wheel of version %s was made", version)
		}
	}
}

func TestActionAndFormula(t *testing.T) {
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
	for _, make := range []func() error{r.writeAction, r.writeFormula} {
		if err := make(); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(t, r.out, "github", checksums); got != sums {
		t.Errorf("the action's checksums are\n%s\nthose of the archives\n%s", got, sums)
	}
	for _, name := range []string{"action.yml", "install.sh", "LICENSE"} {
		read(t, r.out, "github", name)
	}
	ruby := read(t, r.out, "homebrew/sitewalk.rb")
	if n := len(regexp.MustCompile(`sha256 "[0-9a-f]{64}"`).FindAllString(ruby, -1)); n != 4 || strings.Contains(ruby, "<no value>") {
		t.Errorf("%d checksums in\n%s", n, ruby)
	}
	r.version = "1.2.4"
	if err := r.writeAction(); err == nil || !strings.Contains(err.Error(), "no archive of version 1.2.4 for darwin/amd64") {
		t.Errorf("checksums of another version: %v", err)
	}
}

func TestBinariesAreSitewalk(t *testing.T) {
	t.Chdir("../..")
	r := &release{version: "1.2.3", bin: t.TempDir(), out: t.TempDir()}
	self, err := os.Executable() // a Go program that is another one
	if err != nil {
		t.Fatal(err)
	}
	if err := copyTo(filepath.Join(r.bin, "sitewalk_linux_amd64", "sitewalk"), self, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := r.binaries(); err == nil || !strings.Contains(err.Error(), "has the binaries of 0 of 6 platforms") {
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

// TestWorkflowsPinActions checks that jobs with write permission use actions by commit and not by
// a tag that can move.
func TestWorkflowsPinActions(t *testing.T) {
	t.Chdir("../..")
	files, err := filepath.Glob(".github/workflows/*.yml")
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	pinned := regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40}$`)
	jobs := 0
	for _, file := range files {
		var flow struct {
			Permissions map[string]string
			Jobs        map[string]struct {
				Permissions map[string]string
				Steps       []struct{ Uses string }
			}
		}
		if err := yaml.Unmarshal([]byte(read(t, file)), &flow); err != nil {
			t.Fatal(err)
		}
		if flow.Permissions == nil {
			t.Errorf("%s: without permissions a job may do what the repository's settings say", file)
		}
		for name, job := range flow.Jobs {
			may := flow.Permissions
			if job.Permissions != nil {
				may = job.Permissions
			}
			if !slices.Contains(slices.Collect(maps.Values(may)), "write") {
				continue
			}
			jobs++
			for _, step := range job.Steps {
				if step.Uses != "" && !pinned.MatchString(step.Uses) {
					t.Errorf("%s: the job %s uses %s", file, name, step.Uses)
				}
			}
		}
	}
	if jobs < 2 {
		t.Errorf("%d jobs may write", jobs)
	}
}
