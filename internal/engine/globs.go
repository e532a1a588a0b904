package engine

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/glob"
	"github.com/sitewalk/sitewalk/walker"
)

// reportUnusedGlobs adds a note about each glob of the settings that matches no file of the site.
// It does not report a glob for files that sitewalk never reads, such as "node_modules/**".
func (b *Build) reportUnusedGlobs(ctx context.Context) {
	s := &b.Settings.Site
	tree := cmp.Or(s.Pages, s.Content)
	if len(b.Settings.Globs) == 0 || tree == nil {
		return
	}
	var patterns []string
	var globs glob.List
	for _, g := range b.Settings.Globs {
		compiled, _ := glob.New(g.Pattern) // Resolve has checked the glob
		patterns, globs = append(patterns, g.Pattern), append(globs, compiled)
	}
	filter, err := walker.NewFilter(patterns, nil)
	if err != nil {
		return
	}
	walk, stop := context.WithCancel(ctx)
	defer stop()
	used := map[int]bool{}
	_, _ = tree.Files.Walk(walk, walker.Options{Filter: filter, Jobs: 1}, func(_ int, f *walker.File) {
		for _, i := range globs.MatchingIndexes(f.Path) {
			used[i] = true
		}
		if len(used) == len(globs) {
			stop()
		}
	})
	if ctx.Err() != nil {
		return
	}
	for i, g := range b.Settings.Globs {
		if used[i] || walker.BuiltInExclude(g.Pattern) != "" {
			continue
		}
		hint := "globs match the paths of files below " + tree.DisplayName("")
		if slashed := strings.ReplaceAll(g.Pattern, `\`, "/"); slashed != g.Pattern {
			hint = fmt.Sprintf("write it with slashes: %q", slashed)
		}
		b.Findings.Add(diag.Notef(g.Pos, "unused-rule", hint, "%s %q matches no file", g.Who, g.Pattern).About(g.Pattern))
	}
}
