package git

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/files"
)

// IsWorkTree reports whether a folder is the top of a work tree. Its .git is a folder, or in a linked
// work tree and a submodule a file.
func IsWorkTree(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// FindWorkTree returns the top of the work tree that a folder belongs to, or "".
func FindWorkTree(dir string) string {
	for ; !IsWorkTree(dir); dir = filepath.Dir(dir) {
		if filepath.Dir(dir) == dir {
			return ""
		}
	}
	return dir
}

// StateFiles returns the files that git's answers about a work tree depend on, sorted, whether they
// exist or not: the settings, the target of HEAD, and the files that pack, replace or cut off
// commits. A linked work tree and a submodule have them elsewhere.
// See gitrepository-layout(5).
func StateFiles(root string) []string {
	dir := gitDir(root)
	common := commonDir(dir)
	list := slices.Concat(
		join(root, ".git"),
		join(dir, "HEAD", "config.worktree", "reftable/tables.list"),
		join(common, "packed-refs", "reftable/tables.list", "shallow", "config", "info/grafts", "refs/replace"),
	)
	if text, ok := readLine(filepath.Join(dir, "HEAD")); ok {
		if ref, ok := strings.CutPrefix(text, "ref: "); ok && filepath.IsLocal(filepath.FromSlash(ref)) {
			list = append(list, filepath.Join(common, filepath.FromSlash(ref)))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// join returns the paths of names in a folder.
func join(dir string, names ...string) (paths []string) {
	for _, name := range names {
		paths = append(paths, filepath.Join(dir, filepath.FromSlash(name)))
	}
	return paths
}

// findIrregular returns an error if one of git's files is a FIFO or a device. Git would wait
// for a FIFO and fill its memory with a device.
func findIrregular(root string) error {
	dir := gitDir(root)
	common := commonDir(dir)
	list := slices.Concat(StateFiles(root), join(dir, "commondir", "gitdir"),
		join(common, "info/attributes", "objects/info/alternates", "objects/info/commit-graph"))
	for _, name := range list {
		info, err := os.Stat(name)
		if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
			return fmt.Errorf("%s: %w", name, files.Irregular(info.Mode().Type()))
		}
	}
	return nil
}

// gitDir returns the folder .git, or the folder that the file .git names.
func gitDir(root string) string {
	dir := filepath.Join(root, ".git")
	text, _ := readLine(dir)
	if to, ok := strings.CutPrefix(text, "gitdir: "); ok {
		return files.Abs(root, to)
	}
	return dir
}

// commonDir returns the folder that a linked work tree shares with its main one.
func commonDir(dir string) string {
	if text, ok := readLine(filepath.Join(dir, "commondir")); ok {
		return files.Abs(dir, text)
	}
	return dir
}

// readLine reads a file of one line.
func readLine(name string) (string, bool) {
	text, err := files.Read(name, maxName)
	return strings.TrimRight(string(text), "\r\n"), err == nil
}

// maxBoundary limits the list of a shallow clone's boundary, in bytes: a million commits.
const maxBoundary = 64 << 20

// readBoundary returns the commits of a shallow clone whose parents are missing. The file that
// lists them has one object name a line.
func readBoundary(root string) (map[string]bool, error) {
	data, err := files.Read(filepath.Join(commonDir(gitDir(root)), "shallow"), maxBoundary)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("the list of a shallow clone's boundary: %w", err)
	}
	boundary := make(map[string]bool)
	for line := range strings.Lines(string(data)) {
		boundary[strings.TrimSpace(line)] = true
	}
	return boundary, nil
}

// maxEnds is the maximum number of commits in one command.
const maxBoundaryCommits = 500

// BoundaryCommits returns the commits at which the shallow clones around some folders end. A generator
// that asks git for the last change of an older file gets one of them. Ends runs git only in
// shallow clones.
func BoundaryCommits(ctx context.Context, dirs []string, o Options) (ends []Commit) {
	ctx, cancel := o.limit(ctx)
	defer cancel()
	var roots []string
	for _, dir := range dirs {
		dir, err := filepath.Abs(dir)
		if root := FindWorkTree(dir); err == nil && root != "" && !slices.Contains(roots, root) {
			roots = append(roots, root)
			ends = append(ends, o.git(root).readBoundaryCommits(ctx)...)
		}
	}
	return ends
}

// readBoundaryCommits reads the dates of the commits of a shallow clone's boundary.
func (g git) readBoundaryCommits(ctx context.Context) (ends []Commit) {
	boundary, _ := readBoundary(g.dir)
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(boundary)), func(name string) bool {
		_, err := hex.DecodeString(name)
		return err != nil || name == ""
	})
	if len(names) == 0 || findIrregular(g.dir) != nil {
		return nil
	}
	args := []string{
		"log", "-z", "--no-walk=unsorted", "--date=raw", "--format=tformat:" + commitFormat,
		"--no-show-signature", "--no-notes", "--no-decorate",
	}
	args = append(append(args, names[:min(len(names), maxBoundaryCommits)]...), "--")
	err := g.run(ctx, func(r io.Reader) error {
		l := logReader{tokens: newTokenScanner(r)}
		for {
			commit, _, err := l.read()
			if err != nil {
				return err
			}
			ends = append(ends, *commit)
		}
	}, args...)
	if err != io.EOF {
		return nil
	}
	return ends
}
