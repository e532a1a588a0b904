package config

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/sitemap"
)

// TestMain runs the tests. With UPDATE set, it first copies sitemap.yaml.example to example.yaml
// and to Example, which was embedded before.
func TestMain(m *testing.M) {
	testsite.SpeedUp()
	if testsite.IsUpdating() {
		src, err := os.ReadFile("../../sitemap.yaml.example")
		if err == nil {
			err = os.WriteFile("example.yaml", src, 0o644)
		}
		if err != nil {
			log.Fatal(err)
		}
		Example = string(src)
	}
	m.Run()
}

// A testProject is a temporary project folder, with the flags and environment variables of a
// command.
type testProject struct {
	t     *testing.T
	dir   string
	flags Flags
	env   map[string]string
}

// newTestProject writes the files to a temporary folder. A name that ends in a slash is an empty
// folder.
func newTestProject(t *testing.T, files map[string]string) *testProject {
	p := &testProject{t: t, dir: t.TempDir(), env: map[string]string{}, flags: Flags{}}
	for name, text := range files {
		p.writeFile(name, text)
	}
	return p
}

func (p *testProject) writeFile(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	folder := filepath.Dir(path)
	if strings.HasSuffix(name, "/") {
		folder = path
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		p.t.Fatal(err)
	}
	if folder == path {
		return
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *testProject) input() Input {
	return Input{
		Flags: p.flags, Dir: p.dir, Now: time.Date(2024, 6, 1, 12, 0, 0, 0, time.UTC),
		Getenv: func(name string) string { return p.env[name] },
	}
}

func (p *testProject) resolve() (*Settings, diag.List, error) {
	return Resolve(p.input())
}

// mustResolve returns the settings of the project. An error ends the test.
func (p *testProject) mustResolve() *Settings {
	p.t.Helper()
	s, diags, err := p.resolve()
	if err != nil {
		p.t.Fatalf("error %v, findings %v", err, diags)
	}
	return s
}

func (p *testProject) setFlag(flag, value string) *testProject {
	p.flags[flag] = []string{value}
	return p
}

// relPath returns path relative to the project folder, with slashes.
func (p *testProject) relPath(path string) string {
	rel, err := filepath.Rel(p.dir, path)
	if err != nil {
		p.t.Fatal(err)
	}
	return filepath.ToSlash(rel)
}

// TestResolveReportsMistakes resolves a project with each settings file in testdata/config. It
// compares the findings and the error with the .txt file of the same name. UPDATE=1 writes the
// .txt files.
func TestResolveReportsMistakes(t *testing.T) {
	files, err := filepath.Glob("testdata/config/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p := newTestProject(t, map[string]string{"sitemap.yaml": string(src), "public/index.html": "", "content/a.md": ""})
			_, diags, err := p.resolve()
			var b strings.Builder
			for _, d := range diags {
				fmt.Fprintln(&b, d)
				if d.Hint != "" {
					fmt.Fprintln(&b, "    hint:", d.Hint)
				}
			}
			fmt.Fprintln(&b, "error:", err)
			got := longList.ReplaceAllString(b.String(), "$1, …")
			testsite.CompareWithFile(t, strings.TrimSuffix(file, ".yaml")+".txt", got)
		})
	}
}

// longList matches a list of keys, values or formats in a message. Only the first two items are
// compared, so that a new key or value does not change the expected files.
var longList = regexp.MustCompile(`((?:the keys here are|is not one of|the formats are) [^,\n;[]+, [^,\n;[]+), [^\n;[]*[^\n;[ ]`)

// TestExampleShowsEveryKey checks that sitemap.yaml.example shows every key and is valid after
// all keys are uncommented. The embedded copy of the file must be equal.
func TestExampleShowsEveryKey(t *testing.T) {
	src, err := os.ReadFile("../../sitemap.yaml.example")
	if err != nil {
		t.Fatal(err)
	}
	if string(src) != Example {
		t.Error("sitemap.yaml.example differs from internal/config/example.yaml; UPDATE=1 go test ./internal/config copies it")
	}
	whole := uncomment(Example)
	p := newTestProject(t, map[string]string{"sitemap.yaml": whole, "public/index.html": "", "content/a.md": ""})
	if _, diags, err := p.resolve(); err != nil || len(diags) > 0 {
		t.Errorf("error %v, findings %v", err, diags)
	}
	for _, key := range Keys() {
		last := key[strings.LastIndexByte(key, '.')+1:]
		if !strings.Contains(whole, last+":") {
			t.Errorf("sitemap.yaml.example does not show %s; after the change, run UPDATE=1 go test ./internal/config", key)
		}
	}
}

// exampleHosts matches the list of hosts in the example's comment.
var exampleHosts = regexp.MustCompile(`(?s)whose URLs and files count: (.*?) \(`)

// TestExampleListsHosts checks that the example lists all values of the key host.
func TestExampleListsHosts(t *testing.T) {
	m := exampleHosts.FindStringSubmatch(Example)
	if m == nil {
		t.Fatal("the example does not list the hosts")
	}
	names := hosting.Names()
	last := len(names) - 1
	want := strings.Join(names[:last], ", ") + ", or " + names[last]
	if got := strings.ReplaceAll(m[1], "\n# ", " "); got != want {
		t.Errorf("the example lists the hosts %q, want %q", got, want)
	}
}

