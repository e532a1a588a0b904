package cli

import (
	"context"

	"github.com/sitewalk/sitewalk/internal/build"
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/site"
	"github.com/sitewalk/sitewalk/sitemap"
)

// recallLast adds to each target that is no page where the last sitemap lists
// it.
func recallLast(ctx context.Context, b *build.Build, all []site.Explanation) {
	var gone []*site.Explanation
	for i := range all {
		if e := &all[i]; !e.Known && e.URL != "" {
			gone = append(gone, e)
		}
	}
	if len(gone) == 0 {
		return
	}
	_ = b.Last(ctx, func(u sitemap.Entry, pos diag.Pos) { // what cannot be read tells nothing
		for _, e := range gone {
			if e.Last == nil && e.Means(u.Loc) {
				e.Last = &pos
			}
		}
	})
}
