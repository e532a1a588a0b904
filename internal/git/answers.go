package git

import (
	"context"
	"maps"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
)

// Answers are what git said of files. They are never changed: their fields are for reading.
type Answers struct {
	Results      map[string]Result // by the names of the files
	Trouble      diag.List         // what kept git from saying more
	Repositories []string          // the tops of the work trees that git was asked about, sorted

	built   bool            // built files are among them, whose commits are counted
	imports map[string]bool // commits that added most of the files
}

// Ask returns the answers about all of the files, of which git is asked about those that a
// has none for. If an answer depends on the other files, git is asked about all.
func (a *Answers) Ask(ctx context.Context, files []string, o Options) *Answers {
	if a.counted() && len(files) != len(a.Results) {
		a = a.Forget()
	}
	fresh := files
	if len(a.Results) > 0 {
		fresh = slices.DeleteFunc(slices.Clone(files), func(file string) bool { _, known := a.Results[file]; return known })
	}
	if len(fresh) == 0 {
		return a
	}
	if a.Results != nil {
		if len(fresh) >= minBulk {
			return a.Forget().Ask(ctx, files, o)
		}
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

// counted reports whether an answer depends on the other files, too.
func (a *Answers) counted() bool { return len(a.Trouble) > 0 || a.built }

// Forget returns answers of which only the repositories are known, so that git is
// asked again.
func (a *Answers) Forget() *Answers { return &Answers{Repositories: a.Repositories} }

// Without returns the answers but for files that changed.
func (a *Answers) Without(files []string) *Answers {
	stale := slices.DeleteFunc(files, func(file string) bool { _, ok := a.Results[file]; return !ok })
	switch {
	case len(stale) == 0:
		return a
	case a.counted():
		return a.Forget()
	}
	rest := *a
	rest.Results = maps.Clone(a.Results)
	for _, file := range stale {
		delete(rest.Results, file)
	}
	return &rest
}

// Recovered reports whether git failed, and says something else when it is asked again.
func (a *Answers) Recovered(ctx context.Context, o Options) bool {
	var failed []string
	for file, got := range a.Results {
		if got.Why == unread {
			failed = append(failed, file)
		}
	}
	if len(failed) == 0 {
		return false
	}
	now, _ := Read(ctx, failed, o)
	return ctx.Err() == nil && slices.ContainsFunc(failed, func(file string) bool { return now[file].Why != unread })
}
