package git

import (
	"context"
	"io"
	"path/filepath"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A Removal is the last commit that deleted or renamed a file.
type Removal struct {
	Commit  string       // abbreviated object name
	Date    sitemap.Date // author date
	NewName string       // operating system path of the renamed file; "" if the file was deleted
}

// FindRemoval returns the last commit that deleted or renamed file, an absolute path of the
// operating system. It returns the zero Removal if git finds no such commit or cannot be read.
func FindRemoval(ctx context.Context, file string, o Options) (removal Removal) {
	ctx, cancel := o.withTimeLimit(ctx)
	defer cancel()
	root := FindWorkTree(filepath.Dir(file))
	name, err := filepath.Rel(root, file)
	if root == "" || err != nil || checkGitFiles(root) != nil {
		return Removal{}
	}
	name = filepath.ToSlash(name)
	visit := func(commit *Commit, c change) error {
		if commit != nil {
			removal = Removal{Commit: commit.name[:shortName], Date: commit.Author}
		} else if c.from == name {
			removal.NewName = filepath.Join(root, filepath.FromSlash(c.name))
		}
		return nil
	}
	_ = o.newGit(root).run(ctx, func(r io.Reader) error { return parseLog(r, visit) },
		logArgs("-1", "--full-diff", "--diff-filter=DR", "--name-status", "--find-renames", "HEAD", "--", ":(top,literal)"+name)...)
	return removal
}
