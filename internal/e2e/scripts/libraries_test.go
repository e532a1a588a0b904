package scripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestBuildUsesLibraries builds the sample site with a program that records coverage. It checks
// that the build runs the parsers of adrg/frontmatter and yaml.v3 and the matcher of doublestar.
func TestBuildUsesLibraries(t *testing.T) {
	if testsite.Repeat(0, 1) == 0 {
		t.Skip("the test compiles the program, so it runs only with SITEWALK_THOROUGH=1")
	}
	testsite.ChdirToRoot(t)
	dir := t.TempDir()
	program, counts, site := filepath.Join(dir, "sitewalk.exe"), filepath.Join(dir, "counts"), filepath.Join(dir, "site")
	if err := os.Mkdir(counts, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(site, os.DirFS("testdata/sample")); err != nil {
		t.Fatal(err)
	}
	goTool(t, "build", "-cover", "-coverpkg=.,github.com/adrg/frontmatter,gopkg.in/yaml.v3,github.com/bmatcuk/doublestar/v4", "-o", program, ".")
	cmd := exec.Command(program, "build", "-o", "-")
	cmd.Dir = site
	cmd.Env = append(os.Environ(), "GOCOVERDIR="+counts)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	covered := goTool(t, "tool", "covdata", "func", "-i="+counts)
	for _, function := range []string{
		`adrg/frontmatter/parser\.go:\d+:\s+\*parser\.detect`, `adrg/frontmatter/parser\.go:\d+:\s+\*parser\.extract`,
		`gopkg\.in/yaml\.v3/decode\.go:\d+:\s+\*parser\.parse`, `gopkg\.in/yaml\.v3/decode\.go:\d+:\s+\*parser\.mapping`,
		`doublestar/v4/match\.go:\d+:\s+doMatchWithSeparator`,
	} {
		row := regexp.MustCompile(function + `\s+([\d.]+)%`).FindStringSubmatch(covered)
		if row == nil || row[1] == "0.0" {
			t.Errorf("a build of the sample site does not run %s: %q", function, row)
		}
	}
}

// goTool runs the go command and returns its output.
func goTool(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("go %q: %v\n%s", args, err, out)
	}
	return string(out)
}
