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
	src  []byte          // of the page read last
	said map[string]body // by file
}

// A body is what a page with this fact says in its body.
type body struct {
	of   *Page
	said []string
}

// EditLinks returns the links to edit the page that it carries.
func (s *Set) EditLinks(ctx context.Context, f *Page) ([]string, error) {
	return s.editLinks.read(ctx, s, f, func(src []byte) []string {
		var body page.Facts
		page.NewReader(page.Options{EditLinks: true}).Bytes(src, &body)
		return body.EditLinks
	})
}

// LinkPaths returns the URL paths below the base of its part that a page links to, in
// its head too.
func (s *Set) LinkPaths(ctx context.Context, f *Page) ([]string, error) {
	return s.linkPaths.read(ctx, s, f, func(src []byte) []string { return s.pathsOf(f, src) })
}

// read returns what is cached of a page, or reads the page. One that cannot be read says
// nothing.
func (c *bodyCache) read(ctx context.Context, s *Set, f *Page, says func(src []byte) []string) (said []string, err error) {
	c.Lock()
	defer c.Unlock()
	if b := c.said[f.File]; b.of == f {
		return b.said, nil
	}
	if c.src, err = s.o.Pages.Read(ctx, f.File, c.src); err != nil {
		return nil, err
	}
	said = says(c.src)
	if c.said == nil || len(c.said) > 2*len(s.Pages) { // most of it is of pages that are gone
		c.said = map[string]body{}
	}
	c.said[f.File] = body{f, said}
	return said, nil
}

// maxPaths is the maximum number of links read of one page.
const maxPaths = 4096

func (s *Set) pathsOf(of *Page, src []byte) (paths []string) {
	p := &s.Parts[of.Part]
	file, _ := p.Below(of.File)
	_, loc, err := p.Base.Place(p.Style, file)
	if err != nil {
		return nil
	}
	base := ""
	new(page.Refs).Find(src, func(r page.Ref) {
		switch {
		case r.Kind == page.Base:
			base = string(r.Value)
			return
		case r.Kind != page.Leads && r.Kind != page.Names, r.Value[0] == '#', len(paths) == maxPaths:
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
	w.buf, err = readOn(f, append(w.large.buf[:0], w.buf...))
	w.large.buf = w.buf
	return err
}

// readOn appends to b what is left of a file, of a large one up to a byte more than is
// read of a page.
func readOn(f *walker.File, b []byte) ([]byte, error) {
	if info, err := f.Stat(); err == nil {
		size := int(min(info.Size(), page.MaxBytes+1))
		b = slices.Grow(b, max(0, size-len(b))+bytes.MinRead) // to meet the end without more room
	}
	all := bytes.NewBuffer(b)
	_, err := all.ReadFrom(io.LimitReader(f, page.MaxBytes+1-int64(len(b))))
	return all.Bytes(), err
}

// Read returns what a file of the tree holds, in the room of b, of a large one a byte
// more than is read of a page; nothing of one that cannot be read.
func (t *Tree) Read(ctx context.Context, file string, b []byte) ([]byte, error) {
	b = b[:0]
	_, _, err := t.Visit(ctx, file, func(f *walker.File) {
		if all, err := readOn(f, b); err == nil {
			b = all
		}
	})
	return b, err
}

// close lets go of a large file.
func (w *whole) close() {
	if w.locked {
		w.locked = false
		w.large.Unlock()
	}
}
