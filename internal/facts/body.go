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
// addresses are spelled as in the page. It returns nil for a page that cannot be read. It returns
// an error if the pages tree cannot be searched, or if ctx has ended.
func (s *Set) EditLinks(ctx context.Context, p *Page) ([]string, error) {
	return s.editLinks.getOrRead(ctx, s, p, func(src []byte) []string {
		var body page.Facts
		page.NewReader(page.Options{EditLinks: true}).ReadBytes(src, &body)
		return body.EditLinks
	})
}

// LinkPaths returns the URL paths to which the page p links, sorted and without duplicates, such as
// "/a/". They include the paths of its canonical link and alternates. The paths are relative to the
// base URL of the page's part, and links outside of this base URL are left out. LinkPaths uses only
// the first maxPaths links. It returns an error in the same cases as EditLinks.
func (s *Set) LinkPaths(ctx context.Context, p *Page) ([]string, error) {
	return s.linkPaths.getOrRead(ctx, s, p, func(src []byte) []string { return s.linkPathsOf(p, src) })
}

// getOrRead returns the cached values of the page p. If the page is not in the cache, it reads the
// page, calls extract with its bytes, and stores the result.
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

// usualPage is the size in bytes of a buffer that is large enough for nearly every page.
const usualPage = 64 << 10

// A wholeReader reads whole files, one after another. Several readers can share the mutex large.
// Only one of these readers at a time then has a file larger than usualPage in memory.
type wholeReader struct {
	buf     []byte      // bytes of the current file
	usual   []byte      // buffer for files of up to usualPage bytes
	large   *sync.Mutex // locked while a large file is in memory; shared by all wholeReaders
	isLarge bool        // the current file is large, and large is locked
}

// readFile reads the file f into w.buf, at most page.MaxBytes+1 bytes. The bytes are valid until
// release.
func (w *wholeReader) readFile(f *walker.File) error {
	if w.usual == nil {
		w.usual = make([]byte, usualPage)
	}
	n, err := io.ReadFull(f, w.usual)
	w.buf = w.usual[:n]
	if err == nil {
		w.large.Lock()
		w.isLarge = true
		w.buf, err = appendRestOfFile(f, slices.Clone(w.buf))
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// release ends the use of the current file. If the file was large, another wholeReader may then
// read a large file.
func (w *wholeReader) release() {
	if w.isLarge {
		w.buf, w.isLarge = nil, false
		w.large.Unlock()
	}
}

// appendRestOfFile appends the rest of the file f to b, until b has page.MaxBytes+1 bytes.
func appendRestOfFile(f *walker.File, b []byte) ([]byte, error) {
	all := bytes.NewBuffer(b)
	_, err := all.ReadFrom(io.LimitReader(f, page.MaxBytes+1-int64(len(b))))
	return all.Bytes(), err
}

// Read returns the bytes of a file in the tree, at most page.MaxBytes+1. It reuses the memory of b.
// The result is empty if the filter of the tree does not select the file, or if the file cannot be
// read. Read returns an error if the tree cannot be searched, or if ctx has ended.
func (t *Tree) Read(ctx context.Context, file string, b []byte) ([]byte, error) {
	b = b[:0]
	_, _, err := t.Visit(ctx, file, func(f *walker.File) {
		if all, err := appendRestOfFile(f, b); err == nil {
			b = all
		}
	})
	return b, err
}
