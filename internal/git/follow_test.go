package git

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestStateFilesListsFiles checks the list if .git is a folder, a file that names another folder,
// or unreadable.
func TestStateFilesListsFiles(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		want  []string // among others
	}{
		"a folder": {
			map[string]string{".git/HEAD": "ref: refs/heads/a/b\n"},
			[]string{".git", ".git/HEAD", ".git/packed-refs", ".git/refs/heads/a/b", ".git/shallow", ".git/config", ".git/info/grafts", ".git/refs/replace"},
		},
		"detached": {map[string]string{".git/HEAD": "0123456789\n"}, []string{".git/HEAD"}},
		"a linked work tree": {
			map[string]string{
				".git":                       "gitdir: main/.git/worktrees/x\n",
				"main/.git/worktrees/x/HEAD": "ref: refs/heads/x\n", "main/.git/worktrees/x/commondir": "../..\n",
			},
			[]string{".git", "main/.git/worktrees/x/HEAD", "main/.git/refs/heads/x", "main/.git/packed-refs"},
		},
		"tables of refs": {
			map[string]string{".git/HEAD": "ref: refs/heads/.invalid\n", ".git/reftable/tables.list": ""},
			[]string{".git/reftable/tables.list"},
		},
		"a ref that leads out": {map[string]string{".git/HEAD": "ref: ../../secret\n"}, []string{".git/HEAD"}},
		"garbage":              {map[string]string{".git": "nothing of git's"}, []string{".git"}},
		"nothing":              {nil, []string{".git", ".git/HEAD"}},
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
					t.Errorf("%q has no %s", got, want)
				}
			}
			if !slices.IsSorted(got) || slices.Contains(got, filepath.Join(filepath.Dir(root), "secret")) {
				t.Errorf("got %q", got)
			}
		})
	}
}
