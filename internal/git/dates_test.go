package git_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

func TestReadDatesKeepsZones(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write("a.md", "a")
	r.commit("2024-01-02T03:04:05+05:45", "2024-02-03T04:05:06-03:00")
	r.write("b.md", "b")
	r.commit("2024-01-03T00:00:00+00:00", "2024-02-04T00:00:00+00:00")
	requireNoFindings(t, r.requireDates(git.Options{}, map[string]string{
		"a.md": "2024-01-02T03:04:05+05:45", "b.md": "2024-01-03T00:00:00Z",
	}))
	requireNoFindings(t, r.requireDates(git.Options{Committer: true}, map[string]string{
		"a.md": "2024-02-03T04:05:06-03:00", "b.md": "2024-02-04T00:00:00Z",
	}))
}

func TestReadDatesUsesLastChange(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.add("01-01", "a.md", "a")
	r.add("01-02", "deep/er/b.md", "b")
	r.add("01-03", "a.md", "a, changed")
	r.add("01-04", "c.md", "c")
	if err := os.Remove(filepath.Join(r.dir, "c.md")); err != nil {
		t.Fatal(err)
	}
	r.commitOn("01-05")
	r.add("01-06", "c.md", "c")
	requireNoFindings(t, r.requireDates(git.Options{}, map[string]string{
		"a.md": "2024-01-03", "deep/er/b.md": "2024-01-02", "c.md": "2024-01-06",
		filepath.Join(r.dir, "a.md"): "2024-01-03",
		"./deep/../a.md":             "2024-01-03",
	}))
}

func TestReadDatesIgnoresMerges(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.add("01-01", "a.md", "1\n2\n3\n4\n5\n6\n7\n8\n9\n")
	r.git("checkout", "-q", "-b", "side")
	r.add("01-02", "a.md", "1\n2\n3\n4\n5\n6\n7\n8\nnine\n")
	r.add("01-03", "b.md", "b")
	r.git("checkout", "-q", "main")
	r.add("01-04", "a.md", "one\n2\n3\n4\n5\n6\n7\n8\n9\n")
	r.gitIn(nil, []string{"GIT_AUTHOR_DATE=2024-01-09T12:00:00Z", "GIT_COMMITTER_DATE=2024-01-09T12:00:00Z"},
		"merge", "-q", "--no-edit", "side")
	requireNoFindings(t, r.requireDates(git.Options{}, map[string]string{"a.md": "2024-01-04", "b.md": "2024-01-03"}))
}

func TestReadDatesOfFileAddedByMerge(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.add("01-01", "a.md", "a")
	r.git("checkout", "-q", "-b", "side")
	r.add("01-02", "b.md", "b")
	r.git("checkout", "-q", "main")
	r.add("01-03", "c.md", "c")
	r.git("merge", "-q", "--no-commit", "side")
	r.add("01-04", "made.md", "made")
	requireNoFindings(t, r.requireDates(git.Options{}, map[string]string{"made.md": "changed by merges only", "b.md": "2024-01-02"}))
}

func TestReadDatesOfFileKeptByMerge(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.add("01-01", "a.md", "a")
	r.git("checkout", "-q", "-b", "side")
	r.git("rm", "-q", "a.md")
	r.commitOn("01-03")
	r.git("checkout", "-q", "main")
	r.add("01-02", "b.md", "b")
	r.gitIn(nil, []string{"GIT_COMMITTER_DATE=2024-01-09T12:00:00Z"}, "merge", "-q", "-s", "ours", "--no-edit", "side")
	requireNoFindings(t, r.requireDates(git.Options{}, map[string]string{"a.md": "2024-01-01"}))
}

