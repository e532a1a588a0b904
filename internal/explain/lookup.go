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

// byFile explains a path of the file system as a page, a content file, or another file. It reports
// whether it is one.
func (s *explainer) byFile(ctx context.Context, e *Explanation, target string) bool {
	if strings.Contains(target, "://") {
		return false
	}
	find := func(t *facts.Tree, explain func(ctx context.Context, e *Explanation, file string) bool) bool {
		return t != nil && slices.ContainsFunc(filesOf(t, target), func(file string) bool { return explain(ctx, e, file) })
	}
	return find(s.o.Pages, s.explainBuilt) || find(s.o.Content, s.explainSource) ||
		find(s.o.Pages, s.explainExcluded) || find(s.o.Content, s.explainUnread)
}

// byAddress explains the first of some addresses that is known. The last may have any spelling.
func (s *explainer) byAddress(ctx context.Context, e *Explanation, locs []string) {
	if len(locs) == 0 {
		e.How = "it is not an address"
		return
	}
	for _, loc := range locs {
		if r := s.byLoc(loc); r != nil {
			s.explainPage(ctx, e, r)
			return
		}
	}
	e.URL = locs[len(locs)-1]
	p, urlPath, ok := s.World.FindPart(e.URL)
	if !ok || !s.bySpelling(ctx, e, p, urlPath) {
		s.explainAddress(e, p, urlPath)
	}
}