// exampleLine matches a line of YAML after a "#". Prose has exactly one blank after the "#". YAML
// has no blank, or at least two blanks if the line is nested.
var exampleLine = regexp.MustCompile(`^( *)#(\S|  )`)

// uncomment returns example with the "#" removed from the lines of YAML.
func uncomment(example string) string {
	var b strings.Builder
	for line := range strings.Lines(example) {
		b.WriteString(exampleLine.ReplaceAllString(line, "$1$2"))
	}
	return b.String()
}

// TestExampleKeepsDefaults checks that an unchanged copy of the example as sitemap.yaml keeps the
// main settings of several projects and causes no finding.
func TestExampleKeepsDefaults(t *testing.T) {
	netlify := map[string]string{"hugo.toml": hugo, "netlify.toml": "", builtPage: "", "content/a.md": ""}
	for name, test := range map[string]struct {
		files map[string]string
		set   func(*testProject)
	}{
		"folder only": {map[string]string{builtPage: ""}, func(p *testProject) { p.setFlag("base-url", "https://example.internal/") }},
		"Hugo":        {map[string]string{"hugo.toml": hugo + "enableGitInfo = true\ntimeZone = 'Europe/Berlin'\n", builtPage: "", "content/a.md": ""}, nil},
		"Netlify":     {netlify, nil},
		"Jekyll":      {map[string]string{"_config.yml": "url: https://example.internal\n", "_site/index.html": "", "index.md": ""}, nil},
		"content only": {map[string]string{"docs/a.md": "", builtPage: ""}, func(p *testProject) {
			p.setFlag("content", "docs").setFlag("output", "out").setFlag("base-url", "https://example.internal/")
		}},
		"text format only": {netlify, func(p *testProject) { p.setFlag("format", "txt") }},
	} {
		t.Run(name, func(t *testing.T) {
			var got []*Settings
			for _, withExample := range []bool{false, true} {
				p := newTestProject(t, test.files)
				if withExample {
					p.writeFile("sitemap.yaml", Example)
				}
				if test.set != nil {
					test.set(p)
				}
				s, diags, err := p.resolve()
				if err != nil || len(diags) > 0 {
					t.Fatalf("error %v, findings %v", err, diags)
				}
				got = append(got, s)
			}
			without, with := got[0], got[1]
			if without.Site.Style != with.Site.Style || without.Site.Hosting.Name() != with.Site.Hosting.Name() ||
				!slices.Equal(without.Site.LastMod, with.Site.LastMod) || without.Site.Zone.String() != with.Site.Zone.String() ||
				(without.Site.Pages == nil) != (with.Site.Pages == nil) || without.LedgerFrom != with.LedgerFrom {
				t.Errorf("site with the example: got\n%+v\nwant\n%+v", with.Site, without.Site)
			}
			if o := with.Writer; o.MaxURLs != sitemap.MaxURLs || o.MaxBytes != sitemap.DefaultMaxBytes || o.Robots || o.Page != "" || len(o.Groups) > 0 {
				t.Errorf("writer options %+v are not the defaults", o)
			}
		})
	}
}

// TestManualDescribesEveryKey checks that docs/configuration.md mentions every key, and that each
// of its headings with a key names an existing key.
func TestManualDescribesEveryKey(t *testing.T) {
	src, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	keys := Keys()
	described := map[string]bool{}
	for line := range strings.Lines(string(src)) {
		for _, cell := range strings.Split(line, "`")[1:] {
			if slices.Contains(keys, cell) {
				described[cell] = true
			}
		}
		if name, ok := strings.CutPrefix(line, "### `"); ok {
			if name = strings.TrimSuffix(strings.TrimSpace(name), "`"); !slices.Contains(keys, name) {
				t.Errorf("the manual has a section about %s, which is not a key", name)
			}
		}
	}
	for _, key := range keys {
		if rest, ok := strings.CutPrefix(key, "extra."); ok && described["rules."+rest] {
			continue // extra has the same keys as rules
		}
		if !described[key] {
			t.Errorf("docs/configuration.md does not describe %s", key)
		}
	}
}

// FuzzResolve checks that Resolve returns an error for a settings file with an error finding, and
// that the finding has a line.
func FuzzResolve(f *testing.F) {
	f.Add([]byte(Example))
	f.Add([]byte(uncomment(Example)))
	files, _ := filepath.Glob("testdata/config/*.yaml")
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	dir := f.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "public"), 0o755); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if err := os.WriteFile(filepath.Join(dir, "sitemap.yaml"), src, 0o644); err != nil {
			t.Fatal(err)
		}
		s, diags, err := Resolve(Input{Dir: dir, Getenv: func(string) string { return "" }})
		if err == nil && s.Site.Base.String() == "" {
			t.Error("Resolve returned no error for a site without a base URL")
		}
		for _, d := range diags {
			if d.Severity == diag.Error && d.Pos.File == "sitemap.yaml" && (err == nil || d.Pos.Line < 1) {
				t.Errorf("error %v with the finding %v", err, d)
			}
		}
	})
}