func TestReadDatesFollowsPureRenames(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.add("01-01", "old/a.md", "the same words")
	r.add("01-02", "old/b.md", "other words, quite a few of them, to be similar\n")
	r.add("01-03", "first.md", "first")
	r.git("mv", "old/a.md", "a.md")
	r.commitOn("02-01")
	r.git("mv", "a.md", "new-a.md")
	r.git("mv", "old/b.md", "b.md")
	r.write("b.md", "other words, quite a few of them, to be similar!\n")
	r.commitOn("02-02")
	r.git("mv", "first.md", "second.md")
	r.commitOn("02-03")
	r.add("02-04", "old/a.md", "new words under an old name")
	requireNoFindings(t, r.requireDates(git.Options{}, map[string]string{
		"new-a.md": "2024-01-01", "second.md": "2024-01-03", "b.md": "2024-02-02", "old/a.md": "2024-02-04",
	}))
}

// TestReadDatesIgnoresRenamesOfEmptyFiles checks that a new empty file is not a renamed empty file.
func TestReadDatesIgnoresRenamesOfEmptyFiles(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.add("01-01", "gone.md", "")
	r.git("rm", "-q", "gone.md")
	r.add("01-02", "new.md", "")
	requireNoFindings(t, r.requireDates(git.Options{}, map[string]string{"new.md": "2024-01-02"}))
}

func TestReadDatesAcceptsHostileNames(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not allow such names")
	}
	names := []string{
		"-n1", "--help", "--output=pwned", ":(glob)**", ":!a", "*", "a b", " a", "new\nline", "tab\t", `"quoted"`,
		"back\\slash", "übung.md", "日本語.md", "e\u0301.md", "\xff\xfe.md", "\x01" + "0000000000000000000000000000000000000000 0 +0000",
		"A", "R100", "M\n", "HEAD", "main", "\n", "~", "$(touch pwned)",
	}
	r := newRepository(t)
	for _, n := range names {
		r.write(n, "older content of "+n)
	}
	r.commitOn("01-01")
	r.add("01-01", "plain", "plain")
	want := map[string]string{"plain": "2024-01-01"}
	for _, n := range names {
		r.write(n, "content of "+n)
		want[n] = "2024-01-02"
	}
	r.commitOn("01-02")
	requireNoFindings(t, r.requireDates(git.Options{}, want))

	delete(want, "plain")
	for _, n := range names {
		if err := os.Rename(filepath.Join(r.dir, n), filepath.Join(r.dir, "moved"+n)); err != nil {
			t.Fatal(err)
		}
		delete(want, n)
		want["moved"+n] = "2024-01-02"
	}
	r.commitOn("01-03")
	requireNoFindings(t, r.requireDates(git.Options{}, want))
	if _, err := os.Stat(filepath.Join(r.dir, "pwned")); err == nil {
		t.Error("a file name was executed as a command")
	}
}

func TestReadDatesSkipsEditedFiles(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	for _, n := range []string{"edited", "staged", "both", "gone", "removed", "kept", "mode"} {
		r.add("01-01", n, n)
	}
	r.write("edited", "something else")
	r.write("staged", "something else")
	r.write("added", "new")
	r.git("add", "staged", "added")
	r.write("both", "something else")
	r.git("add", "both")
	r.write("both", "both")
	r.write("untracked", "new")
	r.git("rm", "-q", "--cached", "removed")
	if err := os.Remove(filepath.Join(r.dir, "gone")); err != nil {
		t.Fatal(err)
	}
	r.write("kept", "kept") // written again, unchanged
	const changed, unknown = "edited since the last commit", "not tracked by git"
	requireNoFindings(t, r.requireDates(git.Options{}, map[string]string{
		"edited": changed, "staged": changed, "gone": changed, "both": "2024-01-01",
		"added": unknown, "untracked": unknown, "never": unknown, "removed": "2024-01-01", "kept": "2024-01-01",
	}))
}

