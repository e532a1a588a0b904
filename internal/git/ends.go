package git

import (
	"context"
	"encoding/hex"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A Commit is the two dates of one commit.
type Commit struct {
	Author, Committer sitemap.Date // zero when they cannot be read
}

// Has reports whether a date is one of the commit's, or its day.
func (c Commit) Has(d sitemap.Date) bool {
	if d.Precision() == sitemap.Day {
		return d == c.Author.DayOnly() || d == c.Committer.DayOnly()
	}
	return d.Unix() == c.Author.Unix() || d.Unix() == c.Committer.Unix()
}

// mostEnds bounds how many commits are named to git in one command.
const mostEnds = 500

// Ends returns the commits at which the shallow clones end that hold some folders, none of
// those that are whole or cannot be read. A caller that asks git there for the last change
// of a file gets one of these, however old it is. It runs git only where a clone is shallow.
func Ends(ctx context.Context, dirs []string, o Options) (ends []Commit) {
	ctx, cancel := o.limit(ctx)
	defer cancel()
	var roots []string
	for _, dir := range dirs {
		dir, err := filepath.Abs(dir)
		if root := Above(dir); err == nil && root != "" && !slices.Contains(roots, root) {
			roots = append(roots, root)
			ends = append(ends, endsOf(ctx, root, o)...)
		}
	}
	return ends
}

// endsOf is Ends of the clone whose work tree has its top at root.
func endsOf(ctx context.Context, root string, o Options) (ends []Commit) {
	boundary, err := readBoundary(root)
	if err != nil {
		return nil
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(boundary)), func(name string) bool {
		_, err := hex.DecodeString(name)
		return err != nil || name == ""
	})
	if len(names) == 0 || irregular(root) != nil {
		return nil
	}
	args := []string{
		"log", "-z", "--no-walk=unsorted", "--date=raw", "--format=tformat:" + commitFormat,
		"--no-show-signature", "--no-notes", "--no-decorate",
	}
	args = append(append(args, names[:min(len(names), mostEnds)]...), "--")
	out, err := o.git(root).output(ctx, args...)
	if err != nil {
		return nil
	}
	for commit := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		e, err := parseCommit(strings.TrimPrefix(commit, commitMark))
		if err != nil {
			return nil
		}
		ends = append(ends, Commit{Author: e.author, Committer: e.committer})
	}
	return ends
}
