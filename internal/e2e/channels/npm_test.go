//go:build e2e && linux

package channels

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// tarballs are the packages as "npm pack" makes them, by name; projects are folders in
// which npm has installed packages, by their names.
var (
	making   sync.Mutex
	tarballs = map[string]string{}
	projects = map[string]string{}
)

// once returns what make returned for this key, or calls it.
func once(made map[string]string, key string, make func() string) string {
	making.Lock()
	defer making.Unlock()
	if made[key] == "" {
		made[key] = make()
	}
	return made[key]
}

// packed returns the tarball of a package of the release.
func packed(t *testing.T, name string) string {
	t.Helper()
	return once(tarballs, name, func() string {
		s := newSession(t)
		s.dir = filepath.Join(out, "npm", name)
		return filepath.Join(out, strings.TrimSpace(s.do("npm", "pack", "--silent", "--pack-destination", out)))
	})
}

// newProject returns a session in a project that has installed the packages, with no
// network and no scripts. npm installs the same packages once, and each test gets a copy.
func newProject(t *testing.T, packages ...string) *session {
	t.Helper()
	files := make([]string, len(packages))
	for i, name := range packages {
		files[i] = packed(t, name)
	}
	installed := once(projects, strings.Join(packages, " "), func() string {
		s := newSession(t)
		s.dir = filepath.Join(filepath.Dir(out), "projects", strconv.Itoa(len(projects)))
		s.write("package.json", `{"name": "site", "private": true}`)
		s.do("npm", append([]string{"install", "--offline", "--ignore-scripts"}, files...)...)
		return s.dir
	})
	s := newSession(t)
	if err := os.CopyFS(s.dir, os.DirFS(installed)); err != nil {
		t.Fatal(err)
	}
	s.write("public/index.html", "<title>Home</title>")
	s.write("public/about/index.html", "<title>About</title>")
	return s
}

// node20 puts a Node first that cannot replace its own process.
func (s *session) node20() *session {
	system := *s
	system.env = append([]string{"PATH=" + os.Getenv("PATH")}, s.env[1:]...)
	if strings.TrimSpace(system.do("node", "-p", "typeof process.execve")) != "undefined" {
		s.t.Fatal("the system's Node can replace itself; this test needs one that cannot")
	}
	return &system
}

func TestNPMInstall(t *testing.T) {
	t.Parallel()
	s := newProject(t, "sitewalk", "@sitewalk/linux-x64")
	for name, s := range map[string]*session{"replaced": s, "beside": s.node20()} {
		bin := filepath.Join(s.dir, "node_modules/.bin/sitewalk")
		if got := s.do(bin, "--version"); got != "sitewalk version "+version+"\n" {
			t.Errorf("%s: --version says %q", name, got)
		}
		contains(t, s.do("npx", "--offline", "sitewalk", "version"), "sitewalk "+version)
		for args, want := range map[string]int{
			"build public -b https://example.com/":                                         0,
			"build public -b https://example.com/ --strict --exclude nothing/x --report x": 2,
			"build nowhere -b https://example.com/":                                        2,
		} {
			if o := s.try(bin, strings.Fields(args)...); o.code != want {
				t.Errorf("%s: %s: exit code %d, want %d\n%s", name, args, o.code, want, o.stderr)
			}
		}
		if got := s.read("public/sitemap.xml"); strings.Count(got, "<loc>") != 2 {
			t.Errorf("%s: the sitemap is\n%s", name, got)
		}
		got := s.do("bash", "-c", `echo https://example.com/piped | "$1" build --from - -b https://example.com/ -o -`, "bash", bin)
		contains(t, got, "<loc>https://example.com/piped</loc>")
	}
}

// TestNPMExitCodes runs a program in sitewalk's place that ends in all ways.
func TestNPMExitCodes(t *testing.T) {
	t.Parallel()
	s := newProject(t, "sitewalk", "@sitewalk/linux-x64")
	s.write("fake", "#!/bin/sh\neval \"$1\"\n")
	if err := os.Chmod(filepath.Join(s.dir, "fake"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.env = append(s.env, "SITEWALK_BINARY=fake")
	for name, s := range map[string]*session{"replaced": s, "beside": s.node20()} {
		for script, want := range map[string]string{
			"exit 0": "0", "exit 1": "1", "exit 2": "2", "kill -TERM $$": "143", "kill -KILL $$": "137", "kill -INT $$": "130", "kill -SEGV $$": "139",
		} {
			got := s.do("bash", "-c", `node_modules/.bin/sitewalk "$1" 2>/dev/null; echo $?`, "bash", script)
			if strings.TrimSpace(got) != want {
				t.Errorf("%s: %q ends with %s, want %s", name, script, strings.TrimSpace(got), want)
			}
		}
	}
	s.env = append(s.env, "SITEWALK_BINARY=nowhere")
	if o := s.try("node_modules/.bin/sitewalk"); o.code != 2 || !strings.Contains(o.stderr, "nowhere") {
		t.Errorf("a program that is not there: %+v", o)
	}
}

func TestNPMWithoutItsPlatform(t *testing.T) {
	t.Parallel()
	s := newProject(t, "sitewalk")
	o := s.try("node_modules/.bin/sitewalk", "version")
	if o.code != 2 || o.stdout != "" {
		t.Errorf("%+v", o)
	}
	contains(t, o.stderr, "sitewalk: error: the package @sitewalk/linux-x64 is not installed",
		"without --omit=optional or --no-optional", "remove node_modules and the lock file")
}

// TestNPMChoosesByPlatform asks for the program as other machines would.
func TestNPMChoosesByPlatform(t *testing.T) {
	t.Parallel()
	s := newProject(t, "sitewalk", "@sitewalk/linux-x64")
	for platform, want := range map[string]string{
		"linux x64":   "node_modules/@sitewalk/linux-x64/bin/sitewalk",
		"darwin x64":  "the package @sitewalk/darwin-x64 is not installed",
		"freebsd x64": "there is no package for freebsd-x64",
		"win32 arm64": "the package @sitewalk/win32-arm64 is not installed",
	} {
		system, arch, _ := strings.Cut(platform, " ")
		got := s.do("node", "-e", `const [, system, arch] = process.argv;
Object.defineProperty(process, "platform", { value: system });
Object.defineProperty(process, "arch", { value: arch });
try { console.log(require("sitewalk").binary()); } catch (err) { console.log(err.message); }`, system, arch)
		contains(t, got, want)
	}
	// Apple's processors run the programs of the other kind.
	from := filepath.Join(out, "npm/@sitewalk/darwin-arm64")
	if err := os.CopyFS(filepath.Join(s.dir, "node_modules/@sitewalk/darwin-arm64"), os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	got := s.do("node", "-e", `Object.defineProperty(process, "platform", { value: "darwin" });
Object.defineProperty(process, "arch", { value: "x64" });
console.log(require("sitewalk").binary());`)
	contains(t, got, "@sitewalk/darwin-arm64/bin/sitewalk")
}

func TestNPMPackageHoldsNoMore(t *testing.T) {
	got := strings.Fields(newSession(t).do("tar", "-tzf", packed(t, "sitewalk")))
	slices.Sort(got)
	want := []string{"package/LICENSE", "package/README.md", "package/bin/sitewalk.js", "package/lib/binary.js", "package/package.json"}
	if !slices.Equal(got, want) {
		t.Errorf("it holds %q, want %q", got, want)
	}
}
