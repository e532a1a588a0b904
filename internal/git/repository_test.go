package git_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

func TestMain(m *testing.M) {
	testsite.SpeedUp()
	dir, err := os.MkdirTemp("", "sitewalk-repositories")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	models.dir = dir
	// Ignore the git configuration of the user who runs the tests.
	os.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	os.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	// The tests mostly wait for git, so run more of them in parallel. The flag -parallel overrides
	// the number.
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	m.Run()
}

// models contains a folder for each model repository. Tests copy a model, because creating a
// repository starts several processes.
var models struct {
	sync.Mutex
	dir string
}

// model returns the folder of the model with this name. It creates the model if necessary.
func model(tb testing.TB, name string, make func(r *repository)) string {
	tb.Helper()
	models.Lock()
	defer models.Unlock()
	dir := filepath.Join(models.dir, name)
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		tb.Fatal(err)
	}
	make(&repository{tb: tb, dir: dir})
	return dir
}

// copyModel returns a copy of the git directory of a model.
func copyModel(tb testing.TB, model string) *repository {
	tb.Helper()
	r := &repository{tb: tb, dir: realDir(tb)}
	if err := os.CopyFS(filepath.Join(r.dir, ".git"), os.DirFS(filepath.Join(model, ".git"))); err != nil {
		tb.Fatal(err)
	}
	return r
}

// A repository is a git repository that one test uses.
type repository struct {
	tb  testing.TB
	dir string
}

func requireGit(tb testing.TB) {
	tb.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		tb.Skip("git is not installed")
	}
}

func newRepository(tb testing.TB) *repository {
	tb.Helper()
	requireGit(tb)
	return copyModel(tb, model(tb, "new", func(r *repository) {
		r.git("init", "-q", "-b", "main", "--template=")
		if err := os.Mkdir(filepath.Join(r.dir, ".git", "info"), 0o777); err != nil {
			tb.Fatal(err)
		}
	}))
}

// realDir returns a new folder. Its path contains no symbolic links.
func realDir(tb testing.TB) string {
	tb.Helper()
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	return dir
}

func (r *repository) git(args ...string) string {
	r.tb.Helper()
	return r.gitIn(nil, nil, args...)
}

func (r *repository) gitIn(stdin []byte, env []string, args ...string) string {
	r.tb.Helper()
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always", "-c", "maintenance.auto=false", "-c", "gc.auto=0", "-c", "user.name=A", "-c", "user.email=a@example.com"}, args...)...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin = bytes.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.tb.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r *repository) write(name, content string) {
	r.tb.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		r.tb.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		r.tb.Fatal(err)
	}
}

// commit commits all files with an author date and a committer date.
func (r *repository) commit(author, committer string) {
	r.tb.Helper()
	r.git("add", "-A")
	r.gitIn(nil, []string{"GIT_AUTHOR_DATE=" + author, "GIT_COMMITTER_DATE=" + committer},
		"commit", "-q", "--allow-empty", "-m", "a change")
}

// add writes a file and commits it on a day of 2024, such as "05-17".
func (r *repository) add(day, name, content string) {
	r.tb.Helper()
	r.write(name, content)
	r.commitOn(day)
}

// commitOn commits all files on a day of 2024, such as "05-17".
func (r *repository) commitOn(day string) {
	r.tb.Helper()
	at := "2024-" + day + "T12:00:00+00:00"
	r.commit(at, at)
}

// clone returns a clone that was made with the file protocol, without the shortcuts for a local
// clone.
func (r *repository) clone(args ...string) *repository {
	r.tb.Helper()
	c := &repository{tb: r.tb, dir: filepath.Join(realDir(r.tb), "clone")}
	r.git("config", "uploadpack.allowFilter", "true")
	r.git(append(append([]string{"clone", "-q", "--no-local"}, args...), "file://"+filepath.ToSlash(r.dir), c.dir)...)
	return c
}

// readDates returns the results for files, and the findings.
func readDates(ctx context.Context, names []string, o git.Options) (map[string]git.Result, diag.List) {
	a := new(git.Dates).Query(ctx, names, o)
	return a.Results, a.Trouble
}

// requireDates compares the result for each file with a date, or with the beginning of the reason
// for no date.
func (r *repository) requireDates(o git.Options, want map[string]string) diag.List {
	r.tb.Helper()
	o.Dir = r.dir
	var names []string
	for name := range want {
		names = append(names, name)
	}
	got, diags := readDates(context.Background(), names, o)
	if len(got) != len(want) {
		r.tb.Errorf("got %d results, want %d", len(got), len(want))
	}
	for name, w := range want {
		if g := got[name]; g.Date.IsZero() == (g.Why == "") {
			r.tb.Errorf("%q: got date %v and reason %q, want one of them", name, g.Date, g.Why)
		} else if s := g.Date.String() + g.Why; !strings.HasPrefix(s, w) {
			r.tb.Errorf("%q: got %s, want %s", name, s, w)
		}
	}
	return diags
}

// requireNoFindings checks that there are no findings.
func requireNoFindings(tb testing.TB, diags diag.List) {
	tb.Helper()
	for _, d := range diags {
		tb.Errorf("unexpected finding: %s", d)
	}
}

// requireFinding checks that there is exactly one finding, with the given code and a hint that
// contains hint.
func requireFinding(tb testing.TB, diags diag.List, code, hint string) {
	tb.Helper()
	if len(diags) != 1 {
		tb.Fatalf("got %d findings, want 1: %v", len(diags), diags)
	}
	if d := diags[0]; d.Code != code || !strings.Contains(d.Hint, hint) {
		tb.Errorf("got finding %s (%s), want code %s with hint %q", d, d.Hint, code, hint)
	}
}
