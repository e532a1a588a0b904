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

// sitewalk is the path of the program under test.
var sitewalk string

func TestMain(m *testing.M) { os.Exit(runTests(m)) }

// runTests builds the program, runs the tests, and returns the exit code.
func runTests(m *testing.M) int {
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

// toolPath returns the path of a program that .ci/install installs. The test fails if the program
// is missing.
func toolPath(t *testing.T, name string) string {
	t.Helper()
	if tools := os.Getenv("SITEWALK_TOOLS"); tools != "" {
		if p := filepath.Join(tools, "bin", name); fileExists(p) {
			return p
		}
	}
	p, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%v; run .ci/install to install it", err)
	}
	return p
}

// npmDir returns the folder in which .ci/install installs the npm packages.
func npmDir(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(os.Getenv("SITEWALK_TOOLS"), "npm")
	if !fileExists(filepath.Join(dir, "node_modules")) {
		t.Fatalf("%s has no node_modules; run .ci/install with SITEWALK_TOOLS set", dir)
	}
	return dir
}

func fileExists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// run runs a program in dir and returns its standard output. The test fails if the program fails.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	out, stderr, err := tryRun(t, dir, nil, name, args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", filepath.Base(name), strings.Join(args, " "), err, out, stderr)
	}
	return out
}

// tryRun runs a program that may fail. env has additional environment variables.
func tryRun(t *testing.T, dir string, env []string, name string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(cleanEnv(), env...)
	var outBuf, errBuf strings.Builder
	cmd.Stdout, cmd.Stderr = &outBuf, &errBuf
	err = testsite.RunAndReap(cmd)
	return outBuf.String(), errBuf.String(), err
}

// cleanEnv returns the environment without the variables of CI and of hosting platforms.
func cleanEnv() []string {
	return slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		for _, prefix := range []string{"NETLIFY", "VERCEL", "CF_PAGES", "GITHUB_", "SITEWALK_B", "SOURCE_DATE_EPOCH"} {
			if strings.HasPrefix(name, prefix) {
				return true
			}
		}
		return name == "CI" || name == "URL"
	})
}

// writeFile writes a file below dir and creates its folders.
func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// copyTree copies a folder of testdata to a temporary folder and returns it.
func copyTree(t *testing.T, from string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	apostrophe := filepath.Join(dir, "content/guide/apostrophe.md")
	if fileExists(apostrophe) { // no file of a Go module may have an apostrophe in its name
		if err := os.Rename(apostrophe, filepath.Join(filepath.Dir(apostrophe), "it's.md")); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// buildOnce calls build, which builds the site with this name in dir. If another test has built
// the site already, buildOnce copies its publish directory instead.
func buildOnce(t *testing.T, name, dir, publish string, build func()) {
	t.Helper()
	from, to := filepath.Join(filepath.Dir(sitewalk), "built", name), filepath.Join(dir, filepath.FromSlash(publish))
	if !fileExists(from) {
		build()
		from, to = to, from
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// An entry is an entry of a sitemap.
type entry struct {
	Loc        string `xml:"loc"`
	LastMod    string `xml:"lastmod"`
	Alternates []struct {
		Lang string `xml:"hreflang,attr"`
		Href string `xml:"href,attr"`
	} `xml:"http://www.w3.org/1999/xhtml link"`
}

// readEntries reads a sitemap with encoding/xml.
func readEntries(t *testing.T, file string) []entry {
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
		t.Fatalf("%s: the root element is %s, want urlset", file, set.XMLName.Local)
	}
	return set.URLs
}

// sortedLocs returns the sorted URLs of entries.
func sortedLocs(es []entry) []string {
	out := make([]string, len(es))
	for i, e := range es {
		out[i] = e.Loc
	}
	slices.Sort(out)
	return out
}

// datesByLoc returns the lastmod dates of entries by URL.
func datesByLoc(es []entry) map[string]string {
	out := make(map[string]string, len(es))
	for _, e := range es {
		out[e.Loc] = e.LastMod
	}
	return out
}

// explainReason returns the reason that "sitewalk explain" gives for an excluded URL. It returns ""
// if the URL is listed.
func explainReason(t *testing.T, dir, loc string, args ...string) string {
	t.Helper()
	out, stderr, err := tryRun(t, dir, nil, sitewalk, append([]string{"explain", "--json", loc}, args...)...)
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

// difference returns the strings of a that are not in b.
func difference(a, b []string) []string {
	var out []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return out
}
