package git

import (
	"context"
	"maps"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
)

// Answers are git's answers about files. They do not change: their fields are for reading.
type Answers struct {
	Results      map[string]Result // by the names of the files
	Trouble      diag.List         // why some files have no date
	Repositories []string          // tops of the work trees that were read, sorted

	built   bool            // built files are among the tracked ones
	imports map[string]bool // commits that added most of the files
}

// Ask returns the answers about all of the files. It runs git only for files without an answer,
// unless an answer depends on the other files, too.
func (a *Answers) Ask(ctx context.Context, files []string, o Options) *Answers {
	fresh := slices.DeleteFunc(slices.Clone(files), func(file string) bool { _, ok := a.Results[file]; return ok })
	if a.areCounted() && len(files) != len(a.Results) || len(fresh) >= minBulk {
		a, fresh = a.Forget(), files
	}
	if len(fresh) == 0 {
		return a
	}
	if a.Results != nil {
		o.imports = a.imports
	}
	r := read(ctx, fresh, o)
	if a.Results != nil && len(r.diags)+len(a.Trouble) > 0 {
		return a.Forget().Ask(ctx, files, o)
	}
	maps.Copy(r.results, a.Results)
	return &Answers{
		Results: r.results, Trouble: r.diags.Sorted(), built: r.built || a.built, imports: r.imports,
		Repositories: slices.Compact(slices.Sorted(slices.Values(append(r.roots, a.Repositories...)))),
	}
}

// areCounted reports whether an answer depends on the other files, too.
func (a *Answers) areCounted() bool { return len(a.Trouble) > 0 || a.built }

// Forget returns answers with the repositories alone, so that git runs again.
func (a *Answers) Forget() *Answers { return &Answers{Repositories: a.Repositories} }

// Without returns the answers without files that changed.
func (a *Answers) Without(files []string) *Answers {
	stale := slices.DeleteFunc(files, func(file string) bool { _, ok := a.Results[file]; return !ok })
	switch {
	case len(stale) == 0:
		return a
	case a.areCounted():
		return a.Forget()
	}
	rest := *a
	rest.Results = maps.Clone(a.Results)
	for _, file := range stale {
		delete(rest.Results, file)
	}
	return &rest
}
