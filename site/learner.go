package site

import (
	"bytes"
	"errors"
	"io"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/walker"
)

// A learner reads pages on one goroutine.
type learner struct {
	s      *Set
	mutes  bool
	reader *page.Reader
	said   page.Facts // of the file at hand
	facts  chunks[fact]
	tree   []byte // what stands before a path where the user would type it
	name   []byte // of the file at hand, as the user would type it
	number int    // of the worker
	whole  []byte // the file at hand, where Bodies are asked for
}

// newLearner returns a learner. One that mutes does not make the findings that
// nobody would read.
func (s *Set) newLearner(mutes bool) *learner {
	l := &learner{s: s, mutes: mutes, tree: appendFolder(nil, s.o.Pages.Name)}
	o := s.o.Page
	o.Muted, o.Whole = l.muted, true
	l.reader = page.NewReader(o)
	return l
}

// appendFolder appends the folder as path.Join would write it before a file.
func appendFolder(b []byte, dir string) []byte {
	if dir = path.Clean(dir); dir == "." {
		return b
	}
	b = append(b, dir...)
	if dir != "/" {
		b = append(b, '/')
	}
	return b
}

// warn adds a finding about the file at hand.
func (l *learner) warn(code, hint, format string, args ...any) {
	if l.muted(code) {
		l.said.Muted = append(l.said.Muted, code)
		return
	}
	l.said.Diags.Warnf(diag.Pos{}, code, hint, format, args...)
}

// muted reports whether a finding about the file at hand would only be counted.
func (l *learner) muted(code string) bool { return l.mutes && l.s.said.Full(code, l.name) }

// page reads one file into a fact.
func (l *learner) page(f *walker.File) {
	r := l.facts.next()
	ds := l.read(r, f)
	if l.s.ownPage(r, l.reader.Head()) {
		l.facts.undo()
		return
	}
	if l.s.o.Bodies != nil && r.own != page.Unreadable {
		l.s.o.Bodies(l.number, Body{r.file, r.loc, l.whole})
	}
	l.s.say(r, ds)
	for _, code := range l.said.Muted {
		l.s.said.More(code, diag.Warning)
	}
}

// ownPage reports whether a page is the one that an earlier run wrote for
// people. It is no page of the site.
func (s *Set) ownPage(r *fact, head []byte) bool {
	if s.o.OwnPage == "" || !strings.HasSuffix(r.file, s.o.OwnPage) {
		return false
	}
	_, below := s.parts.at(r.file)
	return below == s.o.OwnPage && sitemap.Marked(head)
}

// say keeps what went wrong with a record's file.
func (s *Set) say(r *fact, ds diag.List) {
	if len(ds) == 0 {
		return
	}
	ds = inTree(s.o.Pages, r.file, ds)
	if s.o.Remember {
		r.more().diags = ds
		return
	}
	s.said.Add(ds...)
}

func (l *learner) read(r *fact, f *walker.File) diag.List {
	r.file = f.Path
	l.name = append(append(l.name[:0], l.tree...), f.Path...)
	l.said.Muted = l.said.Muted[:0]
	part, below := l.s.parts.at(f.Path)
	p := &l.s.parts[part]
	path, loc, err := p.Base.Place(p.Style, below)
	r.put(part, path, loc)
	r.ending = p.Style.Ending(below)
	src, unread := l.source(f)
	if err != nil {
		r.own = page.InvalidURL
		return invalidURL(err)
	}
	if page.IsErrorPage(f.Path) {
		r.own = page.ErrorPage
		return nil
	}
	l.reader.Own = loc
	if unread == nil {
		unread = l.reader.HTML(src, &l.said)
	}
	if err := unread; err != nil {
		r.own = page.Unreadable
		return unreadable(err)
	}
	if page.IsVerification(f.Path, l.reader.Head()) {
		r.own = page.Verification
		return nil
	}
	l.take(r, loc)
	if l.s.wantsMTime(r) {
		if info, err := f.Stat(); err == nil {
			r.mtime = uint32(min(max(info.ModTime().Unix(), 0), math.MaxUint32))
		}
	}
	return l.said.Diags
}

// source returns what to read a page from: the file, or where bodies are asked for
// all that is in it.
func (l *learner) source(f *walker.File) (io.Reader, error) {
	if l.s.o.Bodies == nil {
		return f, nil
	}
	const most = 1 << 20 // that is kept for the next file
	if l.whole = l.whole[:0]; cap(l.whole) > most {
		l.whole = nil
	}
	for {
		if cap(l.whole)-len(l.whole) < 4<<10 {
			l.whole = slices.Grow(l.whole, max(60<<10, len(l.whole)))
		}
		n, err := f.Read(l.whole[len(l.whole):cap(l.whole)])
		l.whole = l.whole[:len(l.whole)+n]
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return bytes.NewReader(l.whole), err
		}
	}
}

