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

// IsWorkTree reports whether dir is the root folder of a git work tree. The root contains ".git":
// a folder, or a file in a linked work tree or a submodule.
func IsWorkTree(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// FindWorkTree returns the root folder of the work tree that contains dir, or "" if there is
// none.
func FindWorkTree(dir string) string {
	for ; !IsWorkTree(dir); dir = filepath.Dir(dir) {
		if filepath.Dir(dir) == dir {
			return ""
		}
	}
	return dir
}

// StateFiles returns the sorted paths of the files in which git stores the state of the work tree
// root. If one of them changes, the dates of files may change. Examples are HEAD, the file of the
// current branch, config, packed-refs and shallow. A path need not exist.
// See gitrepository-layout(5).
func StateFiles(root string) []string {
	dir := gitDir(root)
	common := commonDir(dir)
	list := slices.Concat(
		joinEach(root, ".git"),
		joinEach(dir, "HEAD", "config.worktree", "reftable/tables.list"),
		joinEach(common, "packed-refs", "reftable/tables.list", "shallow", "config", "info/grafts", "refs/replace"),
	)
	if text, ok := readLine(filepath.Join(dir, "HEAD")); ok {
		if ref, ok := strings.CutPrefix(text, "ref: "); ok && filepath.IsLocal(filepath.FromSlash(ref)) {
			list = append(list, filepath.Join(common, filepath.FromSlash(ref)))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// joinEach returns the paths of the files called names in the folder dir.
func joinEach(dir string, names ...string) (paths []string) {
	for _, name := range names {
		paths = append(paths, filepath.Join(dir, filepath.FromSlash(name)))
	}
	return paths
}

// checkGitFiles returns an error if one of git's own files in the work tree root is neither a
// regular file nor a folder, but for example a FIFO or a device. Reading a FIFO would block git,
// and reading a device would fill the memory.
func checkGitFiles(root string) error {
	dir := gitDir(root)
	common := commonDir(dir)
	list := slices.Concat(StateFiles(root), joinEach(dir, "commondir", "gitdir"),
		joinEach(common, "info/attributes", "objects/info/alternates", "objects/info/commit-graph"))
	for _, name := range list {
		info, err := os.Stat(name)
		if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
			return fmt.Errorf("%s: %w", name, files.Irregular(info.Mode().Type()))
		}
	}
	return nil
}

// gitDir returns the git directory of the work tree root: the folder ".git", or the folder that
// the file ".git" names.
func gitDir(root string) string {
	dir := filepath.Join(root, ".git")
	text, _ := readLine(dir)
	if to, ok := strings.CutPrefix(text, "gitdir: "); ok {
		return files.Abs(root, to)
	}
	return dir
}

// commonDir returns the folder with the refs and objects of the git directory dir. A linked work
// tree shares this folder with the main work tree.
func commonDir(dir string) string {
	if text, ok := readLine(filepath.Join(dir, "commondir")); ok {
		return files.Abs(dir, text)
	}
	return dir
}

// readLine returns the content of a file that has one line, without the line end. ok is false if
// the file cannot be read.
func readLine(name string) (line string, ok bool) {
	text, err := files.Read(name, maxName)
	return strings.TrimRight(string(text), "\r\n"), err == nil
}

// maxBoundary is the maximum size in bytes of the file that lists the boundary of a shallow
// clone. A million commits fit.
const maxBoundary = 64 << 20

// readBoundary returns the object names of the commits whose parents are missing in a shallow
// clone. It returns nil if the clone is complete.
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

// maxBoundaryCommits is the maximum number of commits that readBoundaryCommits reads, because the
// length of a command line is limited.
const maxBoundaryCommits = 500

// BoundaryCommits returns the oldest commits of the shallow clones that contain the folders dirs,
// at most maxBoundaryCommits for each clone. A generator that asks git for the last change of a
// file may get the date of such a commit, although the last change is older. The result is nil if
// no clone is shallow.
func BoundaryCommits(ctx context.Context, dirs []string, o Options) (ends []Commit) {
	ctx, cancel := o.withTimeLimit(ctx)
	defer cancel()
	var roots []string
	for _, dir := range dirs {
		dir, err := filepath.Abs(dir)
		if root := FindWorkTree(dir); err == nil && root != "" && !slices.Contains(roots, root) {
			roots = append(roots, root)
			ends = append(ends, o.newGit(root).readBoundaryCommits(ctx)...)
		}
	}
	return ends
}

// readBoundaryCommits returns the oldest commits of one shallow clone, or nil if they cannot be
// read.
func (g git) readBoundaryCommits(ctx context.Context) (ends []Commit) {
	boundary, _ := readBoundary(g.dir)
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(boundary)), func(name string) bool {
		_, err := hex.DecodeString(name)
		return err != nil || name == ""
	})
	if len(names) == 0 || checkGitFiles(g.dir) != nil {
		return nil
	}
	visit := func(commit *Commit, _ change) error {
		ends = append(ends, *commit)
		return nil
	}
	args := append([]string{"--no-walk=unsorted"}, names[:min(len(names), maxBoundaryCommits)]...)
	if err := g.run(ctx, func(r io.Reader) error { return parseLog(r, visit) }, logArgs(append(args, "--")...)...); err != nil {
		return nil
	}
	return ends
}
