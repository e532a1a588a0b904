package testsite

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
	// SmallConfig is the sitemap.yaml of a small site.
	SmallConfig = "base_url: https://example.internal/\npages: {dir: public}\n"
	// SmallPage is an HTML page.
	SmallPage = "<!doctype html><title>Page</title><p>text"
)

// SmallFiles returns the files of a small site, by name.
func SmallFiles() map[string]string {
	return map[string]string{
		"sitemap.yaml":        SmallConfig,
		"public/index.html":   SmallPage,
		"public/a/index.html": SmallPage,
		"public/a/b.html":     SmallPage,
	}
}

// A Project is a folder of files that a test changes while a watch observes it.
type Project struct {
	T   *testing.T
	Dir string
	// Build runs a fresh build of the project in dir and returns what it printed.
	Build func(dir string) (output string, err error)
	// Output returns what the watch has printed so far.
	Output func() string

	ledger []byte // at the time of SaveLedger
	built  bool   // a fresh build has succeeded
}

// NewProject returns a project with the given files.
func NewProject(t *testing.T, files map[string]string) *Project {
	p := &Project{T: t, Dir: t.TempDir(), Output: func() string { return "" }}
	for name, text := range files {
		p.Write(name, text)
	}
	return p
}

// At returns the path of a file whose name is written with slashes.
func (p *Project) At(name string) string { return filepath.Join(p.Dir, filepath.FromSlash(name)) }

// Write writes a file and creates its folders.
func (p *Project) Write(name, text string) {
	p.T.Helper()
	p.Must(errors.Join(os.MkdirAll(filepath.Dir(p.At(name)), 0o755), os.WriteFile(p.At(name), []byte(text), 0o644)))
}

// Read returns the text of a file, or "" if it cannot be read.
func (p *Project) Read(name string) string {
	b, _ := os.ReadFile(p.At(name))
	return string(b)
}

// Must ends the test if err is not nil.
func (p *Project) Must(err error) {
	p.T.Helper()
	if err != nil {
		p.T.Fatal(err)
	}
}

// RemoveDir removes a folder, and tries again if the watch writes into it meanwhile.
func (p *Project) RemoveDir(dir string) {
	p.T.Helper()
	p.WaitUntil("an empty place", func() bool { return os.RemoveAll(p.At(dir)) == nil })
}

// patience is how long a test waits. A busy disk can delay a write by more than ten seconds.
const patience = time.Minute

// WaitUntil waits until holds returns true. The string what names the condition.
func (p *Project) WaitUntil(what string, holds func() bool) {
	p.T.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if holds() {
			return
		}
	}
	p.T.Fatalf("%s does not come; the output is\n%s", what, p.Output())
}

// RequireQuiet checks that count does not grow while nothing happens.
func (p *Project) RequireQuiet(count func() int) {
	p.T.Helper()
	time.Sleep(400 * time.Millisecond) // earlier writes may still be reported
	before := count()
	time.Sleep(300 * time.Millisecond)
	if count() > before {
		p.T.Error("woken by nothing:", p.Output())
	}
}

const ledgerName = "sitemap.ledger"

// SaveLedger saves the ledger, from which fresh builds start.
func (p *Project) SaveLedger() { p.ledger, _ = os.ReadFile(p.At(ledgerName)) }

// WaitForFresh waits until the files of the project, including the ledger, equal those that a
// fresh build in a copy of the project leaves.
func (p *Project) WaitForFresh() {
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
	p.T.Fatalf("not as a fresh build: %s\nthe output is\n%s", diff, p.Output())
}

func (p *Project) differs() string {
	dir := p.T.TempDir()
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS(p.Dir)); err != nil {
		return err.Error() // a file was added or removed meanwhile
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

// ReadTree returns the text of every file below dir, by name.
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

// A SyncBuffer is a buffer for output that is read while a program still prints.
type SyncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write appends to the buffer.
func (b *SyncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

// String returns the text written so far.
func (b *SyncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
