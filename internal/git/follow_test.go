package git

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestStateFilesListsFiles checks the list if .git is a folder, a file that names another folder,
// invalid or missing.
func TestStateFilesListsFiles(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		want  []string // files that must be in the list
	}{
		"folder": {
			map[string]string{".git/HEAD": "ref: refs/heads/a/b\n"},
			[]string{".git", ".git/HEAD", ".git/packed-refs", ".git/refs/heads/a/b", ".git/shallow", ".git/config", ".git/info/grafts", ".git/refs/replace"},
		},
		"detached head": {map[string]string{".git/HEAD": "0123456789\n"}, []string{".git/HEAD"}},
		"linked work tree": {
			map[string]string{
				".git":                       "gitdir: main/.git/worktrees/x\n",
				"main/.git/worktrees/x/HEAD": "ref: refs/heads/x\n", "main/.git/worktrees/x/commondir": "../..\n",
			},
			[]string{".git", "main/.git/worktrees/x/HEAD", "main/.git/refs/heads/x", "main/.git/packed-refs"},
		},
		"reftable": {
			map[string]string{".git/HEAD": "ref: refs/heads/.invalid\n", ".git/reftable/tables.list": ""},
			[]string{".git/reftable/tables.list"},
		},
		"ref outside of .git": {map[string]string{".git/HEAD": "ref: ../../secret\n"}, []string{".git/HEAD"}},
		"invalid file":        {map[string]string{".git": "nothing of git's"}, []string{".git"}},
		"no repository":       {nil, []string{".git", ".git/HEAD"}},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for file, text := range tt.files {
				file = filepath.Join(root, filepath.FromSlash(file))
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got := StateFiles(root)
			for _, want := range tt.want {
				if !slices.Contains(got, filepath.Join(root, filepath.FromSlash(want))) {
					t.Errorf("got %q, want %s in the list", got, want)
				}
			}
			if !slices.IsSorted(got) || slices.Contains(got, filepath.Join(filepath.Dir(root), "secret")) {
				t.Errorf("got %q, want a sorted list of files below %s", got, root)
			}
		})
	}
}