// TestEditedFilesKeepDateOfLastCommit checks that Result.After of an edited file is the date of
// its last commit.
func TestEditedFilesKeepDateOfLastCommit(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write("edited", "the first version")
	r.commitOn("01-01")
	r.add("02-01", "edited", "something else")
	r.write("edited", "something else again")
	r.write("added", "new")
	r.git("add", "added")
	got, diags := readDates(t.Context(), []string{"edited", "added"}, git.Options{Dir: r.dir})
	requireNoFindings(t, diags)
	const second = "2024-02-01T12:00:00Z"
	for name, want := range map[string][2]string{
		"edited": {"", second}, "added": {"", ""},
	} {
		if g := got[name]; g.Date.String() != want[0] || g.After.String() != want[1] || (g.Why == "") != (want[0] != "") {
			t.Errorf("%s: got %+v, want the date %q, after %q", name, g, want[0], want[1])
		}
	}
}

// TestReadDatesStopsAtShallowBoundary checks a file that last changed before the boundary of a
// shallow clone. The file has no date. Result.After is the date of the boundary commit, or empty if
// the clone has only one commit.
func TestReadDatesStopsAtShallowBoundary(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.add("01-01", "old", "old")
	r.add("02-01", "new", "new")
	r.add("03-01", "newer", "newer")
	for depth, want := range map[string]string{"1": "", "2": "2024-02-01T12:00:00Z"} {
		c := r.clone("--depth=" + depth)
		got, _ := readDates(t.Context(), []string{"old"}, git.Options{Dir: c.dir})
		if g := got["old"]; g.After.String() != want || !g.Date.IsZero() {
			t.Errorf("depth %s: got %+v, want after %q", depth, g, want)
		}
	}
}

func TestReadDatesWithoutCommits(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write("a", "a")
	r.write("b", "b")
	r.git("add", "a")
	requireNoFindings(t, r.requireDates(git.Options{}, map[string]string{"a": "not tracked by git", "b": "not tracked"}))
}

func TestReadDatesOutsideRepositories(t *testing.T) {
	t.Parallel()
	requireGit(t)
	r := &repository{tb: t, dir: realDir(t)}
	r.write("a", "a")
	requireNoFindings(t, r.requireDates(git.Options{Git: "no-such-git"}, map[string]string{"a": "outside any git repository", "no/such": "outside"}))
}

func TestReadDatesOfNestedRepositories(t *testing.T) {
	t.Parallel()
	theme := newRepository(t)
	theme.add("01-05", "theme.md", "theme")
	r := newRepository(t)
	r.add("01-01", "a.md", "a")
	r.git("submodule", "add", "-q", "file://"+filepath.ToSlash(theme.dir), "themes/t")
	r.commitOn("01-02")
	r.git("init", "-q", "-b", "main", "nested")
	nested := &repository{tb: t, dir: filepath.Join(r.dir, "nested")}
	nested.add("01-03", "n.md", "n")
	r.git("branch", "pages")
	r.git("worktree", "add", "-q", "public", "pages")
	public := &repository{tb: t, dir: filepath.Join(r.dir, "public")}
	public.add("01-04", "p.md", "p")
	requireNoFindings(t, r.requireDates(git.Options{}, map[string]string{
		"a.md": "2024-01-01", "themes/t/theme.md": "2024-01-05", "nested/n.md": "2024-01-03",
		"public/p.md": "2024-01-04", "public/a.md": "2024-01-01", "../elsewhere": "outside",
		filepath.Join(theme.dir, "theme.md"): "2024-01-05",
	}))
}

