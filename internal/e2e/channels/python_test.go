//go:build e2e && linux

package channels

import (
	"archive/zip"
	"bufio"
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"debug/macho"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/mail"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// wheelsFor returns the wheels of the release whose platform tag matches a glob. The test fails if
// there are none.
func wheelsFor(t *testing.T, platform string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(out, "python/sitewalk-"+version+"-py3-none-"+platform+".whl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the release has no wheel for %s (%v)", platform, err)
	}
	return files
}

// newVenv returns a session with an empty virtual environment in the folder venv. Its pip uses no
// registry.
func newVenv(t *testing.T) *session {
	s := newSession(t)
	s.env = append(s.env, "PIP_NO_INDEX=1", "PIP_DISABLE_PIP_VERSION_CHECK=1", "PYTHONDONTWRITEBYTECODE=1")
	s.write("public/index.html", "<title>Home</title>")
	s.write("public/about/index.html", "<title>About</title>")
	s.createVenv("python3", filepath.Join(s.dir, "venv"))
	return s
}

// venvs caches virtual environments by the command line that created them.
var venvs = map[string]string{}

// createVenv creates a virtual environment in the folder to. It copies an environment from the cache,
// because installing pip is slow, and replaces the folder name in the scripts. If python cannot create
// an environment, it uses /usr/bin/python3.
func (s *session) createVenv(python, to string, flags ...string) {
	s.t.Helper()
	from := getOrCreate(venvs, python+strings.Join(flags, " "), func() string {
		dir := filepath.Join(filepath.Dir(out), fmt.Sprint("venv", len(venvs)))
		if args := append([]string{"-m", "venv", dir}, flags...); s.tryRun(python, args...).code != 0 {
			s.run("/usr/bin/python3", append(args, "--clear")...)
		}
		return dir
	})
	s.run("cp", "-a", from, to) // -a keeps modification times, which Python compares with its compiled files
	scripts, err := filepath.Glob(filepath.Join(to, "bin", "*"))
	for _, name := range append(scripts, filepath.Join(to, "pyvenv.cfg")) {
		if info, e := os.Lstat(name); e != nil || !info.Mode().IsRegular() {
			continue
		}
		text, e := os.ReadFile(name)
		err = errors.Join(err, e, os.WriteFile(name, bytes.ReplaceAll(text, []byte(from), []byte(to)), 0))
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// pip runs the pip of the virtual environment.
func (s *session) pip(args ...string) outcome {
	return s.tryRun(filepath.Join(s.dir, "venv/bin/python"), append([]string{"-m", "pip"}, args...)...)
}

// listVenv lists the files of the virtual environment except compiled files.
func (s *session) listVenv() string {
	return s.run("find", "venv", "!", "-name", "*.pyc", "!", "-name", "__pycache__")
}

// TestWheelInstall installs the wheel of this platform with pip and runs the program. It checks that
// uninstalling removes all files.
func TestWheelInstall(t *testing.T) {
	t.Parallel()
	s := newVenv(t)
	before := s.listVenv()
	if o := s.pip("install", "--no-index", wheelsFor(t, "manylinux*x86_64")[0]); o.code != 0 {
		t.Fatalf("exit code %d, want 0\n%s%s", o.code, o.stdout, o.stderr)
	}
	bin := filepath.Join(s.dir, "venv/bin/sitewalk")
	if got := s.run(bin, "--version"); got != "sitewalk version "+version+"\n" {
		t.Errorf("--version prints %q, want version %s", got, version)
	}
	if fileHash(t, bin) != fileHash(t, self) {
		t.Error("the installed program differs from the program of the release")
	}
	s.run(bin, "public", "-b", "https://example.com/")
	checkContains(t, s.read("public/sitemap.xml"), "<loc>https://example.com/about/</loc>")
	checkContains(t, s.pip("show", "--files", "sitewalk").stdout, "Name: sitewalk\nVersion: "+version, "bin/sitewalk")
	if o := s.pip("check"); o.code != 0 {
		t.Errorf("pip check: %s%s", o.stdout, o.stderr)
	}
	if o := s.pip("uninstall", "--yes", "sitewalk"); o.code != 0 {
		t.Fatalf("exit code %d, want 0\n%s%s", o.code, o.stdout, o.stderr)
	}
	if after := s.listVenv(); after != before {
		t.Errorf("the files after uninstalling are\n%s\nwant\n%s", after, before)
	}
}

// TestWheelPlatforms checks that pip rejects the wheels of other platforms, and that it chooses the
// right wheel from a folder with all wheels.
func TestWheelPlatforms(t *testing.T) {
	t.Parallel()
	s := newVenv(t)
	for _, platform := range []string{"win_amd64", "win_arm64", "macosx*x86_64", "macosx*arm64", "manylinux*aarch64"} {
		if o := s.pip("install", wheelsFor(t, platform)[0]); o.code == 0 || !strings.Contains(o.stderr, "is not a supported wheel on this platform") {
			t.Errorf("%s: exit code %d, want pip to reject the wheel\n%s%s", platform, o.code, o.stdout, o.stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(s.dir, "venv/bin/sitewalk")); err == nil {
		t.Error("pip installed a program of another platform")
	}
	for platform, want := range map[string]string{
		"manylinux2014_x86_64": "manylinux*x86_64", "musllinux_1_1_aarch64": "manylinux*aarch64",
		"macosx_12_0_arm64": "macosx*arm64", "win_amd64": "win_amd64",
	} {
		to := filepath.Join(s.dir, platform)
		o := s.pip("download", "--find-links", filepath.Join(out, "python"), "--only-binary", ":all:", "--platform", platform, "--dest", to, "sitewalk=="+version)
		if _, err := os.Stat(filepath.Join(to, filepath.Base(wheelsFor(t, want)[0]))); o.code != 0 || err != nil {
			t.Errorf("%s: exit code %d, %v\n%s%s", platform, o.code, err, o.stdout, o.stderr)
		}
	}
	if o := s.pip("install", "--find-links", filepath.Join(out, "python"), "sitewalk"); o.code != 0 {
		t.Errorf("pip install with all wheels: exit code %d, want 0\n%s%s", o.code, o.stdout, o.stderr)
	}
	checkContains(t, s.run(filepath.Join(s.dir, "venv/bin/sitewalk"), "version"), "sitewalk "+version)
}

// TestPipxRun runs the pipx command in the README of the package, with the wheels of the release
// instead of PyPI.
func TestPipxRun(t *testing.T) {
	t.Parallel()
	s := newVenv(t)
	s.env = append(s.env, "PIP_FIND_LINKS="+filepath.Join(out, "python"), "PIPX_DEFAULT_PYTHON=/usr/bin/python3",
		"PIPX_HOME="+filepath.Join(s.dir, "pipx"), "PIPX_BIN_DIR="+filepath.Join(s.dir, "bin"))
	s.write("pipx/none", "")
	s.createVenv("/usr/bin/python3", filepath.Join(s.dir, "pipx/shared")) // otherwise pipx updates pip from PyPI
	readme, err := os.ReadFile(filepath.Join(root, "integrations/python/README.md"))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^pipx run .+$`).FindString(string(readme))
	if line == "" {
		t.Fatal("integrations/python/README.md has no line that begins with \"pipx run\"")
	}
	s.run("sh", "-c", strings.Replace(line, " site ", " public ", 1))
	checkContains(t, s.read("public/sitemap.xml"), "<loc>https://example.com/about/</loc>")
}

// TestWheels checks the metadata and the RECORD file of every wheel with the rules of the wheel
// specification, because pip does not check them.
func TestWheels(t *testing.T) {
	all := wheelsFor(t, "*")
	if len(all) != 6 {
		t.Fatalf("%d wheels, want 6: %q", len(all), all)
	}
	for _, file := range all {
		z, err := zip.OpenReader(file)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		tags := strings.Split(strings.TrimSuffix(filepath.Base(file), ".whl"), "-")
		members, info := map[string][]byte{}, "sitewalk-"+version+".dist-info/"
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			if members[f.Name], err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
		}
		readHeader := func(name string) mail.Header {
			m, err := mail.ReadMessage(bufio.NewReader(strings.NewReader(string(members[info+name]) + "\n\n")))
			if err != nil {
				t.Fatalf("%s: %s: %v", file, name, err)
			}
			return m.Header
		}
		if h := readHeader("METADATA"); h.Get("Name") != "sitewalk" || h.Get("Version") != version || h.Get("License-Expression") != "MIT" || members[info+"licenses/"+h.Get("License-File")] == nil {
			t.Errorf("%s: METADATA has %v", file, h)
		}
		var wantTags []string
		for tag := range strings.SplitSeq(tags[4], ".") {
			wantTags = append(wantTags, "py3-none-"+tag)
		}
		if h := readHeader("WHEEL"); !slices.Equal(h["Tag"], wantTags) || h.Get("Root-Is-Purelib") != "false" {
			t.Errorf("%s: WHEEL has %v, want the tags %q", file, h, wantTags)
		}
		checkRecord(t, file, info+"RECORD", members)
	}
}

// checkRecord checks that the RECORD file of a wheel lists all members with their hashes and sizes.
func checkRecord(t *testing.T, file, record string, members map[string][]byte) {
	t.Helper()
	var want []string
	for name, content := range members {
		line := name + ",,"
		if name != record {
			sum := sha256.Sum256(content)
			line = fmt.Sprintf("%s,sha256=%s,%d", name, strings.TrimRight(base64.URLEncoding.EncodeToString(sum[:]), "="), len(content))
		}
		want = append(want, line)
	}
	got := strings.Split(strings.TrimSuffix(string(members[record]), "\n"), "\n")
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%s: RECORD is\n%q, want\n%q", file, got, want)
	}
}

// TestWheelTags checks that the programs need no newer system than the tags of their wheels promise:
// no shared libraries on Linux, and the same macOS version.
func TestWheelTags(t *testing.T) {
	const buildVersion = 0x32 // LC_BUILD_VERSION
	bins, err := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(self)), "*/sitewalk"))
	if err != nil || len(bins) != 4 {
		t.Fatal(bins, err)
	}
	for _, bin := range bins {
		if f, err := elf.Open(bin); err == nil {
			if libs, err := f.ImportedLibraries(); len(libs) > 0 || err != nil && f.Section(".dynamic") != nil {
				t.Errorf("%s needs the libraries %q (%v), want none", bin, libs, err)
			}
			continue
		}
		f, err := macho.Open(bin)
		if err != nil {
			t.Fatal(err)
		}
		minSystem := ""
		for _, l := range f.Loads {
			if raw := l.Raw(); f.ByteOrder.Uint32(raw) == buildVersion {
				v := f.ByteOrder.Uint32(raw[12:])
				minSystem = fmt.Sprintf("macosx_%d_%d", v>>16, v>>8&0xff)
			}
		}
		arch := map[macho.Cpu]string{macho.CpuAmd64: "x86_64", macho.CpuArm64: "arm64"}[f.Cpu]
		if file := path.Base(wheelsFor(t, "macosx*"+arch)[0]); minSystem == "" || !strings.HasSuffix(file, "-"+minSystem+"_"+arch+".whl") {
			t.Errorf("%s needs %q, but its wheel is %s", bin, minSystem, file)
		}
	}
}

// TestReleasePublishesWheels checks that the release workflow makes the wheels and publishes their
// folder to PyPI without a token. The folder must contain only wheels.
func TestReleasePublishesWheels(t *testing.T) {
	src, err := os.ReadFile(filepath.Join(root, ".github/workflows/release.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var flow struct {
		Jobs map[string]struct {
			Environment string
			Permissions map[string]string
			Steps       []step
		}
	}
	if err := yaml.Unmarshal(src, &flow); err != nil {
		t.Fatal(err)
	}
	checkContains(t, string(src), "-out packages npm wheels ")
	job := flow.Jobs["pypi"]
	last := job.Steps[len(job.Steps)-1]
	if job.Environment != "pypi" || job.Permissions["id-token"] != "write" || !strings.HasPrefix(last.Uses, "pypa/gh-action-pypi-publish@") ||
		last.With["packages-dir"] != "packages/python" || last.With["password"] != "" {
		t.Errorf("the job pypi is %+v, want pypa/gh-action-pypi-publish with packages/python", job)
	}
	entries, err := os.ReadDir(filepath.Join(out, "python"))
	if err != nil || len(entries) != len(wheelsFor(t, "*")) {
		t.Errorf("the folder of the wheels has %v (%v), want only wheels", entries, err)
	}
}
