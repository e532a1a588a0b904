package explain

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/walker"
)

// explainPath explains target as the path of a page, a content file or another file. It returns
// false if there is no such file.
func (s *Explainer) explainPath(ctx context.Context, e *Explanation, target string) (exists bool) {
	if strings.Contains(target, "://") {
		return false
	}
	find := func(t *facts.Tree, explain func(ctx context.Context, e *Explanation, file string) bool) bool {
		return t != nil && slices.ContainsFunc(possibleFiles(t, target), func(file string) bool { return explain(ctx, e, file) })
	}
	return find(s.o.Pages, s.explainBuiltFile) || find(s.o.Content, s.explainContentFile) ||
		find(s.o.Pages, s.explainExcludedFile) || find(s.o.Content, s.explainUnreadFile)
}

// explainFirstKnownURL explains the page at the first URL in locs that is the URL of a page. locs
// contains the URLs that the target may mean; see possibleURLs. If none is the URL of a page,
// explainFirstKnownURL explains a page or file whose URL is similar to the last URL in locs, such as
// /a/ for /a. If there is no such page or file either, it explains why the last URL has no page. If
// locs is empty, it explains that the target is not an address.
func (s *Explainer) explainFirstKnownURL(ctx context.Context, e *Explanation, locs []string) {
	if len(locs) == 0 {
		e.How = "it is not an address"
		return
	}
	for _, loc := range locs {
		if p := s.pageByURL(loc); p != nil {
			s.explainPage(ctx, e, p)
			return
		}
	}
	e.URL = locs[len(locs)-1]
	part, urlPath, ok := s.World.FindPart(e.URL)
	if !ok || !s.explainSimilar(ctx, e, part, urlPath) {
		s.explainURLWithoutPage(e, part, urlPath)
	}
}

