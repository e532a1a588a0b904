package engine

import (
	"context"
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
)

// copiesIn returns a function that returns the URL of the Markdown copy of the page at an index of
// list, or "". A copy is beside the page, or the page's head names it. It must exist.
func (b *Build) copiesIn(ctx context.Context, list site.List) func(i int) string {
	tree := b.Settings.Site.Pages
	if tree == nil || tree.Dir == "" {
		return nil
	}
	return func(i int) string {
		r := list[i]
		if r.File() == "" || r.FromSitemap != nil {
			return ""
		}
		part := b.Result.World.PartOf(r)
		for _, name := range append(copyNames(r.File()), b.declaredCopies(ctx, tree, part, r)...) {
			below, in := part.Below(name)
			if !in || !files.IsRegular(tree.Path(name)) {
				continue
			}
			if loc, err := part.Base.Loc("/" + below); err == nil {
				return loc
			}
		}
		return ""
	}
}

// copyNames returns the names that generators give the Markdown copy of a page.
func copyNames(file string) []string {
	bare := strings.TrimSuffix(file, path.Ext(file))
	names := []string{file + ".md", bare + ".md"}
	if folder, ok := strings.CutSuffix(bare, "/index"); ok {
		names = append(names, folder+".md")
	}
	return names
}

// declaredCopies returns the files of the Markdown copies that a page's head names.
func (b *Build) declaredCopies(ctx context.Context, tree *facts.Tree, part *site.Part, r *site.Page) (names []string) {
	src, _ := tree.Read(ctx, r.File(), nil)
	var heads page.Heads
	heads.Find(src, func(kind page.HeadKind, value []byte, _ int) {
		if kind != page.HeadCopy {
			return
		}
		loc, err := part.Base.Resolve(string(value), r.Facts.FileLoc, "")
		if err != nil {
			return
		}
		if urlPath, own := part.Base.Path(part.Base.OwnScheme(loc)); own && !strings.HasSuffix(urlPath, "/llms.txt") {
			names = append(names, path.Join(part.Dir, strings.TrimPrefix(urlPath, "/")))
		}
	})
	return names
}
