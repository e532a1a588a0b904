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

// Caches that the tests share.
var (
	cacheMutex sync.Mutex
	tarballs   = map[string]string{} // tarballs of "npm pack" by package name
	projects   = map[string]string{} // folders with installed packages by package names
)

// getOrCreate returns the value of a key in a cache. It calls create if the cache does not have the
// key.
func getOrCreate(cache map[string]string, key string, create func() string) string {
	cacheMutex.Lock()
	defer cacheMutex.Unlock()
	if cache[key] == "" {
		cache[key] = create()
	}
	return cache[key]
}

// packNPM returns the tarball of an npm package of the release.
func packNPM(t *testing.T, name string) string {
	t.Helper()
	return getOrCreate(tarballs, name, func() string {
		s := newSession(t)
		s.dir = filepath.Join(out, "npm", name)
		return filepath.Join(out, strings.TrimSpace(s.run("npm", "pack", "--silent", "--pack-destination", out)))
	})
}

// newProject returns a session in a copy of a project with installed packages. npm installs them once,
// offline and without scripts.
func newProject(t *testing.T, packages ...string) *session {
	t.Helper()
	files := make([]string, len(packages))
	for i, name := range packages {
		files[i] = packNPM(t, name)
	}
	installed := getOrCreate(projects, strings.Join(packages, " "), func() string {
		s := newSession(t)
		s.dir = filepath.Join(filepath.Dir(out), "projects", strconv.Itoa(len(projects)))
		s.write("package.json", `{"name": "site", "private": true}`)
		s.run("npm", append([]string{"install", "--offline", "--ignore-scripts"}, files...)...)
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

// withoutExecve returns a session with the Node of the system. It has no process.execve, so it starts
// sitewalk as a child process instead of replacing itself.
func (s *session) withoutExecve() *session {
	system := *s
	system.env = append([]string{"PATH=" + os.Getenv("PATH")}, s.env[1:]...)
	if strings.TrimSpace(system.run("node", "-p", "typeof process.execve")) != "undefined" {
		s.t.Fatal("the Node of the system has process.execve; the test needs a version without it")
	}
	return &system
}

// TestNPMInstall checks the program in an npm package: its version, exit codes and standard streams.
func TestNPMInstall(t *testing.T) {
	t.Parallel()
	s := newProject(t, "sitewalk", "@sitewalk/linux-x64")
	for name, s := range map[string]*session{"with execve": s, "without execve": s.withoutExecve()} {
		bin := filepath.Join(s.dir, "node_modules/.bin/sitewalk")
		if got := s.run(bin, "--version"); got != "sitewalk version "+version+"\n" {
			t.Errorf("%s: --version prints %q, want version %s", name, got, version)
		}
		checkContains(t, s.run("npx", "--offline", "sitewalk", "version"), "sitewalk "+version)
		for args, want := range map[string]int{
			"build public -b https://example.com/":                                         0,
			"build public -b https://example.com/ --strict --exclude nothing/x --report x": 2,
			"build nowhere -b https://example.com/":                                        2,
		} {
			if o := s.tryRun(bin, strings.Fields(args)...); o.code != want {
				t.Errorf("%s: %s: exit code %d, want %d\n%s", name, args, o.code, want, o.stderr)
			}
		}
		if got := s.read("public/sitemap.xml"); strings.Count(got, "<loc>") != 2 {
			t.Errorf("%s: the sitemap is\n%s\nwant two URLs", name, got)
		}
		got := s.run("bash", "-c", `echo https://example.com/piped | "$1" build --from - -b https://example.com/ -o -`, "bash", bin)
		checkContains(t, got, "<loc>https://example.com/piped</loc>")
	}
}

// TestNPMExitCodes replaces the program with a script that ends with different exit codes and signals.
// It checks that the npm package returns the same exit codes as a shell.
func TestNPMExitCodes(t *testing.T) {
	t.Parallel()
	s := newProject(t, "sitewalk", "@sitewalk/linux-x64")
	s.write("fake", "#!/bin/sh\neval \"$1\"\n")
	if err := os.Chmod(filepath.Join(s.dir, "fake"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.env = append(s.env, "SITEWALK_BINARY=fake")
	for name, s := range map[string]*session{"with execve": s, "without execve": s.withoutExecve()} {
		for script, want := range map[string]string{
			"exit 0": "0", "exit 1": "1", "exit 2": "2", "kill -TERM $$": "143", "kill -KILL $$": "137", "kill -INT $$": "130", "kill -SEGV $$": "139",
		} {
			got := s.run("bash", "-c", `node_modules/.bin/sitewalk "$1" 2>/dev/null; echo $?`, "bash", script)
			if strings.TrimSpace(got) != want {
				t.Errorf("%s: the exit code of %q is %s, want %s", name, script, strings.TrimSpace(got), want)
			}
		}
	}
	s.env = append(s.env, "SITEWALK_BINARY=nowhere")
	if o := s.tryRun("node_modules/.bin/sitewalk"); o.code != 2 || !strings.Contains(o.stderr, "nowhere") {
		t.Errorf("a missing program: %+v, want exit code 2 and its name", o)
	}
}

// TestNPMMissingPlatformPackage checks the error if the package of the platform is not installed.
func TestNPMMissingPlatformPackage(t *testing.T) {
	t.Parallel()
	s := newProject(t, "sitewalk")
	o := s.tryRun("node_modules/.bin/sitewalk", "version")
	if o.code != 2 || o.stdout != "" {
		t.Errorf("%+v, want exit code 2 and no output", o)
	}
	checkContains(t, o.stderr, "sitewalk: error: the package @sitewalk/linux-x64 is not installed",
		"without --omit=optional or --no-optional", "remove node_modules and the lock file")
}

// TestNPMPlatforms checks the path of the program that the npm package returns on other platforms.
func TestNPMPlatforms(t *testing.T) {
	t.Parallel()
	s := newProject(t, "sitewalk", "@sitewalk/linux-x64")
	for platform, want := range map[string]string{
		"linux x64":   "node_modules/@sitewalk/linux-x64/bin/sitewalk",
		"darwin x64":  "the package @sitewalk/darwin-x64 is not installed",
		"freebsd x64": "there is no package for freebsd-x64",
		"win32 arm64": "the package @sitewalk/win32-arm64 is not installed",
	} {
		system, arch, _ := strings.Cut(platform, " ")
		got := s.run("node", "-e", `const [, system, arch] = process.argv;
Object.defineProperty(process, "platform", { value: system });
Object.defineProperty(process, "arch", { value: arch });
try { console.log(require("sitewalk").binary()); } catch (err) { console.log(err.message); }`, system, arch)
		checkContains(t, got, want)
	}
	// On a Mac, an x64 Node uses the arm64 program if only that is installed.
	from := filepath.Join(out, "npm/@sitewalk/darwin-arm64")
	if err := os.CopyFS(filepath.Join(s.dir, "node_modules/@sitewalk/darwin-arm64"), os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	got := s.run("node", "-e", `Object.defineProperty(process, "platform", { value: "darwin" });
Object.defineProperty(process, "arch", { value: "x64" });
console.log(require("sitewalk").binary());`)
	checkContains(t, got, "@sitewalk/darwin-arm64/bin/sitewalk")
}

func TestNPMPackageFiles(t *testing.T) {
	got := strings.Fields(newSession(t).run("tar", "-tzf", packNPM(t, "sitewalk")))
	slices.Sort(got)
	want := []string{"package/LICENSE", "package/README.md", "package/bin/sitewalk.js", "package/lib/binary.js", "package/package.json"}
	if !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}
