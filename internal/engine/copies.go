package engine

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
)

// markdownCopyFinder returns a function for the Markdown copies of the pages in list. The function
// returns the URL of the copy of list[i], or "" if there is none. A copy is an existing Markdown
// file beside the page, or a file that the page's head names. markdownCopyFinder returns nil if
// there is no publish directory.
func (b *Build) markdownCopyFinder(ctx context.Context, list site.List) func(i int) string {
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
		for _, name := range append(MarkdownCopyNames(r.File()), b.declaredMarkdownCopies(ctx, tree, part, r)...) {
			below, in := part.Below(name)
			if !in || !MarkdownCopyExists(tree, name) {
				continue
			}
			if loc, err := part.Base.Loc("/" + below); err == nil {
				return loc
			}
		}
		return ""
	}
}

// LinksMarkdownCopies reports whether the build writes an llms.txt that links to Markdown copies of
// pages, if the copies exist.
func (b *Build) LinksMarkdownCopies() bool {
	w := &b.Settings.Writer
	return slices.Contains(w.Formats, "llms") && !w.LLMS.LinksHTML
}

// MarkdownCopyExists reports whether the publish directory contains name, the possible Markdown copy of
// a page. It returns false if the filter of tree excludes the folder of the file.
func MarkdownCopyExists(tree *facts.Tree, name string) bool {
	dir := path.Dir(name)
	return (dir == "." || tree.Filter.Enters(dir)) && files.IsRegular(tree.Path(name))
}

// MarkdownCopyNames returns the file names that generators use for the Markdown copy of the page in
// file. For "a/index.html" these are "a/index.html.md", "a/index.md" and "a.md".
func MarkdownCopyNames(file string) []string {
	bare := strings.TrimSuffix(file, path.Ext(file))
	names := []string{file + ".md", bare + ".md"}
	if folder, ok := strings.CutSuffix(bare, "/index"); ok {
		names = append(names, folder+".md")
	}
	return names
}

// declaredMarkdownCopies returns the paths of the Markdown copies that the head of the page r
// names. The files may not exist.
func (b *Build) declaredMarkdownCopies(ctx context.Context, tree *facts.Tree, part *site.Part, r *site.Page) (names []string) {
	src, _ := tree.Read(ctx, r.File(), nil)
	var heads page.Heads
	base := ""
	heads.Find(src, func(kind page.HeadKind, value []byte, _ int) {
		switch kind {
		case page.HeadBase:
			base = string(value)
		case page.HeadCopy:
			if name := ResolveMarkdownCopy(part, r.Facts, string(value), base); name != "" {
				names = append(names, name)
			}
		}
	})
	return names
}

// ResolveMarkdownCopy returns the path in the publish directory for address, which the head of the
// page f names as its Markdown copy: "b/a.md" for "/b/a.md". It returns "" if address is outside of
// the part of the site or is an llms.txt. base is the address in the page's base element, or "".
// The file may not exist.
func ResolveMarkdownCopy(part *site.Part, f *facts.Page, address, base string) string {
	loc, err := part.Base.Resolve(address, f.FileLoc, base)
	if err != nil {
		return ""
	}
	urlPath, own := part.Base.Path(part.Base.WithOwnScheme(loc))
	if !own || strings.HasSuffix(urlPath, "/llms.txt") {
		return ""
	}
	return path.Join(part.Dir, strings.TrimPrefix(urlPath, "/"))
}
