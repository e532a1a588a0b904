//go:build e2e && linux

package channels

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// buildPackage builds a system package with the settings in .goreleaser.yaml and returns its file.
// format is "deb", "rpm" or "apk".
func buildPackage(t *testing.T, format string) string {
	t.Helper()
	config, err := releaseConfig()
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(t)
	s.dir = root
	settings := config.NFPMs[0]
	settings["name"], settings["arch"], settings["version"] = settings["package_name"], "amd64", version
	delete(settings, "package_name")
	delete(settings, "formats")
	contents := []any{map[string]any{"src": self, "dst": "/usr/bin/sitewalk", "file_info": map[string]any{"mode": 0o755}}}
	for _, c := range settings["contents"].([]any) {
		c := c.(map[string]any)
		c["src"] = strings.Replace(c["src"].(string), "build/", out+"/", 1)
		contents = append(contents, c)
	}
	settings["contents"] = contents
	src, err := yaml.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "nfpm.yaml")
	if err := os.WriteFile(file, src, 0o644); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(t.TempDir(), "sitewalk."+format)
	s.run(filepath.Join(os.Getenv("SITEWALK_TOOLS"), "bin", "nfpm"), "package", "--config", file, "--packager", format, "--target", target)
	return target
}

// TestDebPackage installs the package with "dpkg -i" into a new root folder, and checks the program,
// the man pages and the completion scripts.
func TestDebPackage(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	deb := buildPackage(t, "deb")
	checkContains(t, s.run("dpkg-deb", "--info", deb), "Package: sitewalk", "Version: "+version, "Architecture: amd64", "Recommends: git")
	admin := filepath.Join(s.dir, "var/lib/dpkg")
	for _, dir := range []string{"updates", "info", "triggers"} {
		if err := os.MkdirAll(filepath.Join(admin, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.write("var/lib/dpkg/status", "")
	s.write("var/lib/dpkg/available", "")
	s.env[0] = "PATH=/usr/sbin:/sbin:" + strings.TrimPrefix(s.env[0], "PATH=")
	s.run("dpkg", "--root="+s.dir, "--force-not-root", "--force-script-chrootless", "-i", deb)
	checkContains(t, s.run("usr/bin/sitewalk", "version"), "sitewalk "+version)
	checkContains(t, s.run("man", "-l", "usr/share/man/man1/sitewalk-build.1"), "SITEWALK-BUILD(1)")
	checkContains(t, s.run("man", "-M", filepath.Join(s.dir, "usr/share/man"), "sitewalk-watch"), "SITEWALK-WATCH(1)")
	checkContains(t, s.read("usr/share/bash-completion/completions/sitewalk"), "__start_sitewalk")
	checkContains(t, s.read("usr/share/zsh/vendor-completions/_sitewalk"), "#compdef sitewalk")
	checkContains(t, s.read("usr/share/doc/sitewalk/copyright"), "MIT License")
	s.run("dpkg", "--root="+s.dir, "--force-not-root", "-r", "sitewalk")
	if isExecutable(filepath.Join(s.dir, "usr/bin/sitewalk")) {
		t.Error("the program exists after the removal of the package")
	}
}

// packageFiles lists files that every system package contains.
var packageFiles = []string{
	"usr/bin/sitewalk", "usr/share/man/man1/sitewalk.1", "usr/share/man/man1/sitewalk-explain.1",
	"usr/share/bash-completion/completions/sitewalk", "usr/share/fish/vendor_completions.d/sitewalk.fish", "usr/share/doc/sitewalk/copyright",
}

func TestRPMPackage(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	rpm := buildPackage(t, "rpm")
	// Debian's rpm2cpio always ends with exit code 1. cpio detects a truncated archive.
	s.run("bash", "-c", `rpm2cpio "$1" | cpio -idm --quiet --no-absolute-filenames`, "bash", rpm)
	for _, name := range packageFiles {
		s.read(name)
	}
	checkContains(t, s.run("usr/bin/sitewalk", "version"), "sitewalk "+version)
}

func TestAPKPackage(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	s.run("tar", "--warning=no-unknown-keyword", "-xzf", buildPackage(t, "apk"))
	for _, name := range append([]string{".PKGINFO"}, packageFiles...) {
		s.read(name)
	}
	checkContains(t, s.read(".PKGINFO"), "pkgname = sitewalk", "pkgver = "+version, "arch = x86_64")
	checkContains(t, s.run("usr/bin/sitewalk", "version"), "sitewalk "+version)
}