func TestReadDatesIgnoresStrayGitFolder(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.add("01-01", "content/a.md", "a")
	if err := os.Mkdir(filepath.Join(r.dir, "content", ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	requireNoFindings(t, r.requireDates(git.Options{}, map[string]string{"content/a.md": "2024-01-01"}))
}

func TestReadDatesOfLinkTargets(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.add("01-01", "docs/a.md", "a")
	for link, target := range map[string]string{"content": "docs", "link.md": "docs/a.md", "dead.md": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(r.dir, link)); err != nil {
			t.Skip(err)
		}
	}
	r.commitOn("01-02")
	requireNoFindings(t, r.requireDates(git.Options{}, map[string]string{
		"content/a.md": "2024-01-01", "link.md": "2024-01-01", "dead.md": "a broken symbolic link",
	}))
}

// TestReadDatesSkipsImpossibleDates checks that a date with an impossible time zone is read as UTC,
// and that the committer date replaces an impossible author date.
func TestReadDatesSkipsImpossibleDates(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.git("commit", "-q", "--allow-empty", "-m", "first")
	stream := `commit refs/heads/main
author A <a@example.com> 1700000000 +1900
committer A <a@example.com> 1700000000 +1900
data 1
x
M 100644 inline zone.md
data 1
x

commit refs/heads/main
author A <a@example.com> 999999999999 +0000
committer A <a@example.com> 1700000000 +0000
data 1
x
M 100644 inline far.md
data 1
x

`
	r.gitIn([]byte(stream), nil, "-c", "core.ignoreCase=false", "fast-import", "--quiet", "--force", "--date-format=raw-permissive")
	r.git("reset", "-q", "--hard", "main")
	requireNoFindings(t, r.requireDates(git.Options{}, map[string]string{
		"zone.md": "2023-11-14T22:13:20Z", "far.md": "2023-11-14T22:13:20Z",
	}))
}

// TestReadDatesSkipsUnreadableDates creates commits with an invalid author or committer date. Their
// other date must be used, and the dates of other commits must not change.
func TestReadDatesSkipsUnreadableDates(t *testing.T) {
	t.Parallel()
	const good, third = "1700000000 +0200", "1704283200 +0000" // the latter is 2024-01-03
	r := newRepository(t)
	r.add("01-01", "first.md", "first")
	first := r.git("rev-parse", "HEAD")
	var trees []string
	for _, name := range []string{"odd", "last"} {
		r.write(name+".md", name)
		r.git("add", ".")
		trees = append(trees, r.git("write-tree"))
	}
	for _, date := range []string{
		"", "garbage", "-5 +0000", "1700000000", "1700000000 ", "0 +0000", "99999999999999999999 +0000", "999999999999 +0000", good,
	} {
		for _, committer := range []bool{false, true}[:testsite.Repeat(1, 2)] {
			author, other := date, good
			if committer {
				author, other = good, date
			}
			odd := r.writeCommit(trees[0], first, author, other)
			overwrite(r, ".git/refs/heads/main", r.writeCommit(trees[1], odd, third, third)+"\n")
			o := git.Options{Committer: committer}
			requireNoFindings(t, r.requireDates(o, map[string]string{"last.md": "2024-01-03"}))
			requireNoFindings(t, r.requireDates(o, map[string]string{"first.md": "2024-01-01", "odd.md": "2023-11-15T00:13:20+02:00", "last.md": "2024-01-03"}))
		}
	}
}

func TestReadDatesSkipsCommitsWithoutDate(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.add("01-01", "first.md", "first")
	for _, name := range []string{"a.md", "b.md"} {
		r.write(name, name)
		r.git("add", ".")
		r.commitWithDates("", "never")
	}
	requireNoFindings(t, r.requireDates(git.Options{}, map[string]string{
		"first.md": "2024-01-01", "a.md": "its commit has no readable date", "b.md": "its commit has no readable date",
	}))
}

// commitWithDates commits the index. The dates of author and committer may be invalid.
func (r *repository) commitWithDates(author, committer string) {
	r.tb.Helper()
	r.git("reset", "-q", "--soft", r.writeCommit(r.git("write-tree"), r.git("rev-parse", "HEAD"), author, committer))
}

// writeCommit writes a commit object without adding it to a branch.
func (r *repository) writeCommit(tree, parent, author, committer string) string {
	r.tb.Helper()
	commit := fmt.Sprintf("tree %s\nparent %s\nauthor A <a@example.com> %s\ncommitter C <c@example.com> %s\n\nx\n",
		tree, parent, author, committer)
	return r.gitIn([]byte(commit), nil, "hash-object", "-t", "commit", "-w", "--stdin", "--literally")
}
