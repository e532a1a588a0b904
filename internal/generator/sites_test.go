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

// TestSites compares the output files of the content files in testdata/sites with the list in
// each archive. With SITEWALK_E2E=1, it runs the command in the comment of the archive and compares
// the real output files. UPDATE=1 updates the list. SITEWALK_NODE_MODULES is the folder with the npm packages of generators.
func TestSites(t *testing.T) {
	files, err := filepath.Glob("testdata/sites/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no sites", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			s := newSite(t, file)
			projects, diags := Detect(os.DirFS(s.dir), "", nil)
			if len(projects) != 1 || len(diags) > 0 {
				t.Fatalf("%d projects, findings %v", len(projects), diags)
			}
			s.check(projects[0])
		})
	}
}

// TestEveryGeneratorHasASite checks that testdata/sites has an archive for each generator with
// content files.
func TestEveryGeneratorHasASite(t *testing.T) {
	for _, name := range Names() {
		if projects, _ := Detect(tree(minimal[name]), "", nil); len(projects) == 1 && len(projects[0].Content) == 0 {
			continue
		}
		if all, _ := filepath.Glob("testdata/sites/" + name + "*.txtar"); len(all) == 0 {
			t.Errorf("testdata/sites has no site of %s", name)
		}
	}
}

// A site is an unpacked archive of testdata/sites.
type site struct {
	*testing.T
	file, dir string
	archive   *txtar.Archive
	want      string
}

func newSite(t *testing.T, file string) *site {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{T: t, file: file, dir: t.TempDir(), archive: a}
	for _, f := range a.Files {
		if f.Name == "OUTPUTS" {
			s.want = string(f.Data)
			continue
		}
		name := filepath.Join(s.dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, signed(f), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// signed returns a content file whose body contains its name, so that the output file identifies
// it.
func signed(f txtar.File) []byte {
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

// check compares the output files of the content files with the list in the archive.
func (s *site) check(p Project) {
	said := s.said(p)
	if os.Getenv("SITEWALK_E2E") != "" {
		s.compareReal(p.Publish[0], said)
	}
	if testsite.IsUpdating() {
		s.write(said)
		return
	}
	if said != s.want {
		s.Errorf("outputs are\n%s\nwant\n%s", said, s.want)
	}
}

// said returns a line for each content file, with its output file or the reason why its output
// file is unknown.
func (s *site) said(p Project) string {
	var b strings.Builder
	for _, dir := range p.Content {
		facts := s.facts(dir, p.Front)
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

// facts parses the front matter of all content files in a folder.
func (s *site) facts(dir string, o frontmatter.Conventions) map[string]*page.Facts {
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
		all[filepath.ToSlash(rel)] = s.front(filepath.ToSlash(rel), string(src), o)
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	return all
}

// front parses the front matter of one file.
func (s *site) front(name, src string, o frontmatter.Conventions) *page.Facts {
	f := &page.Facts{}
	if _, err := frontmatter.NewReader(frontmatter.Options{Conventions: o}).Read(strings.NewReader(src), name, f); err != nil || len(f.Diags) > 0 {
		s.Fatal(name, err, f.Diags)
	}
	return f
}

var needs = regexp.MustCompile(`Needs hugo 0\.(\d{3})`)

// hugoMinor returns the minor version of Hugo as three digits.
func hugoMinor(t *testing.T) string {
	out, err := exec.Command("hugo", "version").Output()
	m := regexp.MustCompile(`v0\.(\d{3})`).FindSubmatch(out)
	if err != nil || m == nil {
		t.Fatal("no version of Hugo", err)
	}
	return string(m[1])
}

// built runs the command in the comment of the archive. It returns the output file that contains
// each content file.
func (s *site) built(publish string) map[string]string {
	line, _, _ := strings.Cut(string(s.archive.Comment), "\n")
	args := strings.Fields(strings.TrimPrefix(line, "# "))
	if _, err := exec.LookPath(args[0]); err != nil {
		s.Fatalf("%v; .ci/install installs what this needs, but for the generators of npm", err)
	}
	if m := needs.FindStringSubmatch(string(s.archive.Comment)); m != nil && hugoMinor(s.T) < m[1] {
		s.Fatal("needs Hugo 0." + m[1])
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

// onlySource returns the content file whose body is in an output file. It returns "" if the
// output file contains no body or several bodies, as a list does.
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

// leftOpen matches the reasons for an unknown output file of a content file that the generator
// does convert to a page.
var leftOpen = regexp.MustCompile(`depends on|is a template|is not followed`)

// compareReal compares the expected output files with the files that the generator wrote.
func (s *site) compareReal(publish string, said string) {
	built := s.built(publish)
	seen := map[string]bool{}
	for line := range strings.Lines(said) {
		if source, alias, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " <- "); ok {
			if _, err := os.Stat(filepath.Join(s.dir, publish, alias)); err != nil {
				s.Errorf("%s: said %s, which the generator did not write", source, alias)
			}
			continue
		}
		source, out, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " -> ")
		if !ok {
			source, _, _ = strings.Cut(source, " -- ")
			if built[source] != "" && !leftOpen.MatchString(line) {
				s.Errorf("%s: said %q, the generator wrote %s", source, strings.TrimSpace(line), built[source])
			}
			continue
		}
		seen[source] = true
		if built[source] != out {
			s.Errorf("%s: said %s, the generator wrote %q", source, out, built[source])
		}
	}
	if len(seen) == 0 {
		s.Error("nothing was said")
	}
}

// write updates the list in the archive.
func (s *site) write(said string) {
	s.archive.Files = slices.DeleteFunc(s.archive.Files, func(f txtar.File) bool { return f.Name == "OUTPUTS" })
	s.archive.Files = append(s.archive.Files, txtar.File{Name: "OUTPUTS", Data: []byte(said)})
	if err := os.WriteFile(s.file, txtar.Format(s.archive), 0o666); err != nil {
		s.Fatal(err)
	}
}
