package page

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Reader reads pages from HTML. It reuses its buffers and is for one
// goroutine. In a page without findings it allocates the strings that it
// returns and nothing else.
type Reader struct {
	// Own is the address of the page to be read next, where it is known: most
	// pages name it as their canonical, and then share its memory.
	Own string

	source
	limited io.LimitedReader // what src reads from, but for Bytes

	o      Options
	body   bool // something asks for the body
	titles bool // something asks for the title and the description
	f      *Facts
	tag    tag    // read last
	text   span   // read last
	lower  []byte // of element

	scratch   []byte // of attr and of text with character references
	afterHead bool   // </head> has been seen
	shape     shape
	encoded   bool // the encoding is settled
	again     bool // it was settled too late for what has been read

	langSeen, titleSeen, baseSeen, refreshSeen bool
	lastScript, lastNoscript                   span // valid until bytes are gone

	lang, address string // the last ones that were read, to be kept once: many pages have the same
	canonical     string // the first that counts
	contradicted  bool   // another canonical differs from it
	dates         [numDateKeys]sitemap.Date
	ld            linkedData
	alternates    Alternates
	content
}

// NewReader returns a Reader that looks for what o asks. Selectors that
// o.Fingerprint.Check refuses are ignored.
func NewReader(o Options) *Reader {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	r := &Reader{o: o, body: o.Body || o.Lead || o.Images || o.EditLinks, titles: o.Titles || o.Body}
	r.ld.bad = func(at int, value string) { r.badDate(at, DateKeys[keyDateModified], value) }
	if r.body {
		r.content.init(&o)
	}
	return r
}

// HTML replaces *f by what the page in src says. The first read asks for
// 8 KiB; reading stops at the end of the head, or after 16 MiB of it, unless an
// option needs the body. A page in UTF-16, or in the encoding that its meta
// element names, is decoded; without either it is UTF-8.
//
// Nothing is read of the body of a page that may not be indexed.
//
// f.Skip is NoIndex or Redirect where the head says so. A refresh to the page's
// own address is no redirect: the caller, which knows that address, has to compare.
// The error is the one that src returned, and f is empty then.
func (r *Reader) HTML(src io.Reader, f *Facts) error {
	first := firstRead
	if r.body {
		first = nextRead
	}
	r.limited = io.LimitedReader{R: src, N: MaxBytes + 1}
	r.open(&r.limited, first)
	r.sniff()
	err := r.page(f)
	if r.limited.N <= 0 {
		r.tooLong(f)
	}
	return err
}

// Bytes is HTML for a page of which all bytes are at hand. They are not changed,
// and not copied unless they are in another encoding; Head is of them.
func (r *Reader) Bytes(src []byte, f *Facts) {
	read := src[:min(len(src), MaxBytes+1)]
	if !r.body {
		read = src[:min(len(src), maxHead)]
	}
	r.lend(read)
	_ = r.page(f) // bytes in memory do not fail
	if len(src) > MaxBytes {
		r.tooLong(f)
	}
}

// tooLong reports a page that has more than is read of one.
func (r *Reader) tooLong(f *Facts) {
	f.Diags.Warnf(diag.Pos{}, "long-page", "divide the page; search engines read the first megabytes only",
		"the page has more than %d MiB; what follows was not read", MaxBytes>>20)
}

// page reads the page that was opened.
func (r *Reader) page(f *Facts) error {
	r.f = f
	for r.read(); r.again; {
		r.read()
	}
	err := r.err
	r.src, r.f = nil, nil
	if err != nil && !errors.Is(err, io.EOF) {
		*f = Facts{}
		return err
	}
	return nil
}

// lend makes src the page to be read.
func (r *Reader) lend(src []byte) {
	r.source = source{buf: src, end: len(src), err: io.EOF, lent: true}
	r.sniff()
}

// sniff settles the encoding of a page that begins with a byte order mark.
func (r *Reader) sniff() {
	r.encoded = false
	r.need(3)
	switch enc, mark := marked(r.buf[:r.end]); {
	case enc != nil:
		r.decode(enc, mark)
	case mark > 0:
		r.pos, r.encoded = mark, true
	}
}

// Head returns the first bytes of the page that HTML read last. They are valid until the next
// call of HTML.
func (r *Reader) Head() []byte {
	if r.gone > 0 {
		return r.first
	}
	return r.buf[:min(r.end, firstRead)]
}

// read reads the page from pos on, and forgets the one before.
func (r *Reader) read() {
	*r.f = Facts{}
	r.afterHead, r.again, r.shape = false, false, shape{}
	r.langSeen, r.titleSeen, r.baseSeen, r.refreshSeen, r.lastScript, r.lastNoscript = false, false, false, false, span{}, span{}
	r.canonical, r.contradicted = "", false
	r.dates = [numDateKeys]sitemap.Date{}
	r.ld = linkedData{zone: r.o.Zone, bad: r.ld.bad}
	r.alternates = Alternates{text: r.alternates.text[:0]}
	if r.body {
		r.pictures.reset()
	}
	r.limit = maxHead
	r.readHead()
	r.limit = 0
	if r.again {
		return
	}
	r.finishHead()
	if r.o.Whole && r.f.Skip == Listed {
		r.checkShape()
	}
	if r.body && r.f.Skip != NoIndex && r.f.Skip != Broken {
		r.readBody()
		r.finishBody()
	}
	r.finishDates()
}

// finishHead draws the conclusions that need the whole head.
func (r *Reader) finishHead() {
	if !r.contradicted {
		r.f.Canonical = r.canonical
	}
	if r.alternates.texts > 0 {
		r.finishAlternates()
	}
	if r.gone+r.pos >= maxHead && !r.body {
		r.warn(r.pos, "long-head", "close the tag, comment or element that never ends",
			"the head does not end within %s MiB; what follows was not read", strconv.Itoa(maxHead>>20))
	}
}

func (r *Reader) finishAlternates() {
	if r.o.Same != nil {
		r.f.URL.Alternates = r.o.Same(&r.alternates)
	}
	if r.f.URL.Alternates == nil {
		r.f.URL.Alternates = r.alternates.List(r.Own)
	}
}

// finishDates lets the best source of the date speak.
func (r *Reader) finishDates() {
	if r.ld.said {
		r.dates[keyDateModified] = r.ld.date()
	}
	if i := slices.IndexFunc(r.dates[:], func(d sitemap.Date) bool { return !d.IsZero() }); i >= 0 {
		r.f.URL.LastMod, r.f.LastModBy = r.dates[i], DateKeys[i]
	}
}
