package git

import (
	"context"
	"maps"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
)

// Answers contain the dates of files according to git. Do not change them.
type Answers struct {
	Results      map[string]Result // by the name of the file
	Trouble      diag.List         // findings with the reasons why files have no date
	Repositories []string          // root folders of the work trees that were read, sorted

	hasBuilt bool            // at least one tracked file is a built page
	imports  map[string]bool // object names of commits that added most of the files
}

// Query returns Answers for files, with the options o. It runs git only for the files without a
// result in a. However, it runs git for all files if at least minBulk files have no result, or if
// git reports a problem. It also runs git for all files if the number of files has changed and
// results may depend on the other files.
func (a *Answers) Query(ctx context.Context, files []string, o Options) *Answers {
	fresh := slices.DeleteFunc(slices.Clone(files), func(file string) bool { _, ok := a.Results[file]; return ok })
	if a.dependsOnAllFiles() && len(files) != len(a.Results) || len(fresh) >= minBulk {
		a, fresh = a.WithoutResults(), files
	}
	if len(fresh) == 0 {
		return a
	}
	if a.Results != nil {
		o.imports = a.imports
	}
	r := findDates(ctx, fresh, o)
	if a.Results != nil && len(r.diags)+len(a.Trouble) > 0 {
		return a.WithoutResults().Query(ctx, files, o)
	}
	maps.Copy(r.results, a.Results)
	return &Answers{
		Results: r.results, Trouble: r.diags.Sorted(), hasBuilt: r.hasBuilt || a.hasBuilt, imports: r.imports,
		Repositories: slices.Compact(slices.Sorted(slices.Values(append(r.roots, a.Repositories...)))),
	}
}

// dependsOnAllFiles reports whether the result of one file may change if other files are added or
// removed.
func (a *Answers) dependsOnAllFiles() bool { return len(a.Trouble) > 0 || a.hasBuilt }

// WithoutResults returns Answers with the Repositories of a and without results, so that the next
// Query runs git for all files.
func (a *Answers) WithoutResults() *Answers { return &Answers{Repositories: a.Repositories} }

// WithoutFiles returns a copy of a without the results of files. Call it after these files have
// changed. If results may depend on the set of all files, the copy contains no results.
func (a *Answers) WithoutFiles(files []string) *Answers {
	stale := slices.DeleteFunc(slices.Clone(files), func(file string) bool { _, ok := a.Results[file]; return !ok })
	switch {
	case len(stale) == 0:
		return a
	case a.dependsOnAllFiles():
		return a.WithoutResults()
	}
	rest := *a
	rest.Results = maps.Clone(a.Results)
	for _, file := range stale {
		delete(rest.Results, file)
	}
	return &rest
}