func invalidURL(err error) (ds diag.List) {
	ds.Warnf(diag.Pos{}, "invalid-url", "rename the file, or exclude it", "%v; the page is left out", err)
	return ds
}

// take copies what the page says into its fact, addresses resolved.
func (l *learner) take(r *fact, loc string) {
	f := &l.said
	r.own = f.Skip
	r.lastmod = f.URL.LastMod
	r.by = uint8(slices.Index(page.DateKeys, f.LastModBy) + 1)
	if f.Skip == page.Redirect && l.refreshesItself(loc) {
		r.own = page.Listed
	}
	l.canonical(r, loc)
	l.alternates(r, loc)
	l.images(r, loc)
	if l.s.o.Page.Titles { // the fingerprint needs them, too
		l.titles(r, loc)
	}
	if f.Fingerprint != "" {
		r.fingerprint = new([page.FingerprintSize]byte)
		copy(r.fingerprint[:], f.Fingerprint)
	}
	if !f.Expiry.IsZero() {
		r.more().expiry = f.Expiry
	}
}

// titles copies what feeds and the page for people tell of the page, and of the
// site when it is its home page.
func (l *learner) titles(r *fact, loc string) {
	f := &l.said
	if f.Title == "" && f.Summary == "" && f.Lang == "" && f.Published.IsZero() {
		return
	}
	x := r.more()
	x.title, x.summary, x.published, x.html = f.Title, f.Summary, f.Published, f.Lang
	if loc == l.s.parts[r.part].Base.String() {
		x.site = f.SiteName
	}
}

// refreshesItself reports whether the page's refresh leads to the page, which
// is no redirect: a page of news loads itself again.
func (l *learner) refreshesItself(loc string) bool {
	to, err := l.s.o.Base.Resolve(l.said.Refresh, loc, l.said.Base)
	return err == nil && to == loc
}

func (l *learner) canonical(r *fact, loc string) {
	f := &l.said
	r.og = l.ownEnding(r, loc, f.OGURL)
	if f.Canonical == "" {
		return
	}
	if r.says = l.ownEnding(r, loc, f.Canonical); r.says != mapping.AnyEnding {
		return
	}
	to, err := l.resolve(r, f.Canonical, loc)
	if err != nil {
		l.warn("bad-canonical", "give the page's own absolute address as its canonical link",
			"canonical %q is ignored: %v", f.Canonical, err)
		return
	}
	r.more().canonical = to
	base := l.s.parts[r.part].Base
	if urlPath, ok := base.Path(base.OwnScheme(to)); ok {
		_, below := l.s.parts.at(r.file)
		r.says = mapping.EndingOf(below, urlPath)
	}
}

// ownEnding returns the ending of an address as written that is the page's own.
func (l *learner) ownEnding(r *fact, loc, ref string) mapping.Ending {
	if ref == "" || ref == loc {
		if ref == "" {
			return mapping.AnyEnding
		}
		return r.ending
	}
	to, err := l.resolve(r, ref, loc)
	if err != nil {
		return mapping.AnyEnding
	}
	urlPath, ok := l.s.parts[r.part].Base.Path(to)
	if !ok {
		return mapping.AnyEnding
	}
	_, below := l.s.parts.at(r.file)
	return mapping.EndingOf(below, urlPath)
}

func (l *learner) alternates(r *fact, loc string) {
	f := &l.said
	if len(f.URL.Alternates) == 0 {
		return
	}
	x := r.more()
	x.lang = f.Lang
	for _, a := range f.URL.Alternates {
		href, err := l.resolve(r, a.Href, loc)
		if err != nil {
			l.warn("bad-alternate", "give the absolute address of the page in that language",
				"alternate %q for %s is ignored: %v", a.Href, a.Lang, err)
			continue
		}
		x.url.Alternates = append(x.url.Alternates, sitemap.Alternate{Lang: a.Lang, Href: href})
	}
}

func (l *learner) images(r *fact, loc string) {
	f := &l.said
	seen := map[string]bool{}
	for _, img := range f.URL.Images {
		src, err := l.resolve(r, img.Loc, loc)
		if err != nil {
			l.warn("bad-image", "mend the image's address", "image %q is ignored: %v", img.Loc, err)
			continue
		}
		if !seen[src] {
			seen[src] = true
			r.more().url.Images = append(r.more().url.Images, sitemap.Image{Loc: src})
		}
	}
}
