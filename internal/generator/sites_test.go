package generator

import (
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/page"
)

func TestMain(m *testing.M) {
	testsite.SpeedUp()
	m.Run()
}

// TestOutputFileOfSites compares the output files of the content files in testdata/sites with the
// list in each archive. With SITEWALK_E2E=1, it also runs the command in the comment of the
// archive, and compares the files that the generator writes. UPDATE=1 updates the list.
// SITEWALK_NODE_MODULES is the folder with the npm packages of the generators.
func TestOutputFileOfSites(t *testing.T) {
	files, err := filepath.Glob("testdata/sites/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d archives and error %v, want at least one", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			s := newTestSite(t, file)
			projects, diags := Detect(os.DirFS(s.dir), "", noVariables)
			if len(projects) != 1 || len(diags) > 0 {
				t.Fatalf("got %d projects and findings %v, want 1 project", len(projects), diags)
			}
			s.compareOutputs(projects[0])
		})
	}
}

// TestSitesCoverEveryGenerator checks that testdata/sites has an archive for each generator with
// content files.
func TestSitesCoverEveryGenerator(t *testing.T) {
	for _, name := range Names() {
		if projects, _ := Detect(archiveFS(minimalProjects[name]), "", noVariables); len(projects) == 1 && len(projects[0].Content) == 0 {
			continue
		}
		if all, _ := filepath.Glob("testdata/sites/" + name + "*.txtar"); len(all) == 0 {
			t.Errorf("testdata/sites has no archive for %s", name)
		}
	}
}

// A testSite is an unpacked archive of testdata/sites.
type testSite struct {
	*testing.T
	file, dir   string
	archive     *txtar.Archive
	wantOutputs string
}

