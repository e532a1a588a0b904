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

// A bodyCache keeps what the bodies of pages say, which few sites need, and of few
// pages: it is read when somebody asks, and again once the page's fact is another
// one. The sets of a site share it. It is safe for concurrent use.
type bodyCache struct {
	sync.Mutex
	reader *page.Reader
	said   map[string]body // by file
}

// A body is what a page with this fact says in its body.
type body struct {
	of   *Page
	said []string
}

// EditLinks returns the links to edit the page that it carries.
func (s *Set) EditLinks(ctx context.Context, f *Page) ([]string, error) {
	o := s.o.Page
	o.EditLinks = true
	return s.editLinks.read(ctx, s, f, o, func(body *page.Facts) []string { return slices.Clone(body.EditLinks) })
}

// LinkPaths returns the URL paths below the base of its part that a page links to, in
// its head too.
func (s *Set) LinkPaths(ctx context.Context, f *Page) ([]string, error) {
	o := page.Options{Zone: s.o.Page.Zone, Links: true, Alternates: true}
	return s.linkPaths.read(ctx, s, f, o, func(body *page.Facts) []string { return s.pathsOf(f, body) })
}

// read returns what is cached of a page, or reads the page as far as the options
// want it, which is beyond its head. A page that cannot be read says nothing.
func (c *bodyCache) read(ctx context.Context, s *Set, f *Page, o page.Options, says func(*page.Facts) []string) ([]string, error) {
	c.Lock()
	defer c.Unlock()
	if b := c.said[f.File]; b.of == f {
		return b.said, nil
	}
	if c.reader == nil {
		c.reader = page.NewReader(o)
	}
	b := body{of: f}
	_, _, err := s.o.Pages.Visit(ctx, f.File, func(file *walker.File) {
		var facts page.Facts
		if c.reader.HTML(file, &facts) == nil {
			b.said = says(&facts)
		}
	})
	if err != nil {
		return nil, err
	}
	if c.said == nil || len(c.said) > 2*len(s.Pages) { // most of it is of pages that are gone
		c.said = map[string]body{}
	}
	c.said[f.File] = b
	return b.said, nil
}

func (s *Set) pathsOf(of *Page, f *page.Facts) (paths []string) {
	p := &s.Parts[of.Part]
	file, _ := p.Below(of.File)
	_, loc, err := p.Base.Place(p.Style, file)
	if err != nil {
		return nil
	}
	refs := append(f.Links, f.Canonical)
	for _, a := range f.URL.Alternates {
		refs = append(refs, a.Href)
	}
	for _, ref := range refs { // an empty one is no address
		to, err := p.Base.Resolve(ref, loc, f.Base)
		if err != nil {
			continue
		}
		to, _, _ = strings.Cut(p.Base.OwnScheme(to), "?")
		if urlPath, ok := p.Base.Path(to); ok {
			paths = append(paths, urlPath)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// usualPage is room for nearly every page.
const usualPage = 64 << 10

// A whole reads files to their end, one after another.
type whole struct {
	buf    []byte // of the file at hand
	usual  []byte // room for most files
	large  *large // of all that read side by side
	locked bool   // large is that of the file at hand
}

// A large is room for one file that is larger than most. Only one is in memory at a
// time, however many read.
type large struct {
	sync.Mutex
	buf []byte
}

// read reads a file, of a large one a byte more than is read of a page; its bytes are
// valid until close.
func (w *whole) read(f *walker.File) error {
	if w.usual == nil {
		w.usual = make([]byte, usualPage)
	}
	n, err := io.ReadFull(f, w.usual)
	w.buf = w.usual[:n]
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil
	case err != nil:
		return err
	}
	w.large.Lock()
	w.locked = true
	size := 2 * n
	if info, err := f.Stat(); err == nil {
		size = max(size, int(min(info.Size(), page.MaxBytes+1))+bytes.MinRead) // to meet the end without more room
	}
	if cap(w.large.buf) < size {
		w.large.buf = nil // not to have both at once
		w.large.buf = make([]byte, 0, size)
	}
	all := bytes.NewBuffer(append(w.large.buf[:0], w.buf...))
	_, err = all.ReadFrom(io.LimitReader(f, page.MaxBytes+1-int64(n)))
	w.buf, w.large.buf = all.Bytes(), all.Bytes()
	return err
}

// close lets go of a large file.
func (w *whole) close() {
	if w.locked {
		w.locked = false
		w.large.Unlock()
	}
}
