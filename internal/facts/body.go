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

// A bodyCache caches values that few sites need and that are read from the bodies of pages, such as
// links. It reads a page on demand, and again after the Page of the file was replaced. All sets of
// a site share the cache. It is safe for concurrent use.
type bodyCache struct {
	sync.Mutex
	src   []byte          // buffer with the last page read
	pages map[string]body // by page file
}

// A body contains what was read from the body of one page, such as its links.
type body struct {
	of     *Page // the page for which values were read
	values []string
}

// EditLinks returns the addresses in the body of a page that may be "edit this page" links. An
// error means that the page cannot be read.
func (s *Set) EditLinks(ctx context.Context, f *Page) ([]string, error) {
	return s.editLinks.read(ctx, s, f, func(src []byte) []string {
		var body page.Facts
		page.NewReader(page.Options{EditLinks: true}).Bytes(src, &body)
		return body.EditLinks
	})
}

// LinkPaths returns the URL paths to which a page links, sorted and without duplicates. The paths
// are relative to the base URL of the page's part; links to other sites are left out.
func (s *Set) LinkPaths(ctx context.Context, f *Page) ([]string, error) {
	return s.linkPaths.read(ctx, s, f, func(src []byte) []string { return s.linkPathsOf(f, src) })
}

// read returns the cached values of a page. If the page is not in the cache, read gets the values
// by calling extract with the bytes of the page.
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
	if c.pages == nil || len(c.pages) > 2*len(s.Pages) { // most entries belong to removed pages
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
		to, _, _ = strings.Cut(p.Base.WithOwnScheme(to), "?")
		if urlPath, ok := p.Base.Path(to); ok {
			paths = append(paths, urlPath)
		}
	})
	slices.Sort(paths)
	return slices.Compact(paths)
}

// usualPage is the size in bytes of a buffer that nearly every page fits into.
const usualPage = 64 << 10

// A wholeReader reads whole files, one after another. Of the files larger than usualPage, all
// wholeReaders together have only one in memory at a time.
type wholeReader struct {
	buf     []byte      // bytes of the current file
	usual   []byte      // buffer for files of up to usualPage bytes
	large   *sync.Mutex // locked while a large file is in memory; shared by all wholeReaders
	isLarge bool        // the current file is large, and large is locked
}

// read reads a file into w.buf, at most page.MaxBytes+1 bytes. The bytes are valid until close.
func (w *wholeReader) read(f *walker.File) error {
	if w.usual == nil {
		w.usual = make([]byte, usualPage)
	}
	n, err := io.ReadFull(f, w.usual)
	w.buf = w.usual[:n]
	if err == nil {
		w.large.Lock()
		w.isLarge = true
		w.buf, err = readRest(f, slices.Clone(w.buf))
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// close releases the current file, so that other readers may read a large file.
func (w *wholeReader) close() {
	if w.isLarge {
		w.buf, w.isLarge = nil, false
		w.large.Unlock()
	}
}

// readRest appends the rest of a file to b, up to a total of page.MaxBytes+1 bytes.
func readRest(f *walker.File, b []byte) ([]byte, error) {
	all := bytes.NewBuffer(b)
	_, err := all.ReadFrom(io.LimitReader(f, page.MaxBytes+1-int64(len(b))))
	return all.Bytes(), err
}

// Read reads a file of the tree into the buffer b and returns its bytes, at most page.MaxBytes+1.
// The result is empty if the file cannot be read.
func (t *Tree) Read(ctx context.Context, file string, b []byte) ([]byte, error) {
	b = b[:0]
	_, _, err := t.Visit(ctx, file, func(f *walker.File) {
		if all, err := readRest(f, b); err == nil {
			b = all
		}
	})
	return b, err
}
