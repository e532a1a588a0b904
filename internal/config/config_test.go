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

// A world is a project's folder and what a command is told there.
type world struct {
	t     *testing.T
	dir   string
	flags Flags
	env   map[string]string
}

// newWorld writes a project; a name that ends in a slash is a folder.
func newWorld(t *testing.T, files map[string]string) *world {
	w := &world{t: t, dir: t.TempDir(), env: map[string]string{}, flags: Flags{}}
	for name, text := range files {
		w.write(name, text)
	}
	return w
}

func (w *world) write(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	folder := filepath.Dir(path)
	if strings.HasSuffix(name, "/") {
		folder = path
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		w.t.Fatal(err)
	}
	if folder == path {
		return
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) input() Input {
	return Input{
		Flags: w.flags, Dir: w.dir, Now: time.Date(2024, 6, 1, 12, 0, 0, 0, time.UTC),
		Getenv: func(name string) string { return w.env[name] },
	}
}

func (w *world) resolve() (*Settings, diag.List, error) {
	return Resolve(w.input())
}

// settings resolves what must have no mistake.
func (w *world) settings() *Settings {
	w.t.Helper()
	s, diags, err := w.resolve()
	if err != nil {
		w.t.Fatalf("%v\n%v", err, diags)
	}
	return s
}

func (w *world) set(flag, value string) *world {
	w.flags[flag] = []string{value}
	return w
}

// rel shows a path below the world's folder.
func (w *world) rel(path string) string {
	rel, err := filepath.Rel(w.dir, path)
	if err != nil {
		w.t.Fatal(err)
	}
	return filepath.ToSlash(rel)
}

// TestFiles resolves each file of testdata/config as the sitemap.yaml of a small
// project and compares what is found wrong with the .txt file beside it.
// UPDATE=1 writes those files.
func TestFiles(t *testing.T) {
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
			w := newWorld(t, map[string]string{"sitemap.yaml": string(src), "public/index.html": "", "content/a.md": ""})
			_, diags, err := w.resolve()
			var b strings.Builder
			for _, d := range diags {
				fmt.Fprintln(&b, d)
				if d.Hint != "" {
					fmt.Fprintln(&b, "    hint:", d.Hint)
				}
			}
			fmt.Fprintln(&b, "error:", err)
			got := lists.ReplaceAllString(b.String(), "$1, …")
			testsite.CompareWithFile(t, strings.TrimSuffix(file, ".yaml")+".txt", got)
		})
	}
}

// lists are what a mistake names besides what is wrong, such as all keys. A new one
// changes no file of what is expected.
var lists = regexp.MustCompile(`((?:the keys here are|is not one of|the formats are) [^,\n;[]+, [^,\n;[]+), [^\n;[]*[^\n;[ ]`)

// TestExample checks that the example file shows every key, that it is valid with every key
// uncommented, and that init writes from an equal copy.
func TestExample(t *testing.T) {
	src, err := os.ReadFile("../../sitemap.yaml.example")
	if err != nil {
		t.Fatal(err)
	}
	if string(src) != Example {
		t.Error("sitemap.yaml.example differs from internal/config/example.yaml; UPDATE=1 go test ./internal/config copies it")
	}
	whole := uncomment(Example)
	w := newWorld(t, map[string]string{"sitemap.yaml": whole, "public/index.html": "", "content/a.md": ""})
	if _, diags, err := w.resolve(); err != nil || len(diags) > 0 {
		t.Errorf("%v\n%v", err, diags)
	}
	for _, key := range Keys() {
		last := key[strings.LastIndexByte(key, '.')+1:]
		if !strings.Contains(whole, last+":") {
			t.Errorf("the example does not show %s", key)
		}
	}
}

// exampleHosts matches the list of hosts in the example's comment.
var exampleHosts = regexp.MustCompile(`(?s)whose URLs and files count: (.*?) \(`)

