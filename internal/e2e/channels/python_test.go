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

// wheelsFor returns the wheels of the release that a glob finds, at least one.
func wheelsFor(t *testing.T, platform string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(out, "python/sitewalk-"+version+"-py3-none-"+platform+".whl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no wheel for %s (%v)", platform, err)
	}
	return files
}

// newVenv returns a session in an empty virtual environment, whose pip asks no registry.
// Its Python is the first on the PATH, or /usr/bin/python3 if that one makes none.
func newVenv(t *testing.T) *session {
	s := newSession(t)
	s.env = append(s.env, "PIP_NO_INDEX=1", "PIP_DISABLE_PIP_VERSION_CHECK=1", "PYTHONDONTWRITEBYTECODE=1")
	s.write("public/index.html", "<title>Home</title>")
	s.write("public/about/index.html", "<title>About</title>")
	s.venv("python3", filepath.Join(s.dir, "venv"))
	return s
}

// venvs are virtual environments that Python has made, by how it was called.
var venvs = map[string]string{}

// venv makes a virtual environment in a folder. Python makes each kind once, for which it
// has to install pip, and each test gets a copy, whose scripts name their own folder.
func (s *session) venv(python, to string, flags ...string) {
	s.t.Helper()
	from := once(venvs, python+strings.Join(flags, " "), func() string {
		dir := filepath.Join(filepath.Dir(out), fmt.Sprint("venv", len(venvs)))
		if args := append([]string{"-m", "venv", dir}, flags...); s.try(python, args...).code != 0 {
			s.do("/usr/bin/python3", append(args, "--clear")...)
		}
		return dir
	})
	s.do("cp", "-a", from, to) // with the times of the files, by which Python knows what it has compiled
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

// pip runs the environment's own.
func (s *session) pip(args ...string) outcome {
	return s.try(filepath.Join(s.dir, "venv/bin/python"), append([]string{"-m", "pip"}, args...)...)
}

// tree lists what is in the environment, but for what Python compiles.
func (s *session) tree() string {
	return s.do("find", "venv", "!", "-name", "*.pyc", "!", "-name", "__pycache__")
}

// TestWheelInstall installs the wheel for this machine by pip, runs it, and removes it.
func TestWheelInstall(t *testing.T) {
	t.Parallel()
	s := newVenv(t)
	before := s.tree()
	if o := s.pip("install", "--no-index", wheelsFor(t, "manylinux*x86_64")[0]); o.code != 0 {
		t.Fatalf("exit code %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	bin := filepath.Join(s.dir, "venv/bin/sitewalk")
	if got := s.do(bin, "--version"); got != "sitewalk version "+version+"\n" {
		t.Errorf("--version says %q", got)
	}
	if hash(t, bin) != hash(t, self) {
		t.Error("the program is another than that of the release")
	}
	s.do(bin, "public", "-b", "https://example.com/")
	contains(t, s.read("public/sitemap.xml"), "<loc>https://example.com/about/</loc>")
	contains(t, s.pip("show", "--files", "sitewalk").stdout, "Name: sitewalk\nVersion: "+version, "bin/sitewalk")
	if o := s.pip("check"); o.code != 0 {
		t.Errorf("pip check: %s%s", o.stdout, o.stderr)
	}
	if o := s.pip("uninstall", "--yes", "sitewalk"); o.code != 0 {
		t.Fatalf("exit code %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	if after := s.tree(); after != before {
		t.Errorf("removing it leaves\n%s\nwhere there was\n%s", after, before)
	}
}

// TestWheelOfAnotherPlatform offers pip the wheels of other machines alone, and of a folder
// that holds all of them lets it choose.
func TestWheelOfAnotherPlatform(t *testing.T) {
	t.Parallel()
	s := newVenv(t)
	for _, platform := range []string{"win_amd64", "win_arm64", "macosx*x86_64", "macosx*arm64", "manylinux*aarch64"} {
		if o := s.pip("install", wheelsFor(t, platform)[0]); o.code == 0 || !strings.Contains(o.stderr, "is not a supported wheel on this platform") {
			t.Errorf("%s: exit code %d\n%s%s", platform, o.code, o.stdout, o.stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(s.dir, "venv/bin/sitewalk")); err == nil {
		t.Error("a program was installed")
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
		t.Errorf("of all wheels: exit code %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	contains(t, s.do(filepath.Join(s.dir, "venv/bin/sitewalk"), "version"), "sitewalk "+version)
}

// TestPipxRun runs what the README of the package says, with the wheels in place of PyPI.
func TestPipxRun(t *testing.T) {
	t.Parallel()
	s := newVenv(t)
	s.env = append(s.env, "PIP_FIND_LINKS="+filepath.Join(out, "python"), "PIPX_DEFAULT_PYTHON=/usr/bin/python3",
		"PIPX_HOME="+filepath.Join(s.dir, "pipx"), "PIPX_BIN_DIR="+filepath.Join(s.dir, "bin"))
	s.write("pipx/none", "")
	s.venv("/usr/bin/python3", filepath.Join(s.dir, "pipx/shared")) // else pipx asks PyPI for a newer pip
	readme, err := os.ReadFile(filepath.Join(root, "integrations/python/README.md"))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^pipx run .+$`).FindString(string(readme))
	if line == "" {
		t.Fatal("integrations/python/README.md has no line for pipx")
	}
	s.do("sh", "-c", strings.Replace(line, " site ", " public ", 1))
	contains(t, s.read("public/sitemap.xml"), "<loc>https://example.com/about/</loc>")
}

// TestWheels reads every wheel as its specification says, which pip does not.
func TestWheels(t *testing.T) {
	all := wheelsFor(t, "*")
	if len(all) != 6 {
		t.Fatalf("%d wheels: %q", len(all), all)
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
		head := func(name string) mail.Header {
			m, err := mail.ReadMessage(bufio.NewReader(strings.NewReader(string(members[info+name]) + "\n\n")))
			if err != nil {
				t.Fatalf("%s: %s: %v", file, name, err)
			}
			return m.Header
		}
		if h := head("METADATA"); h.Get("Name") != "sitewalk" || h.Get("Version") != version || h.Get("License-Expression") != "MIT" || members[info+"licenses/"+h.Get("License-File")] == nil {
			t.Errorf("%s: METADATA has %v", file, h)
		}
		var named []string
		for tag := range strings.SplitSeq(tags[4], ".") {
			named = append(named, "py3-none-"+tag)
		}
		if h := head("WHEEL"); !slices.Equal(h["Tag"], named) || h.Get("Root-Is-Purelib") != "false" {
			t.Errorf("%s: WHEEL has %v", file, h)
		}
		holdsRecord(t, file, info+"RECORD", members)
	}
}

// holdsRecord compares a list of members with the members.
func holdsRecord(t *testing.T, file, record string, members map[string][]byte) {
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

// TestWheelTags compares the tags with what the programs ask of a system: nothing of libc,
// and no macOS newer than that of the tag.
func TestWheelTags(t *testing.T) {
	const buildVersion = 0x32 // LC_BUILD_VERSION
	bins, err := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(self)), "*/sitewalk"))
	if err != nil || len(bins) != 4 {
		t.Fatal(bins, err)
	}
	for _, bin := range bins {
		if f, err := elf.Open(bin); err == nil {
			if libs, err := f.ImportedLibraries(); len(libs) > 0 || err != nil && f.Section(".dynamic") != nil {
				t.Errorf("%s asks for %q (%v)", bin, libs, err)
			}
			continue
		}
		f, err := macho.Open(bin)
		if err != nil {
			t.Fatal(err)
		}
		asks := ""
		for _, l := range f.Loads {
			if raw := l.Raw(); f.ByteOrder.Uint32(raw) == buildVersion {
				v := f.ByteOrder.Uint32(raw[12:])
				asks = fmt.Sprintf("macosx_%d_%d", v>>16, v>>8&0xff)
			}
		}
		arch := map[macho.Cpu]string{macho.CpuAmd64: "x86_64", macho.CpuArm64: "arm64"}[f.Cpu]
		if file := path.Base(wheelsFor(t, "macosx*"+arch)[0]); asks == "" || !strings.HasSuffix(file, "-"+asks+"_"+arch+".whl") {
			t.Errorf("%s asks for %q, and its wheel is %s", bin, asks, file)
		}
	}
}

// TestReleasePublishesWheels holds the workflow: it makes the wheels, and hands PyPI the
// folder that holds them and nothing else, without a token.
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
	contains(t, string(src), "-out packages npm wheels ")
	job := flow.Jobs["pypi"]
	last := job.Steps[len(job.Steps)-1]
	if job.Environment != "pypi" || job.Permissions["id-token"] != "write" || !strings.HasPrefix(last.Uses, "pypa/gh-action-pypi-publish@") ||
		last.With["packages-dir"] != "packages/python" || last.With["password"] != "" {
		t.Errorf("%+v", job)
	}
	entries, err := os.ReadDir(filepath.Join(out, "python"))
	if err != nil || len(entries) != len(wheelsFor(t, "*")) {
		t.Errorf("the folder has %v (%v)", entries, err)
	}
}
