package testsite

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

const (
	// SmallConfig is the content of sitemap.yaml for a small site.
	SmallConfig = "base_url: https://example.internal/\npages: {dir: public}\n"
	// SmallPage is the content of a small HTML page.
	SmallPage = "<!doctype html><title>Page</title><p>text"
)

// SmallFiles returns the files of a small site: a map from file name to content.
func SmallFiles() map[string]string {
	return map[string]string{
		"sitemap.yaml":        SmallConfig,
		"public/index.html":   SmallPage,
		"public/a/index.html": SmallPage,
		"public/a/b.html":     SmallPage,
	}
}

// A Project is a folder of files that a test changes while "sitewalk watch" is running.
type Project struct {
	T   *testing.T
	Dir string
	// Build runs a new build in the folder dir, a copy of the project, and returns the output of
	// the build.
	Build func(dir string) (output string, err error)
	// Output returns the output of "sitewalk watch" so far.
	Output func() string

	ledger []byte // content of the ledger when SaveLedger was called
	built  bool   // at least one build by WaitUntilLikeFreshBuild succeeded
}

// NewProject returns a project in a temporary folder that contains the given files.
func NewProject(t *testing.T, files map[string]string) *Project {
	p := &Project{T: t, Dir: t.TempDir(), Output: func() string { return "" }}
	for name, text := range files {
		p.Write(name, text)
	}
	return p
}

// AbsPath returns the absolute path of a file in the project. name has slashes on every system.
func (p *Project) AbsPath(name string) string { return filepath.Join(p.Dir, filepath.FromSlash(name)) }

// Write writes a file of the project and creates missing folders.
func (p *Project) Write(name, text string) {
	p.T.Helper()
	p.Must(errors.Join(os.MkdirAll(filepath.Dir(p.AbsPath(name)), 0o755), os.WriteFile(p.AbsPath(name), []byte(text), 0o644)))
}

// Read returns the content of a file of the project, or "" if it cannot be read.
func (p *Project) Read(name string) string {
	b, _ := os.ReadFile(p.AbsPath(name))
	return string(b)
}

// Must fails the test if err is not nil.
func (p *Project) Must(err error) {
	p.T.Helper()
	if err != nil {
		p.T.Fatal(err)
	}
}

// RemoveDir removes a folder of the project. It tries again if "sitewalk watch" writes into the
// folder at the same time. After a minute, it fails the test.
func (p *Project) RemoveDir(dir string) {
	p.T.Helper()
	p.WaitUntil("an empty place", func() bool { return os.RemoveAll(p.AbsPath(dir)) == nil })
}

// maxWait is the maximum time that a test waits for a condition. A busy disk can delay a write by
// more than ten seconds.
const maxWait = time.Minute

// WaitUntil waits until condition returns true. After a minute, it fails the test. what describes
// the condition.
func (p *Project) WaitUntil(what string, condition func() bool) {
	p.T.Helper()
	for end := time.Now().Add(maxWait); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if condition() {
			return
		}
	}
	p.T.Fatalf("%s does not come; the output is\n%s", what, p.Output())
}

// RequireStableCount fails the test if the result of count grows although no file changes. It waits
// for less than a second.
func (p *Project) RequireStableCount(count func() int) {
	p.T.Helper()
	time.Sleep(400 * time.Millisecond) // earlier writes may still be reported
	before := count()
	time.Sleep(300 * time.Millisecond)
	if count() > before {
		p.T.Error("woken by nothing:", p.Output())
	}
}

const ledgerName = "sitemap.ledger"

// SaveLedger saves a copy of the current ledger. The fresh builds in WaitUntilLikeFreshBuild then
// start with this copy. Without SaveLedger, they start without a ledger.
func (p *Project) SaveLedger() { p.ledger, _ = os.ReadFile(p.AbsPath(ledgerName)) }

// WaitUntilLikeFreshBuild waits until the files of the project, including the ledger, equal the
// files after a fresh build in a copy of the project. After a minute, or if no fresh build
// succeeds, it fails the test.
func (p *Project) WaitUntilLikeFreshBuild() {
	p.T.Helper()
	var diff string
	p.built = false
	for end := time.Now().Add(maxWait); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if diff = p.diffWithFreshBuild(); diff == "" {
			if !p.built {
				p.T.Fatalf("no fresh build succeeds: %s", p.Output())
			}
			return
		}
	}
	p.T.Fatalf("not as a fresh build: %s\nthe output is\n%s", diff, p.Output())
}

func (p *Project) diffWithFreshBuild() string {
	dir := p.T.TempDir()
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS(p.Dir)); err != nil { // a file was added or removed while it was copied
		return err.Error()
	}
	if p.ledger != nil {
		p.Must(os.WriteFile(filepath.Join(dir, ledgerName), p.ledger, 0o644))
	} else {
		_ = os.Remove(filepath.Join(dir, ledgerName))
	}
	said, err := p.Build(dir)
	got, want := ReadTree(p.Dir), ReadTree(dir)
	p.built = p.built || err == nil
	if err != nil { // a failed build may have left an earlier ledger
		delete(got, ledgerName)
		delete(want, ledgerName)
	}
	all := maps.Clone(got)
	maps.Copy(all, want)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if got[name] != want[name] {
			return name + " is\n" + got[name] + "\nwant\n" + want[name] + "\n" + said
		}
	}
	return ""
}

// ReadTree returns a map with the content of each file below dir. The key is the path relative to
// dir, with slashes.
func ReadTree(dir string) map[string]string {
	out := map[string]string{}
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		rel, _ := filepath.Rel(dir, p)
		b, _ := os.ReadFile(p)
		out[filepath.ToSlash(rel)] = string(b)
		return nil
	})
	return out
}
