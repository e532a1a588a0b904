package facts

import (
	"context"
	"slices"

	"github.com/sitewalk/sitewalk/internal/glob"
	"github.com/sitewalk/sitewalk/walker"
)

// UnusedGlobs returns the indexes of those patterns that match no file of the tree, in ascending
// order. It leaves out patterns for files that sitewalk never reads, such as "node_modules/**". It
// returns nil if a pattern is not valid, or if the tree cannot be listed.
func (t *Tree) UnusedGlobs(ctx context.Context, patterns []string) (unused []int) {
	filter, err := walker.NewFilter(patterns, nil)
	if err != nil || len(patterns) == 0 {
		return nil
	}
	globs := make(glob.List, len(patterns))
	for i, p := range patterns {
		globs[i], _ = glob.New(p)
		if walker.BuiltInExclude(p) == "" {
			unused = append(unused, i)
		}
	}
	walk, stop := context.WithCancel(ctx)
	defer stop()
	_, err = t.Files.Walk(walk, walker.Options{Filter: filter, Jobs: 1}, func(_ int, f *walker.File) {
		unused = slices.DeleteFunc(unused, func(i int) bool { return globs[i].Match(f.Path) })
		if len(unused) == 0 {
			stop()
		}
	})
	if err != nil {
		return nil
	}
	return unused
}
