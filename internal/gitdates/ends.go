package gitdates

import (
	"context"
	"encoding/hex"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A Commit is the two dates of one commit.
type Commit struct {
	Author, Committer sitemap.Date
	name              string
}

// mostEnds bounds how many commits are named to git in one command.
const mostEnds = 500

// Ends returns the commits at which the shallow clone ends whose work tree has
// its top at root, none when it is whole or cannot be read. Whoever asks git
// there for the last change of a file gets one of these, however old it is. It
// runs git only where the clone is shallow.
func Ends(ctx context.Context, root string, o Options) (ends []Commit) {
	boundary, err := readBoundary(root, filepath.Join(commonDir(gitDir(root)), "shallow"))
	if err != nil {
		return nil
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(boundary)), func(name string) bool {
		_, err := hex.DecodeString(name)
		return err != nil || name == ""
	})
	if len(names) == 0 {
		return nil
	}
	limited, cancel := o.limit(ctx)
	defer cancel()
	args := []string{"log", "-z", "--no-walk=unsorted", "--date=raw", "--no-show-signature", "--no-notes", "--format=tformat:%H %ad%x00%H %cd"}
	err = o.git(root).stream(limited, func(r io.Reader) error {
		ends, err = readEnds(r)
		return err
	}, append(append(args, names[:min(len(names), mostEnds)]...), "--")...)
	if err != nil {
		return nil
	}
	return ends
}

// readEnds reads "object seconds zone" of the author and of the committer in turn.
func readEnds(r io.Reader) (ends []Commit, err error) {
	for token, err := range tokens(r) {
		if err != nil {
			return nil, err
		}
		e, err := parseCommit(token)
		if err != nil {
			return nil, err
		}
		at := dateOf(e.when).Date
		if last := len(ends) - 1; last >= 0 && string(e.commit) == ends[last].name {
			ends[last].Committer = at
			continue
		}
		ends = append(ends, Commit{name: string(e.commit), Author: at})
	}
	return ends, nil
}
