//go:build e2e

package e2e

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// sitewalk is the binary under test, built once.
var sitewalk string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "sitewalk-e2e")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer os.RemoveAll(dir)
	sitewalk = filepath.Join(dir, "sitewalk")
	build := exec.Command("go", "build", "-o", sitewalk, "github.com/sitewalk/sitewalk")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		return 2
	}
	return m.Run()
}

// tool returns the path of a program that the suite needs; without it the test
// fails, because .ci/install brings it.
func tool(t *testing.T, name string) string {
	t.Helper()
	if tools := os.Getenv("SITEWALK_TOOLS"); tools != "" {
		if p := filepath.Join(tools, "bin", name); exists(p) {
			return p
		}
	}
	p, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%v; .ci/install installs what this suite needs", err)
	}
	return p
}

// npmDir returns the folder in which .ci/install put the npm packages.
func npmDir(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(os.Getenv("SITEWALK_TOOLS"), "npm")
	if !exists(filepath.Join(dir, "node_modules")) {
		t.Fatalf("%s has no node_modules; run .ci/install with SITEWALK_TOOLS set", dir)
	}
	return dir
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// do runs a program in dir and returns what it printed on standard output.
func do(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	out, stderr, err := try(t, dir, nil, name, args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", filepath.Base(name), strings.Join(args, " "), err, out, stderr)
	}
	return out
}

// try is do for a program that may fail, with additions to the environment.
func try(t *testing.T, dir string, env []string, name string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(cleanEnv(), env...)
	var o, e strings.Builder
	cmd.Stdout, cmd.Stderr = &o, &e
	err = testsite.RunAndReap(cmd)
	return o.String(), e.String(), err
}

// cleanEnv is the environment without what names a platform or a run of CI.
func cleanEnv() []string {
	return slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		for _, p := range []string{"CI", "NETLIFY", "VERCEL", "CF_PAGES", "GITHUB_", "SITEWALK_B", "SOURCE_DATE_EPOCH", "URL"} {
			if name == p || strings.HasPrefix(name, p) && p != "URL" && p != "CI" {
				return true
			}
		}
		return false
	})
}

// write makes a file with its folders.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// copyTree copies a folder of testdata to a fresh one.
func copyTree(t *testing.T, from string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	named := filepath.Join(dir, "content/guide/apostrophe.md") // as no file of a Go module may be named
	if exists(named) {
		if err := os.Rename(named, filepath.Join(filepath.Dir(named), "it's.md")); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// buildOnce lets a generator build a site in dir. Another test that builds the site of
// this name gets a copy of what was published.
func buildOnce(t *testing.T, name, dir, publish string, build func()) {
	t.Helper()
	from, to := filepath.Join(filepath.Dir(sitewalk), "built", name), filepath.Join(dir, filepath.FromSlash(publish))
	if !exists(from) {
		build()
		from, to = to, from
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// An entry is what a sitemap says of one page.
type entry struct {
	Loc        string `xml:"loc"`
	LastMod    string `xml:"lastmod"`
	Alternates []struct {
		Lang string `xml:"hreflang,attr"`
		Href string `xml:"href,attr"`
	} `xml:"http://www.w3.org/1999/xhtml link"`
}

// entries reads a sitemap with the standard library alone.
func entries(t *testing.T, file string) []entry {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var set struct {
		XMLName xml.Name
		URLs    []entry `xml:"url"`
	}
	if err := xml.Unmarshal(src, &set); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if set.XMLName.Local != "urlset" {
		t.Fatalf("%s is a %s", file, set.XMLName.Local)
	}
	return set.URLs
}

func locs(es []entry) []string {
	out := make([]string, len(es))
	for i, e := range es {
		out[i] = e.Loc
	}
	slices.Sort(out)
	return out
}

func dates(es []entry) map[string]string {
	out := make(map[string]string, len(es))
	for _, e := range es {
		out[e.Loc] = e.LastMod
	}
	return out
}

// reasonOf asks explain why a URL is out; "" when it is listed.
func reasonOf(t *testing.T, dir, loc string, args ...string) string {
	t.Helper()
	out, stderr, err := try(t, dir, nil, sitewalk, append([]string{"explain", "--json", loc}, args...)...)
	var report struct {
		Explanations []struct {
			Listed  bool
			Verdict struct{ Reason string }
		}
	}
	jerr := json.Unmarshal([]byte(out), &report)
	es := report.Explanations
	if jerr != nil || len(es) != 1 {
		t.Fatalf("explain %s: %v %v\n%s", loc, err, jerr, stderr)
	}
	if es[0].Listed {
		return ""
	}
	return es[0].Verdict.Reason
}

// missing returns what is in a and not in b.
func missing(a, b []string) []string {
	var out []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return out
}
