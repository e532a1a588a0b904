package git

import (
	"context"
	"maps"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
)

// Answers contain the git dates of files. They are immutable.
type Answers struct {
	Results      map[string]Result // by the name of the file
	Trouble      diag.List         // findings with the reasons why files have no date
	Repositories []string          // root folders of the work trees that were read, sorted

	hasBuilt bool            // at least one tracked file is a built page
	imports  map[string]bool // object names of commits that added most of the files
}

// Ask returns Answers for all of files. It runs git only for files that a does not contain. If
// results depend on the set of files, and that set changed, Ask runs git for all of them.
func (a *Answers) Ask(ctx context.Context, files []string, o Options) *Answers {
	fresh := slices.DeleteFunc(slices.Clone(files), func(file string) bool { _, ok := a.Results[file]; return ok })
	if a.dependOnSet() && len(files) != len(a.Results) || len(fresh) >= minBulk {
		a, fresh = a.DropResults(), files
	}
	if len(fresh) == 0 {
		return a
	}
	if a.Results != nil {
		o.imports = a.imports
	}
	r := read(ctx, fresh, o)
	if a.Results != nil && len(r.diags)+len(a.Trouble) > 0 {
		return a.DropResults().Ask(ctx, files, o)
	}
	maps.Copy(r.results, a.Results)
	return &Answers{
		Results: r.results, Trouble: r.diags.Sorted(), hasBuilt: r.hasBuilt || a.hasBuilt, imports: r.imports,
		Repositories: slices.Compact(slices.Sorted(slices.Values(append(r.roots, a.Repositories...)))),
	}
}

// dependOnSet reports whether the results depend on the set of files, and not only on each file.
func (a *Answers) dependOnSet() bool { return len(a.Trouble) > 0 || a.hasBuilt }

// DropResults returns Answers without results, which makes Ask run git for all files.
func (a *Answers) DropResults() *Answers { return &Answers{Repositories: a.Repositories} }

// Without returns a copy of a that does not contain the results of files. Call it after these
// files changed.
func (a *Answers) Without(files []string) *Answers {
	stale := slices.DeleteFunc(files, func(file string) bool { _, ok := a.Results[file]; return !ok })
	switch {
	case len(stale) == 0:
		return a
	case a.dependOnSet():
		return a.DropResults()
	}
	rest := *a
	rest.Results = maps.Clone(a.Results)
	for _, file := range stale {
		delete(rest.Results, file)
	}
	return &rest
}