// filesOf returns the files of a tree that a path may mean: a path of this or another file system, or
// a path in the tree.
func filesOf(t *facts.Tree, target string) []string {
	clean := path.Clean(strings.ReplaceAll(target, `\`, "/"))
	files := []string{target, clean}
	for _, dir := range []string{t.Name, filepath.ToSlash(t.Dir)} {
		if dir = path.Clean(dir); dir == clean {
			files = append(files, ".")
		} else if rest, ok := strings.CutPrefix(clean, dir+"/"); ok {
			files = append(files, rest)
		}
	}
	if name := path.Base(filepath.ToSlash(t.Dir)); t.Dir != "" && isAbsolute(clean) {
		if _, rest, ok := strings.Cut(clean, "/"+name+"/"); ok {
			files = append(files, rest)
		}
	}
	return files
}

// isAbsolute reports whether a path with slashes is absolute, on this system or on Windows.
func isAbsolute(p string) bool { return strings.HasPrefix(p, "/") || len(p) > 1 && p[1] == ':' }

// pageOf returns the page of a file or folder of the pages tree, or nil.
func (s *explainer) pageOf(file string) *site.Page {
	for _, name := range []string{file, path.Join(file, "index.html"), path.Join(file, "index.htm"), file + ".html"} {
		if p := s.Page(name); p != nil {
			return p
		}
	}
	return nil
}

// explainBuilt explains the page of a file or folder of the pages tree.
func (s *explainer) explainBuilt(ctx context.Context, e *Explanation, file string) bool {
	r := s.pageOf(file)
	if r != nil {
		s.explainPage(ctx, e, r)
	}
	return r != nil
}

// explainSource explains the page of a file or folder of the content tree, or the content file if it
// has no page.
func (s *explainer) explainSource(ctx context.Context, e *Explanation, file string) bool {
	src := s.contentAt(file)
	if src == nil {
		return false
	}
	for r := range s.FilePages() {
		if r.Content == src {
			s.explainPage(ctx, e, r)
			return true
		}
	}
	s.explainUnbuilt(e, src)
	s.explainNewer(ctx, e, src)
	return true
}

// contentAt returns a content file, the index file of a content folder, or nil.
func (s *explainer) contentAt(file string) *site.ContentFile {
	src := s.World.ContentFile(file)
	for _, name := range []string{"_index.md", "index.md", "README.md"} {
		src = cmp.Or(src, s.World.ContentFile(path.Join(file, name)))
	}
	return src
}

// isFile reports whether a tree has a file, a page or not. It lists the tree once, because a file
// system may find a file by a name in other case, and most hosts do not.
func (s *explainer) isFile(ctx context.Context, t *facts.Tree, file string) bool {
	if s.names[t] == nil {
		s.names[t] = allFilePaths(ctx, t)
	}
	return s.names[t][file]
}

func allFilePaths(ctx context.Context, t *facts.Tree) map[string]bool {
	names := map[string]bool{}
	if all, err := walker.NewFilter([]string{"**"}, nil); err == nil {
		_, _ = t.Files.Walk(ctx, walker.Options{Filter: all, Jobs: 1}, func(_ int, f *walker.File) { names[f.Path] = true })
	}
	return names
}

// addresses returns the addresses that a target may mean: as in the configuration, then as in a
// browser that shows the published site or a local server.
func (s *explainer) addresses(target string) (locs []string) {
	base := s.World.Parts[0].Base
	if clean := path.Clean(target); clean == ".." || strings.HasPrefix(clean, "../") {
		return nil // a folder outside of the site
	}
	if s.o.Pages != nil { // a folder without a page, or a file that is not there
		target, _ = s.o.Pages.FileOf(target)
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
	add(s.World.Parts[0].Resolve(target))
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
		if b := s.World.Parts[i].Base; sameSite(loc, b) || i == 0 && mapping.IsLocalHost(loc) {
			add(b.MoveToBase("http://localhost"+mapping.PathOf(loc)), nil) // of another site, so that it is moved
			return locs
		}
	}
	add(loc, nil)
	return locs
}

// sameSite reports whether an address is on the base's host. Scheme, port and www may differ.
func sameSite(loc string, b mapping.Base) bool {
	return hostName(sitemap.HostOf(loc)) == hostName(b.Host())
}

func hostName(host string) string {
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	return strings.TrimPrefix(host, "www.")
}

func (s *explainer) byLoc(loc string) *site.Page {
	all := slices.AppendSeq(slices.Clone(s.List), s.FilePages())
	all = append(all, s.Unmatched...)
	for _, r := range all {
		if r.Entry.Loc == loc {
			return r
		}
	}
	for _, r := range all {
		if mapped, err := s.World.FileURL(r); err == nil && mapped == loc {
			return r
		}
	}
	return nil
}

// bySpelling explains a URL path in any spelling: as a page, as a content file that was not built, or as
// another file.
func (s *explainer) bySpelling(ctx context.Context, e *Explanation, p *site.Part, urlPath string) bool {
	if r := s.near(p, urlPath); r != nil {
		s.explainPage(ctx, e, r)
		return true
	}
	if s.o.Pages == nil {
		return false
	}
	if src := s.unbuiltAt(p, urlPath); src != nil {
		s.explainUnbuilt(e, src)
		s.explainNewer(ctx, e, src)
		return true
	}
	at := strings.Trim(path.Join(p.Dir, urlPath), "/")
	return slices.ContainsFunc([]string{at, at + ".html", path.Join(at, "index.html"), at + ".htm"}, func(file string) bool {
		return s.explainExcluded(ctx, e, file)
	})
}

// near returns the page whose address differs from a URL path only in spelling, preferably a listed
// page, or nil.
func (s *explainer) near(p *site.Part, urlPath string) (near *site.Page) {
	want := mapping.Spelling(urlPath)
	for r := range s.FilePages() {
		if s.World.PartOf(r) == p && mapping.Spelling(s.World.Path(r)) == want && (near == nil || near.Reason() != page.Listed) {
			near = r
		}
	}
	return near
}

// unbuiltAt returns the content file whose page would have an address if the generator had built the
// page, or nil.
func (s *explainer) unbuiltAt(p *site.Part, urlPath string) *site.ContentFile {
	want := mapping.Spelling(urlPath)
	for _, src := range s.World.ContentFiles {
		part, below := s.World.Facts.Parts.Of(src.Output)
		if src.Output != "" && &s.World.Parts[part] == p && mapping.Spelling(p.Style.URLPath(below)) == want {
			return src
		}
	}
	return nil
}