// newTestSite unpacks the archive in file to a temporary folder. Each content file gets a
// signature.
func newTestSite(t *testing.T, file string) *testSite {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &testSite{T: t, file: file, dir: t.TempDir(), archive: a}
	for _, f := range a.Files {
		if f.Name == "OUTPUTS" {
			s.wantOutputs = string(f.Data)
			continue
		}
		name := filepath.Join(s.dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, addSignature(f), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// addSignature returns the content of f. If f is a content file, its name is added at the end, so
// that the output file identifies the content file.
func addSignature(f txtar.File) []byte {
	switch path.Ext(f.Name) {
	case ".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc", ".qmd":
		return fmt.Appendf(slices.Clip(f.Data), "\nSOURCE%xEND\n", f.Name)
	case ".html", ".njk", ".liquid":
		if strings.HasPrefix(string(f.Data), "---") {
			return fmt.Appendf(slices.Clip(f.Data), "\nSOURCE%xEND\n", f.Name)
		}
	}
	return f.Data
}

var signature = regexp.MustCompile(`SOURCE([0-9a-f]+)END`)

// compareOutputs compares the output files of the content files with the list in the archive, or
// updates the list.
func (s *testSite) compareOutputs(p Project) {
	outputs := s.formatOutputs(p)
	if os.Getenv("SITEWALK_E2E") != "" {
		s.compareWithGenerator(p.Publish[0], outputs)
	}
	if testsite.IsUpdating() {
		s.updateArchive(outputs)
		return
	}
	if outputs != s.wantOutputs {
		s.Errorf("output files: got\n%s\nwant\n%s", outputs, s.wantOutputs)
	}
}

// formatOutputs returns a line for each content file, with its output file or the reason why the
// output file is unknown. Each alias has a line, too.
func (s *testSite) formatOutputs(p Project) string {
	var b strings.Builder
	for _, dir := range p.Content {
		facts := s.readContent(dir, p.Front)
		m := p.Mapping.RelativeTo(dir).WithIndexFiles(maps.All(facts))
		for _, file := range slices.Sorted(maps.Keys(facts)) {
			f := facts[file]
			full := path.Join(dir, file)
			out, note, ok := m.OutputFile(file, f)
			if ok {
				fmt.Fprintf(&b, "%s -> %s\n", full, out)
				for _, alias := range m.AliasFiles(file, f) {
					fmt.Fprintf(&b, "%s <- %s\n", full, alias)
				}
			} else {
				fmt.Fprintf(&b, "%s -- %s\n", full, note)
			}
		}
	}
	return b.String()
}

// readContent parses the front matter of all content files in the folder dir.
func (s *testSite) readContent(dir string, o frontmatter.Conventions) map[string]*page.Facts {
	all := map[string]*page.Facts{}
	root := filepath.Join(s.dir, filepath.FromSlash(dir))
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		src, err := os.ReadFile(name)
		if err != nil || !signature.Match(src) {
			return err
		}
		rel, err := filepath.Rel(root, name)
		all[filepath.ToSlash(rel)] = s.readFrontMatter(filepath.ToSlash(rel), string(src), o)
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	return all
}

// readFrontMatter parses the front matter of the file name with the content src.
func (s *testSite) readFrontMatter(name, src string, o frontmatter.Conventions) *page.Facts {
	f := &page.Facts{}
	if _, err := frontmatter.NewReader(frontmatter.Options{Conventions: o}).Read(strings.NewReader(src), name, f); err != nil || len(f.Diags) > 0 {
		s.Fatalf("%s: error %v, findings %v", name, err, f.Diags)
	}
	return f
}

// requiredHugo matches the minimum version of Hugo in the comment of an archive.
var requiredHugo = regexp.MustCompile(`Needs hugo 0\.(\d{3})`)

// hugoMinor returns the minor version of Hugo as three digits.
func hugoMinor(t *testing.T) string {
	out, err := exec.Command("hugo", "version").Output()
	m := regexp.MustCompile(`v0\.(\d{3})`).FindSubmatch(out)
	if err != nil || m == nil {
		t.Fatalf("version of Hugo in %q is unknown: %v", out, err)
	}
	return string(m[1])
}

// buildOutputs runs the command in the comment of the archive. It returns the path of the output
// file for each content file.
func (s *testSite) buildOutputs(publish string) map[string]string {
	line, _, _ := strings.Cut(string(s.archive.Comment), "\n")
	args := strings.Fields(strings.TrimPrefix(line, "# "))
	if _, err := exec.LookPath(args[0]); err != nil {
		s.Fatalf("%v; .ci/install installs all generators except those of npm", err)
	}
	if m := requiredHugo.FindStringSubmatch(string(s.archive.Comment)); m != nil && hugoMinor(s.T) < m[1] {
		s.Fatal("site needs Hugo 0." + m[1])
	}
	if modules := os.Getenv("SITEWALK_NODE_MODULES"); modules != "" {
		if err := os.Symlink(modules, filepath.Join(s.dir, "node_modules")); err != nil {
			s.Fatal(err)
		}
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "TZ=UTC", "LANG=C.UTF-8")
	if out, err := cmd.CombinedOutput(); err != nil {
		s.Fatalf("%v: %v\n%s", args, err, out)
	}
	outputs := map[string]string{}
	root := filepath.Join(s.dir, filepath.FromSlash(publish))
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(e.Name(), ".html") && !strings.HasSuffix(e.Name(), ".htm") {
			return err
		}
		src, err := os.ReadFile(name)
		rel, _ := filepath.Rel(root, name)
		if source := onlySource(src); source != "" {
			outputs[source] = filepath.ToSlash(rel)
		}
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	return outputs
}

// onlySource returns the content file whose signature is in an output file. It returns "" if the
// output file has no signature or several signatures, as a list does.
func onlySource(src []byte) string {
	all := signature.FindAllSubmatch(src, -1)
	for _, m := range all {
		if string(m[1]) != string(all[0][1]) {
			return ""
		}
	}
	if len(all) == 0 {
		return ""
	}
	source, _ := hex.DecodeString(string(all[0][1]))
	return string(source)
}

// unknownOutput matches the reasons for an unknown output file of a content file that the
// generator does convert to a page.
var unknownOutput = regexp.MustCompile(`depends on|is a template|is not followed`)

// compareWithGenerator runs the generator, and compares its output files with the lines of
// expected.
func (s *testSite) compareWithGenerator(publish, expected string) {
	built := s.buildOutputs(publish)
	seen := map[string]bool{}
	for line := range strings.Lines(expected) {
		if source, alias, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " <- "); ok {
			if _, err := os.Stat(filepath.Join(s.dir, publish, alias)); err != nil {
				s.Errorf("alias of %s: the generator did not write %s", source, alias)
			}
			continue
		}
		source, out, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " -> ")
		if !ok {
			source, _, _ = strings.Cut(source, " -- ")
			if built[source] != "" && !unknownOutput.MatchString(line) {
				s.Errorf("%s: the generator wrote %s, want %q", source, built[source], strings.TrimSpace(line))
			}
			continue
		}
		seen[source] = true
		if built[source] != out {
			s.Errorf("%s: the generator wrote %q, want %s", source, built[source], out)
		}
	}
	if len(seen) == 0 {
		s.Error("no content file has a known output file")
	}
}

// updateArchive writes outputs as the list of the archive.
func (s *testSite) updateArchive(outputs string) {
	s.archive.Files = slices.DeleteFunc(s.archive.Files, func(f txtar.File) bool { return f.Name == "OUTPUTS" })
	s.archive.Files = append(s.archive.Files, txtar.File{Name: "OUTPUTS", Data: []byte(outputs)})
	if err := os.WriteFile(s.file, txtar.Format(s.archive), 0o666); err != nil {
		s.Fatal(err)
	}
}
