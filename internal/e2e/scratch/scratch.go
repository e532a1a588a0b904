// Package scratch holds a project in a folder of its own, for tests to change
// while something watches it.
package scratch

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

const (
	// Config is the sitemap.yaml of a small site.
	Config = "base_url: https://example.internal/\npages: {dir: public}\n"
	// Page is an HTML page.
	Page = "<!doctype html><title>Page</title><p>text"
)

// Small returns the files of a small site, by name.
func Small() map[string]string {
	return map[string]string{
		"sitemap.yaml":        Config,
		"public/index.html":   Page,
		"public/a/index.html": Page,
		"public/a/b.html":     Page,
	}
}

// A Project is a folder of files.
type Project struct {
	T   *testing.T
	Dir string
	// Build writes what a fresh build in a copy of the project writes, and says
	// what it said.
	Build func(dir string) (output string, err error)
	// Output returns what was said so far, for a test that fails.
	Output func() string

	ledger []byte // as it was at Begin
	built  bool   // a fresh build has succeeded
}

// New returns a project with the given files.
func New(t *testing.T, files map[string]string) *Project {
	p := &Project{T: t, Dir: t.TempDir(), Output: func() string { return "" }}
	for name, text := range files {
		p.Write(name, text)
	}
	return p
}

// At returns the path of a file that is named with slashes.
func (p *Project) At(name string) string { return filepath.Join(p.Dir, filepath.FromSlash(name)) }

// Write writes a file, and makes its folders.
func (p *Project) Write(name, text string) {
	p.T.Helper()
	p.Must(errors.Join(os.MkdirAll(filepath.Dir(p.At(name)), 0o755), os.WriteFile(p.At(name), []byte(text), 0o644)))
}

// Read returns what a file holds, "" when it cannot be read.
func (p *Project) Read(name string) string {
	b, _ := os.ReadFile(p.At(name))
	return string(b)
}

// Must ends the test when there is an error.
func (p *Project) Must(err error) {
	p.T.Helper()
	if err != nil {
		p.T.Fatal(err)
	}
}

// Wipe removes a folder, into which a watch may be about to put a file.
func (p *Project) Wipe(dir string) {
	p.T.Helper()
	p.Until("an empty place", func() bool { return os.RemoveAll(p.At(dir)) == nil })
}

// patience is how long what has to come may take: a disk that is busy with other work can
// hold up a write for more than ten seconds.
const patience = time.Minute

// Until waits until something holds.
func (p *Project) Until(what string, holds func() bool) {
	p.T.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if holds() {
			return
		}
	}
	p.T.Fatalf("%s does not come; it said\n%s", what, p.Output())
}

// Quietly checks that nothing is counted while nothing happens.
func (p *Project) Quietly(count func() int) {
	p.T.Helper()
	time.Sleep(400 * time.Millisecond) // what was written may not be told yet
	before := count()
	time.Sleep(300 * time.Millisecond)
	if count() > before {
		p.T.Error("woken by nothing:", p.Output())
	}
}

const ledgerName = "sitemap.ledger"

// Begin remembers the ledger, which is what a fresh build starts from.
func (p *Project) Begin() { p.ledger, _ = os.ReadFile(p.At(ledgerName)) }

// Fresh waits until the files are those that a fresh build in a copy of the
// project leaves, ledger included.
func (p *Project) Fresh() {
	p.T.Helper()
	var diff string
	p.built = false
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if diff = p.differs(); diff == "" {
			if !p.built {
				p.T.Fatalf("no fresh build succeeds: %s", p.Output())
			}
			return
		}
	}
	p.T.Fatalf("not as fresh: %s\nit said\n%s", diff, p.Output())
}

func (p *Project) differs() string {
	dir := p.T.TempDir()
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS(p.Dir)); err != nil {
		return err.Error() // a file came or went
	}
	if p.ledger != nil {
		p.Must(os.WriteFile(filepath.Join(dir, ledgerName), p.ledger, 0o644))
	} else {
		_ = os.Remove(filepath.Join(dir, ledgerName))
	}
	said, err := p.Build(dir)
	got, want := Files(p.Dir), Files(dir)
	p.built = p.built || err == nil
	if err != nil { // then nothing may have been written, and the ledger is an earlier one
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

// Files returns what every file below dir holds.
func Files(dir string) map[string]string {
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

// A Tape is what was printed so far.
type Tape struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write adds to the tape.
func (t *Tape) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(p)
}

// String returns all of it.
func (t *Tape) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}