// TestExampleHosts checks that the example names all values of host.
func TestExampleHosts(t *testing.T) {
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

// exampleLine matches a line of YAML behind a "#". Prose has one blank after the "#". A line of
// YAML has none, or at least two below a key.
var exampleLine = regexp.MustCompile(`^( *)#(\S|  )`)

// uncomment returns example with the "#" removed from the lines of YAML.
func uncomment(example string) string {
	var b strings.Builder
	for line := range strings.Lines(example) {
		b.WriteString(exampleLine.ReplaceAllString(line, "$1$2"))
	}
	return b.String()
}

// TestExampleLiterally takes the example file as it is for the sitemap.yaml of
// several projects. What it leaves active is the default: nothing becomes
// another, and nothing is said.
func TestExampleLiterally(t *testing.T) {
	netlify := map[string]string{"hugo.toml": hugo, "netlify.toml": "", built: "", "content/a.md": ""}
	for name, test := range map[string]struct {
		files map[string]string
		set   func(*world)
	}{
		"a folder": {map[string]string{built: ""}, func(w *world) { w.set("base-url", "https://example.internal/") }},
		"Hugo":     {map[string]string{"hugo.toml": hugo + "enableGitInfo = true\ntimeZone = 'Europe/Berlin'\n", built: "", "content/a.md": ""}, nil},
		"Netlify":  {netlify, nil},
		"Jekyll":   {map[string]string{"_config.yml": "url: https://example.internal\n", "_site/index.html": "", "index.md": ""}, nil},
		"content alone": {map[string]string{"docs/a.md": "", built: ""}, func(w *world) {
			w.set("content", "docs").set("output", "out").set("base-url", "https://example.internal/")
		}},
		"text alone": {netlify, func(w *world) { w.set("format", "txt") }},
	} {
		t.Run(name, func(t *testing.T) {
			var got []*Settings
			for _, literal := range []bool{false, true} {
				w := newWorld(t, test.files)
				if literal {
					w.write("sitemap.yaml", Example)
				}
				if test.set != nil {
					test.set(w)
				}
				s, diags, err := w.resolve()
				if err != nil || len(diags) > 0 {
					t.Fatal(err, diags)
				}
				got = append(got, s)
			}
			bare, literal := got[0], got[1]
			if bare.Site.Style != literal.Site.Style || bare.Site.Hosting.Name() != literal.Site.Hosting.Name() ||
				!slices.Equal(bare.Site.LastMod, literal.Site.LastMod) || bare.Site.Zone.String() != literal.Site.Zone.String() ||
				(bare.Site.Pages == nil) != (literal.Site.Pages == nil) || bare.LedgerFrom != literal.LedgerFrom {
				t.Errorf("got\n%+v\nwithout the file\n%+v", literal.Site, bare.Site)
			}
			if o := literal.Writer; o.MaxURLs != sitemap.MaxURLs || o.MaxBytes != sitemap.DefaultMaxBytes || o.Robots || o.Page != "" || len(o.Groups) > 0 {
				t.Errorf("writes by %+v", o)
			}
		})
	}
}

// TestManual holds docs/configuration.md to describe every key and no other.
func TestManual(t *testing.T) {
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
				t.Errorf("the manual describes %s, which is no key", name)
			}
		}
	}
	for _, key := range keys {
		if rest, ok := strings.CutPrefix(key, "extra."); ok && described["rules."+rest] {
			continue // the same fields
		}
		if !described[key] {
			t.Errorf("the manual does not describe %s", key)
		}
	}
}

func FuzzLoad(f *testing.F) {
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
		s, diags, err := Resolve(Input{Dir: dir})
		if err == nil && s.Site.Base.String() == "" {
			t.Error("resolved without a base URL")
		}
		for _, d := range diags {
			if d.Severity == diag.Error && d.Pos.File == "sitemap.yaml" && (err == nil || d.Pos.Line < 1) {
				t.Errorf("%v, and the error is %v", d, err)
			}
		}
	})
}
