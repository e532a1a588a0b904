package gitdates

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
// does, neither does an answer. They are the settings, where HEAD leads, the index,
// and what commits are packed into, replaced or cut off by; a linked work tree and
// a submodule have them elsewhere. The name * stands for all files of a folder. See
// gitrepository-layout(5).
func Files(root string) []string {
	dir := gitDir(root)
	common := commonDir(dir)
	head := filepath.Join(dir, "HEAD")
	list := []string{
		filepath.Join(root, ".git"), head,
		filepath.Join(dir, "index"),
		filepath.Join(dir, "config.worktree"),
		filepath.Join(dir, "reftable", "tables.list"),
		filepath.Join(common, "packed-refs"),
		filepath.Join(common, "reftable", "tables.list"),
		filepath.Join(common, "shallow"),
		filepath.Join(common, "config"),
		filepath.Join(common, "info", "grafts"),
		filepath.Join(common, "refs", "replace"),
		filepath.Join(common, "refs", "replace", "*"),
	}
	if text, ok := line(head); ok {
		if ref, ok := strings.CutPrefix(text, "ref: "); ok && filepath.IsLocal(filepath.FromSlash(ref)) {
			list = append(list, filepath.Join(common, filepath.FromSlash(ref)))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// irregular returns an error if git would read a FIFO or a device in the place of one
// of its files: it would wait for the one, and fill its memory with the other.
func irregular(root string) error {
	dir := gitDir(root)
	common := commonDir(dir)
	list := append(Files(root),
		filepath.Join(dir, "commondir"),
		filepath.Join(dir, "gitdir"),
		filepath.Join(common, "info", "attributes"),
		filepath.Join(common, "objects", "info", "alternates"),
		filepath.Join(common, "objects", "info", "commit-graph"),
	)
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
