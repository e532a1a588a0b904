package engine

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/robots"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/writer"
)

// ScopeHint is the advice about a sitemap that lists URLs outside of its own folder.
const ScopeHint = "put the sitemap at the top of the URLs that it lists, or name it in the robots.txt of the host"

// reportOutOfScope warns if the sitemap that o describes lists URLs outside of its own folder. A
// sitemap that robots.txt names may list all URLs of the host.
// See https://www.sitemaps.org/protocol.html#location.
func (b *Build) reportOutOfScope(o writer.Options, list site.List) {
	loc := b.Settings.SitemapURL(&o)
	folder := loc[:strings.LastIndexByte(loc, '/')+1]
	outside := 0
	for _, r := range list {
		if !strings.HasPrefix(r.Loc, folder) {
			outside++
		}
	}
	if outside == 0 || o.Robots || isNamedInRobots(loc, cmp.Or(o.Publish, o.Dir)) {
		return
	}
	file := filepath.Join(o.Dir, filepath.FromSlash(o.EntryFile()))
	b.Findings.Add(diag.Warnf(diag.Pos{File: filepath.ToSlash(files.DisplayPath(b.o.Dir, file))}, "out-of-scope", ScopeHint,
		"it lists %s outside of %s, its own folder, which crawlers may ignore", diag.Count(outside, "URL"), folder).About(folder))
}

// isNamedInRobots reports whether robots.txt in the folder dir names the sitemap loc.
func isNamedInRobots(loc, dir string) bool {
	src, _ := files.ReadHead(dir, "robots.txt", robots.MaxBytes)
	return slices.ContainsFunc(robots.SitemapLines(src), func(l robots.SitemapLine) bool { return l.Value == loc })
}

// setSiteTitleAndLLMS sets the title and the language of the given part in o. In o.LLMS, it sets
// the functions that decide where llms.txt lists the pages of list, and which copies it links to.
func (b *Build) setSiteTitleAndLLMS(ctx context.Context, o *writer.Options, part int, list site.List) {
	n := b.Result.NameOf(part)
	o.Title, o.Lang, o.LLMS.Place = n.Title, n.Lang, b.llmsPlaceFinder(list)
	if !o.LLMS.LinksHTML {
		o.LLMS.Copy = b.markdownCopyFinder(ctx, list)
	}
}

// llmsPlaceFinder returns a function that returns the Place of list[i] in llms.txt, such as its
// section. The rules of the user that match the page determine the Place.
func (b *Build) llmsPlaceFinder(list site.List) func(i int) writer.Place {
	rules, rank := b.Settings.Site.Rules, map[*mapping.Rule]int{}
	for i := range rules.Len() {
		rank[rules.At(i)] = i + 1
	}
	return func(i int) (p writer.Place) {
		set := list[i].Rules
		if set == nil {
			return p
		}
		for _, r := range set.Matching {
			l := r.Listing
			if l.Section != "" {
				p.Section, p.Rank = l.Section, rank[r]
			}
			if l.Limit > 0 {
				p.Limit, p.By = l.Limit, rank[r]
			}
			p.Optional = p.Optional || l.Optional
		}
		return p
	}
}

// maxHome is the maximum number of bytes of a home page that homeRefersTo searches.
const maxHome = 1 << 20

// homeRefersTo reports whether a home page refers to file, the sitemap of another tool, for example
// with <link rel="sitemap">. It searches the home page of the publish directory, and the home page
// in the folder of file. It also returns true if one of these pages exists but cannot be read. With
// --from, it always returns true, because the user may read URLs from that sitemap.
func (b *Build) homeRefersTo(publishDir, file string) bool {
	if b.Settings.From != "" {
		return true
	}
	for _, dir := range []string{".", path.Dir(file)} {
		text, err := files.ReadHead(filepath.Join(publishDir, filepath.FromSlash(dir)), "index.html", maxHome)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || bytes.Contains(text, []byte(file)) || dir == path.Dir(file) && hasRelativeReference(text, path.Base(file)) {
			return true
		}
	}
	return false
}

// hasRelativeReference reports whether text, an HTML page, probably contains a relative reference
// to name, a file in the folder of the page. It looks for the name after a quote, "=" or "./".
func hasRelativeReference(text []byte, name string) bool {
	for _, before := range []string{`"`, `'`, "=", "./"} {
		if bytes.Contains(text, []byte(before+name)) {
			return true
		}
	}
	return false
}

// markdownCopyFinder returns a function that returns the URL of the Markdown copy of list[i], or ""
// if there is none. A copy is an existing Markdown file beside the page, or an existing file that
// the page's head names. markdownCopyFinder returns nil if there is no publish directory on disk.
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

// MarkdownCopyExists reports whether name, the possible Markdown copy of a page, is a file in the
// publish directory tree. It returns false if the filter of the tree excludes the folder of the
// file.
func MarkdownCopyExists(tree *facts.Tree, name string) bool {
	dir := path.Dir(name)
	return (dir == "." || tree.Filter.Enters(dir)) && files.IsRegular(tree.Path(name))
}

// MarkdownCopyNames returns the paths that generators use for the Markdown copy of the page file.
// For "a/index.html" these are "a/index.html.md", "a/index.md" and "a.md".
func MarkdownCopyNames(file string) []string {
	bare := strings.TrimSuffix(file, path.Ext(file))
	names := []string{file + ".md", bare + ".md"}
	if folder, ok := strings.CutSuffix(bare, "/index"); ok {
		names = append(names, folder+".md")
	}
	return names
}

// declaredMarkdownCopies returns the paths of the Markdown copies that the head of the page r
// names. The files need not exist.
func (b *Build) declaredMarkdownCopies(ctx context.Context, tree *facts.Tree, part *site.Part, r *site.Page) (names []string) {
	src, _ := tree.Read(ctx, r.File(), nil)
	var heads page.Heads
	base := ""
	heads.Find(src, func(kind page.HeadKind, value []byte, _ int) {
		switch kind {
		case page.HeadBase:
			base = string(value)
		case page.HeadMarkdown:
			if name := ResolveMarkdownCopy(part, r.Facts, string(value), base); name != "" {
				names = append(names, name)
			}
		}
	})
	return names
}

// ResolveMarkdownCopy returns the path in the publish directory for address, which the head of the
// page f names as its Markdown copy. For example, it returns "b/a.md" for "/b/a.md". It returns ""
// if address is not valid, is outside of the part of the site, or is an llms.txt. base is the
// address in the page's base element, or "". The file need not exist.
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
