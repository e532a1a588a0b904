package facts

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/walker"
)

// A bodyCache stores values from the bodies of pages, such as links. It reads the body of a page
// only when a caller requests its values, because few sites need them. It reads the body again
// after the file has changed. All sets of a site share the cache. It is safe for concurrent use.
type bodyCache struct {
	sync.Mutex
	src   []byte          // buffer with the last page read
	pages map[string]body // by page file
}

// A body contains the values that were read from the body of one page, such as its links.
type body struct {
	of     *Page // the page for which values were read
	values []string
}

// EditLinks returns the addresses in the body of the page p that may be "edit this page" links. The
// addresses are spelled as in the page. It returns nil for a page that cannot be read, and for a
// page with a noindex. It returns an error if the pages tree cannot be searched, or if ctx has
// ended.
func (s *Set) EditLinks(ctx context.Context, p *Page) ([]string, error) {
	return s.editLinks.getOrRead(ctx, s, p, func(src []byte) []string {
		var body page.Facts
		page.NewReader(page.Options{EditLinks: true}).ReadBytes(src, &body)
		return body.EditLinks
	})
}

// LinkPaths returns the URL paths to which the page p links, sorted and without duplicates, such as
// "/a/". They include the paths of its canonical link and alternates, but no queries and fragments.
// The paths are relative to the base URL of the page's part, and links outside of this base URL are
// left out. LinkPaths uses only the first maxPaths of the remaining links. It returns nil for a
// page that cannot be read, and an error in the same cases as EditLinks.
func (s *Set) LinkPaths(ctx context.Context, p *Page) ([]string, error) {
	return s.linkPaths.getOrRead(ctx, s, p, func(src []byte) []string { return s.linkPathsOf(p, src) })
}

// getOrRead returns the cached values of the page p. If the cache has no values of p, or only those
// of an earlier version of its file, it reads the file, calls extract with its bytes, and stores
// the result. If the file cannot be read, extract gets no bytes.
func (c *bodyCache) getOrRead(ctx context.Context, s *Set, p *Page, extract func(src []byte) []string) (values []string, err error) {
	c.Lock()
	defer c.Unlock()
	if b := c.pages[p.File]; b.of == p {
		return b.values, nil
	}
	if c.src, err = s.o.Pages.Read(ctx, p.File, c.src); err != nil {
		return nil, err
	}
	values = extract(c.src)
	if c.pages == nil || len(c.pages) > 2*len(s.Pages) { // most entries belong to removed pages
		c.pages = map[string]body{}
	}
	c.pages[p.File] = body{p, values}
	return values, nil
}

// maxPaths is the maximum number of links to pages of the site that LinkPaths uses in one page.
const maxPaths = 4096

func (s *Set) linkPathsOf(p *Page, src []byte) (paths []string) {
	part := &s.Parts[p.Part]
	file, _ := part.Below(p.File)
	_, loc, err := part.Base.FileURL(part.Style, file)
	if err != nil {
		return nil
	}
	base := ""
	new(page.Refs).Find(src, func(r page.Ref) {
		switch {
		case r.Kind == page.RefBase:
			base = string(r.Value)
			return
		case r.Kind != page.RefLink && r.Kind != page.RefPageURL, r.Value[0] == '#', len(paths) == maxPaths:
			return
		}
		to, err := part.Base.Resolve(string(r.Value), loc, base)
		if err != nil {
			return
		}
		to, _, _ = strings.Cut(part.Base.WithOwnScheme(to), "?")
		if urlPath, ok := part.Base.Path(to); ok {
			paths = append(paths, urlPath)
		}
	})
	slices.Sort(paths)
	return slices.Compact(paths)
}

// Read returns the bytes of a file in the tree, at most page.MaxBytes+1. It reuses the memory of b.
// The result is empty if the filter of the tree does not select the file, or if the file cannot be
// read. Read returns an error if the tree cannot be searched, or if ctx has ended.
func (t *Tree) Read(ctx context.Context, file string, b []byte) ([]byte, error) {
	b = b[:0]
	_, _, err := t.VisitSelectedFile(ctx, file, func(f *walker.File) {
		all := bytes.NewBuffer(b)
		if _, err := all.ReadFrom(io.LimitReader(f, page.MaxBytes+1)); err == nil {
			b = all.Bytes()
		}
	})
	return b, err
}