// possibleFiles returns the paths in the tree t that target may mean. They include target itself,
// and "a.html" for "public/a.html" in the tree public. target may also be an absolute path. Slashes
// and backslashes separate folders.
func possibleFiles(t *facts.Tree, target string) []string {
	clean := path.Clean(strings.ReplaceAll(target, `\`, "/"))
	files := []string{target, clean}
	for _, dir := range []string{t.Name, filepath.ToSlash(t.Dir)} {
		if dir = path.Clean(dir); dir == clean {
			files = append(files, ".")
		} else if rest, ok := strings.CutPrefix(clean, dir+"/"); ok {
			files = append(files, rest)
		}
	}
	return files
}

// pageAtPath returns the page at the path file in the pages tree. file is the path of a page file,
// with or without ".html", or of a folder that contains an index.html. pageAtPath returns nil if
// there is no such page.
func (s *Explainer) pageAtPath(file string) *site.Page {
	for _, name := range []string{file, path.Join(file, "index.html"), path.Join(file, "index.htm"), file + ".html"} {
		if p := s.Page(name); p != nil {
			return p
		}
	}
	return nil
}

// explainBuiltFile explains the page at the path file in the pages tree; see pageAtPath. It returns
// false if there is no such page.
func (s *Explainer) explainBuiltFile(ctx context.Context, e *Explanation, file string) (isPage bool) {
	p := s.pageAtPath(file)
	if p != nil {
		s.explainPage(ctx, e, p)
	}
	return p != nil
}

// explainContentFile explains the page of the content file or index file at the path file in the
// content tree; see contentFileAt. If the page was not built, it explains why. It returns false if
// there is no such content file.
func (s *Explainer) explainContentFile(ctx context.Context, e *Explanation, file string) (isContentFile bool) {
	src := s.contentFileAt(file)
	if src == nil {
		return false
	}
	for p := range s.FilePages() {
		if p.Content == src {
			s.explainPage(ctx, e, p)
			return true
		}
	}
	s.explainUnbuiltContentFile(e, src)
	s.explainTooNew(ctx, e, src)
	return true
}

// contentFileAt returns the content file at the path file in the content tree. If file is the path
// of a folder, it returns the index file of this folder, such as index.md. It returns nil if there
// is no such content file.
func (s *Explainer) contentFileAt(file string) *site.ContentFile {
	src := s.World.ContentFile(file)
	for _, name := range []string{"_index.md", "index.md", "README.md"} {
		src = cmp.Or(src, s.World.ContentFile(path.Join(file, name)))
	}
	return src
}

// isFile reports whether the tree t contains the file, which need not be a page. It compares file
// with a list of all files, because some file systems ignore case and most hosts do not.
func (s *Explainer) isFile(ctx context.Context, t *facts.Tree, file string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names[t] == nil {
		s.names[t] = allFilePaths(ctx, t)
	}
	return s.names[t][file]
}

// allFilePaths returns the set of the paths of the files in t, including those that are not pages.
// It leaves out files that no walk visits, such as "node_modules/a.html"; see
// walker.BuiltInExclude. If t cannot be listed, the set is incomplete.
func allFilePaths(ctx context.Context, t *facts.Tree) map[string]bool {
	names := map[string]bool{}
	if all, err := walker.NewFilter([]string{"**"}, nil); err == nil {
		_, _ = t.Files.Walk(ctx, walker.Options{Filter: all, Jobs: 1}, func(_ int, f *walker.File) { names[f.Path] = true })
	}
	return names
}

// possibleURLs returns up to two URLs that target may mean. For the first URL, it reads target like
// a URL or path in the settings file. For the second URL, it reads target like a URL from a
// browser: it ignores the query and the fragment, and replaces the host of a local server by the
// host of the site. It returns nil for a path such as "../a".
func (s *Explainer) possibleURLs(target string) (locs []string) {
	base := s.World.Parts[0].Base
	if clean := path.Clean(target); clean == ".." || strings.HasPrefix(clean, "../") {
		return nil // a folder outside of the site
	}
	if s.o.Pages != nil { // such as public/a, if there is no such page file
		target, _ = s.o.Pages.FindByDisplayName(target)
	}
	if !strings.Contains(target, "://") {
		for i := range s.World.Parts {
			host := s.World.Parts[i].Base.Host()
			if rest, ok := strings.CutPrefix(target, host); ok && (rest == "" || rest[0] == '/') {
				target = "https://" + target
				break
			}
		}
	}
	add := func(loc string, err error) {
		if err == nil && !slices.Contains(locs, loc) {
			locs = append(locs, loc)
		}
	}
	add(s.World.Parts[0].ResolveURL(target))
	bare := target
	if i := strings.IndexAny(bare, "?#"); i >= 0 {
		bare = bare[:i]
	}
	if !strings.Contains(bare, "://") {
		bare = "http://localhost/" + strings.TrimLeft(bare, "/")
	}
	loc, err := base.Resolve(bare, base.String(), "")
	if err != nil {
		return locs
	}
	for i := range s.World.Parts {
		if b := s.World.Parts[i].Base; isOnSameHost(loc, b) || i == 0 && mapping.IsLocalHost(loc) {
			add(b.MoveToBase("http://localhost"+mapping.PathOf(loc)), nil) // MoveToBase moves only URLs of other sites
			return locs
		}
	}
	add(loc, nil)
	return locs
}

// isOnSameHost reports whether the URL loc has the host of b. Scheme, port and a leading "www." may
// differ.
func isOnSameHost(loc string, b mapping.Base) bool {
	return bareHostName(sitemap.HostOf(loc)) == bareHostName(b.Host())
}

// bareHostName returns host without port and without a leading "www.".
func bareHostName(host string) string {
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	return strings.TrimPrefix(host, "www.")
}

// pageByURL returns the page with the URL loc, whether the page is listed or not. If there is no
// such page, it returns a page that would have this URL if no rule set another URL. It returns nil
// if there is no such page either.
func (s *Explainer) pageByURL(loc string) *site.Page {
	all := slices.AppendSeq(slices.Clone(s.List), s.FilePages())
	all = append(all, s.Unmatched...)
	for _, p := range all {
		if p.Loc == loc {
			return p
		}
	}
	for _, p := range all {
		if p.Facts.FileLoc == loc {
			return p
		}
	}
	return nil
}

// explainSimilar explains the page whose URL path equals urlPath except for case, slash or ".html".
// If there is no such page, it explains a content file without a built page; see
// contentFileByURLPath. If there is no such content file, it explains a file that is excluded from
// the pages tree. It returns false if it finds nothing to explain.
func (s *Explainer) explainSimilar(ctx context.Context, e *Explanation, part *site.Part, urlPath string) (found bool) {
	if p := s.similarPage(part, urlPath); p != nil {
		s.explainPage(ctx, e, p)
		return true
	}
	if s.o.Pages == nil {
		return false
	}
	if src := s.contentFileByURLPath(part, urlPath); src != nil {
		s.explainUnbuiltContentFile(e, src)
		s.explainTooNew(ctx, e, src)
		return true
	}
	at := strings.Trim(path.Join(part.Dir, urlPath), "/")
	return slices.ContainsFunc([]string{at, at + ".html", path.Join(at, "index.html"), at + ".htm"}, func(file string) bool {
		return s.explainExcludedFile(ctx, e, file)
	})
}

// similarPage returns the page of part whose URL path equals urlPath except for case, slash or
// ".html". It prefers a listed page. It returns nil if there is no such page.
func (s *Explainer) similarPage(part *site.Part, urlPath string) (near *site.Page) {
	want := mapping.SpellingKey(urlPath)
	for p := range s.FilePages() {
		if s.World.PartOf(p) == part && mapping.SpellingKey(p.Facts.Path) == want && (near == nil || near.Reason() != page.Listed) {
			near = p
		}
	}
	return near
}

// contentFileByURLPath returns the content file whose page would be in part, and whose URL path
// would equal urlPath except for case, slash or ".html". It does not check whether the generator
// built the page. It returns nil if there is no such content file.
func (s *Explainer) contentFileByURLPath(part *site.Part, urlPath string) *site.ContentFile {
	want := mapping.SpellingKey(urlPath)
	for _, src := range s.World.ContentFiles {
		index, below := s.World.Facts.Parts.FindByFile(src.Output)
		if src.Output != "" && &s.World.Parts[index] == part && mapping.SpellingKey(part.Style.URLPath(below)) == want {
			return src
		}
	}
	return nil
}
