package git_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sitewalk/sitewalk/internal/git"
)

func TestBoundaryCommitsOfShallowClones(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write("a", "a")
	r.commit("2024-01-01T12:00:00+05:30", "2024-01-02T12:00:00Z")
	r.write("a", "b")
	r.commit("2024-02-01T12:00:00Z", "2024-02-02T12:00:00Z")
	if ends := git.BoundaryCommits(t.Context(), []string{r.dir}, git.Options{Git: "no-such-git"}); ends != nil {
		t.Errorf("full clone: got boundary %v, want none", ends)
	}
	c := r.clone("--depth=1")
	ends := git.BoundaryCommits(t.Context(), []string{c.dir}, git.Options{})
	if len(ends) != 1 || ends[0].Author.String() != "2024-02-01T12:00:00Z" || ends[0].Committer.String() != "2024-02-02T12:00:00Z" {
		t.Errorf("shallow clone: got boundary %v, want the commit of 2024-02-01", ends)
	}
	c.git("worktree", "add", "-q", "tree")
	if tree := git.BoundaryCommits(t.Context(), []string{filepath.Join(c.dir, "tree")}, git.Options{}); len(tree) != 1 || tree[0] != ends[0] {
		t.Errorf("work tree: got boundary %v, want %v", tree, ends)
	}
}

// TestBoundaryCommitsRejectsArguments writes invalid lines into the file "shallow", such as an
// option of git. git must not receive the option, and there must be no boundary.
func TestBoundaryCommitsRejectsArguments(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.add("01-01", "a", "a")
	for _, text := range []string{"", "--output=pwned\n", "HEAD\n", "0123456789012345678901234567890123456789\n", "\x00"} {
		if err := os.WriteFile(filepath.Join(r.dir, ".git", "shallow"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if ends := git.BoundaryCommits(t.Context(), []string{r.dir}, git.Options{}); ends != nil {
			t.Errorf("shallow file %q: got boundary %v, want none", text, ends)
		}
	}
	if _, err := os.Stat(filepath.Join(r.dir, "pwned")); err == nil {
		t.Error("git received an option from the file shallow")
	}
}
