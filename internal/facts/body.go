package facts

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/walker"
)

// A bodyCache caches values read from the bodies of pages, which few sites need. The cache
// reads a page on demand, and again after the Page of the file was replaced. All sets of a site
// share the cache. It is safe for concurrent use.
type bodyCache struct {
	sync.Mutex
	src   []byte          // bytes of the last page read
	pages map[string]body // by file
}

// A body contains the cached values of one page.
type body struct {
	of     *Page
	values []string
}

// EditLinks returns the edit links in the body of a page. An error means that the page cannot
// be read.
func (s *Set) EditLinks(ctx context.Context, f *Page) ([]string, error) {
	return s.editLinks.read(ctx, s, f, func(src []byte) []string {
		var body page.Facts
		page.NewReader(page.Options{EditLinks: true}).Bytes(src, &body)
		return body.EditLinks
	})
}

// LinkPaths returns the URL paths that a page links to in its head and body, sorted and without
// duplicates. Paths are relative to the base URL of the page's part; other links are left out.
func (s *Set) LinkPaths(ctx context.Context, f *Page) ([]string, error) {
	return s.linkPaths.read(ctx, s, f, func(src []byte) []string { return s.linkPathsOf(f, src) })
}

// read returns the cached values of a page. If the page is not cached, read reads the page and
// extracts the values from its bytes.
func (c *bodyCache) read(ctx context.Context, s *Set, f *Page, extract func(src []byte) []string) (values []string, err error) {
	c.Lock()
	defer c.Unlock()
	if b := c.pages[f.File]; b.of == f {
		return b.values, nil
	}
	if c.src, err = s.o.Pages.Read(ctx, f.File, c.src); err != nil {
		return nil, err
	}
	values = extract(c.src)
	if c.pages == nil || len(c.pages) > 2*len(s.Pages) { // most entries are of removed pages
		c.pages = map[string]body{}
	}
	c.pages[f.File] = body{f, values}
	return values, nil
}

// maxPaths is the maximum number of links read from one page.
const maxPaths = 4096

func (s *Set) linkPathsOf(of *Page, src []byte) (paths []string) {
	p := &s.Parts[of.Part]
	file, _ := p.Below(of.File)
	_, loc, err := p.Base.FileURL(p.Style, file)
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
		to, err := p.Base.Resolve(string(r.Value), loc, base)
		if err != nil {
			return
		}
		to, _, _ = strings.Cut(p.Base.OwnScheme(to), "?")
		if urlPath, ok := p.Base.Path(to); ok {
			paths = append(paths, urlPath)
		}
	})
	slices.Sort(paths)
	return slices.Compact(paths)
}

// usualPage is a buffer size in bytes that fits nearly every page.
const usualPage = 64 << 10

// A whole reads files completely, one after another. Of the files larger than usualPage, only one
// is in memory at a time.
type whole struct {
	buf     []byte      // bytes of the current file
	usual   []byte      // buffer for most files
	large   *sync.Mutex // shared by all readers
	isLarge bool        // the current file holds the mutex
}

// read reads a file into w.buf, at most one byte more than page.MaxBytes. The bytes are valid
// until close.
func (w *whole) read(f *walker.File) error {
	if w.usual == nil {
		w.usual = make([]byte, usualPage)
	}
	n, err := io.ReadFull(f, w.usual)
	w.buf = w.usual[:n]
	if err == nil {
		w.large.Lock()
		w.isLarge = true
		w.buf, err = readOn(f, slices.Clone(w.buf))
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// close lets other readers read a large file.
func (w *whole) close() {
	if w.isLarge {
		w.buf, w.isLarge = nil, false
		w.large.Unlock()
	}
}

// readOn appends the rest of a file to b, up to a total of page.MaxBytes+1 bytes.
func readOn(f *walker.File, b []byte) ([]byte, error) {
	all := bytes.NewBuffer(b)
	_, err := all.ReadFrom(io.LimitReader(f, page.MaxBytes+1-int64(len(b))))
	return all.Bytes(), err
}

// Read reads a file of the tree into b, at most one byte more than page.MaxBytes. The result is
// empty if the file cannot be read.
func (t *Tree) Read(ctx context.Context, file string, b []byte) ([]byte, error) {
	b = b[:0]
	_, _, err := t.Visit(ctx, file, func(f *walker.File) {
		if all, err := readOn(f, b); err == nil {
			b = all
		}
	})
	return b, err
}
