package git

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/files"
)

// Above returns the top of the work tree that a folder belongs to; "" when it
// belongs to none.
func Above(dir string) string {
	for ; !IsTop(dir); dir = filepath.Dir(dir) {
		if filepath.Dir(dir) == dir {
			return ""
		}
	}
	return dir
}

// Files returns the files that decide what git says of a work tree, sorted, be
// they there or not: when none of them changes and no file of the work tree
// does, neither does an answer. They are the settings, where HEAD leads, and what
// commits are packed into, replaced or cut off by; a linked work tree and
// a submodule have them elsewhere. The name * stands for all files of a folder. See
// gitrepository-layout(5).
func Files(root string) []string {
	dir := gitDir(root)
	common := commonDir(dir)
	list := slices.Concat(
		in(root, ".git"),
		in(dir, "HEAD", "config.worktree", "reftable/tables.list"),
		in(common, "packed-refs", "reftable/tables.list", "shallow", "config", "info/grafts", "refs/replace", "refs/replace/*"),
	)
	if text, ok := line(filepath.Join(dir, "HEAD")); ok {
		if ref, ok := strings.CutPrefix(text, "ref: "); ok && filepath.IsLocal(filepath.FromSlash(ref)) {
			list = append(list, filepath.Join(common, filepath.FromSlash(ref)))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// in returns the paths of names in a folder.
func in(dir string, names ...string) (paths []string) {
	for _, name := range names {
		paths = append(paths, filepath.Join(dir, filepath.FromSlash(name)))
	}
	return paths
}

// irregular returns an error if git would read a FIFO or a device in the place of one
// of its files: it would wait for the one, and fill its memory with the other.
func irregular(root string) error {
	dir := gitDir(root)
	common := commonDir(dir)
	list := slices.Concat(Files(root), in(dir, "commondir", "gitdir"),
		in(common, "info/attributes", "objects/info/alternates", "objects/info/commit-graph"))
	for _, name := range list {
		info, err := os.Stat(name)
		if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
			return fmt.Errorf("%s: %w", name, files.Irregular(info.Mode().Type()))
		}
	}
	return nil
}

// gitDir returns the folder that .git is, or names.
func gitDir(root string) string {
	dir := filepath.Join(root, ".git")
	text, ok := line(dir)
	if !ok {
		return dir
	}
	to, ok := strings.CutPrefix(text, "gitdir: ")
	if !ok {
		return dir
	}
	return files.Abs(root, to)
}

// commonDir returns the folder that holds what a linked work tree shares with
// its main one.
func commonDir(dir string) string {
	if text, ok := line(filepath.Join(dir, "commondir")); ok {
		return files.Abs(dir, text)
	}
	return dir
}

// line returns the one line of a small file.
func line(name string) (string, bool) {
	text, err := files.Read(name, maxName)
	return strings.TrimRight(string(text), "\r\n"), err == nil
}
