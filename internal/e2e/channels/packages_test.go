//go:build e2e && linux

package channels

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// systemPackage makes a package of the given format as .goreleaser.yaml
// describes it, and returns its file.
func systemPackage(t *testing.T, format string) string {
	t.Helper()
	config, err := releaseConfig()
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(t)
	s.dir = root
	own := config.NFPMs[0]
	own["name"], own["arch"], own["version"] = own["package_name"], "amd64", version
	delete(own, "package_name")
	delete(own, "formats")
	contents := []any{map[string]any{"src": self, "dst": "/usr/bin/sitewalk", "file_info": map[string]any{"mode": 0o755}}}
	for _, c := range own["contents"].([]any) {
		c := c.(map[string]any)
		c["src"] = strings.Replace(c["src"].(string), "build/", out+"/", 1)
		contents = append(contents, c)
	}
	own["contents"] = contents
	src, err := yaml.Marshal(own)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "nfpm.yaml")
	if err := os.WriteFile(file, src, 0o644); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(t.TempDir(), "sitewalk."+format)
	s.do(filepath.Join(os.Getenv("SITEWALK_TOOLS"), "bin", "nfpm"), "package", "--config", file, "--packager", format, "--target", target)
	return target
}

// TestDebPackage installs the package into a system of its own, as "dpkg -i"
// does, and uses what it brought.
func TestDebPackage(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	deb := systemPackage(t, "deb")
	contains(t, s.do("dpkg-deb", "--info", deb), "Package: sitewalk", "Version: "+version, "Architecture: amd64", "Recommends: git")
	admin := filepath.Join(s.dir, "var/lib/dpkg")
	for _, dir := range []string{"updates", "info", "triggers"} {
		if err := os.MkdirAll(filepath.Join(admin, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.write("var/lib/dpkg/status", "")
	s.write("var/lib/dpkg/available", "")
	s.env[0] = "PATH=/usr/sbin:/sbin:" + strings.TrimPrefix(s.env[0], "PATH=")
	s.do("dpkg", "--root="+s.dir, "--force-not-root", "--force-script-chrootless", "-i", deb)
	contains(t, s.do("usr/bin/sitewalk", "version"), "sitewalk "+version)
	contains(t, s.do("man", "-l", "usr/share/man/man1/sitewalk-build.1"), "SITEWALK-BUILD(1)")
	contains(t, s.do("man", "-M", filepath.Join(s.dir, "usr/share/man"), "sitewalk-watch"), "SITEWALK-WATCH(1)")
	contains(t, s.read("usr/share/bash-completion/completions/sitewalk"), "__start_sitewalk")
	contains(t, s.read("usr/share/zsh/vendor-completions/_sitewalk"), "#compdef sitewalk")
	contains(t, s.read("usr/share/doc/sitewalk/copyright"), "MIT License")
	s.do("dpkg", "--root="+s.dir, "--force-not-root", "-r", "sitewalk")
	if executable(filepath.Join(s.dir, "usr/bin/sitewalk")) {
		t.Error("removing it leaves the program")
	}
}

// inEachPackage is what a package of every system holds.
var inEachPackage = []string{
	"usr/bin/sitewalk", "usr/share/man/man1/sitewalk.1", "usr/share/man/man1/sitewalk-explain.1",
	"usr/share/bash-completion/completions/sitewalk", "usr/share/fish/vendor_completions.d/sitewalk.fish", "usr/share/doc/sitewalk/copyright",
}

func TestRPMPackage(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	rpm := systemPackage(t, "rpm")
	// Debian's rpm2cpio ends with 1 whatever it reads; cpio would find the end of a torn archive.
	s.do("bash", "-c", `rpm2cpio "$1" | cpio -idm --quiet --no-absolute-filenames`, "bash", rpm)
	for _, name := range inEachPackage {
		s.read(name)
	}
	contains(t, s.do("usr/bin/sitewalk", "version"), "sitewalk "+version)
}

func TestAPKPackage(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	s.do("tar", "--warning=no-unknown-keyword", "-xzf", systemPackage(t, "apk"))
	for _, name := range append([]string{".PKGINFO"}, inEachPackage...) {
		s.read(name)
	}
	contains(t, s.read(".PKGINFO"), "pkgname = sitewalk", "pkgver = "+version, "arch = x86_64")
	contains(t, s.do("usr/bin/sitewalk", "version"), "sitewalk "+version)
}
