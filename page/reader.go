package page

import (
	"bytes"
	"io"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

const (
	firstRead     = 8 << 10   // size of the first read; it contains the heads of most pages
	secondRead    = 128 << 10 // size of the second read; it contains the heads of nearly all pages
	maxHead       = 16 << 20  // maximum length of a head in bytes
	maxKeptBuffer = 1 << 20   // capacity in bytes of the largest buffer that is kept for the next page

	// MaxBytes is the length in bytes of the longest page that a Reader reads completely. The
	// largest pages on the web, such as whole standards and books, have a quarter of this size.
	MaxBytes = 64 << 20
)

// A Reader reads the facts of pages from HTML. It reuses its buffers and is not safe for concurrent
// use.
type Reader struct {
	scanner
	file    []byte           // bytes read by ReadHTML or ReadWhole
	limited io.LimitedReader // reader of readUpTo, kept to save an allocation for each page

	o           Options
	needsBody   bool // an option needs the body
	needsTitles bool // an option needs the title and the description
	f           *Facts

	encoding        encoding.Encoding // encoding that a meta element names; nil means UTF-8
	isEncodingKnown bool
	isComplete      bool // buf contains the whole page
	isHeadComplete  bool // the whole head was read
	isAfterHead     bool // </head> was read
	shape           shape

	langSeen, titleSeen, baseSeen, refreshSeen bool
	noscript                                   span   // text of the last noscript element with a meta refresh
	scripts                                    []span // texts of scripts that may open another page
	hasScriptFile                              bool   // a script has a src attribute

	hasCanonicalConflict bool // two canonical links differ
	dates                [numDateKeys]sitemap.Date
	ld                   linkedData
	entity               entity // last JSON-LD script, kept to save an allocation for each page
	bodyState
}

// NewReader returns a Reader that reads the facts requested by o. It ignores invalid selectors in
// o, which FingerprintOptions.Check reports.
func NewReader(o Options) *Reader {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	r := &Reader{o: o, needsBody: o.needsBody(), needsTitles: o.Titles || o.ContentHash}
	r.include, r.exclude = parseSelectors(o.Fingerprint.Include), parseSelectors(o.Fingerprint.Exclude)
	return r
}

// ReadHTML sets *f to the facts of the page in src. It reads the first 8 KiB. It reads more if the
// head is longer, if an option needs the body, or if it finds a server-side include; see
// Options.CheckWhole. It reads at most 16 MiB of a head, and MaxBytes of a page; it reports a
// longer head or page. A byte order mark or a meta element determines the encoding of the page.
// Otherwise, the encoding is UTF-8, or windows-1252 if the part that was read is not valid UTF-8.
//
// f.Skips contains Redirect if a meta refresh or a script opens another page, and NoIndex if a
// robots meta element forbids indexing. ReadHTML does not read the body of a page with NoIndex or
// Broken. It does not know the address of the page. Therefore, the caller must remove Redirect if
// f.Refresh is this address. If src returns an error, ReadHTML returns the error, and *f is zero.
func (r *Reader) ReadHTML(src io.Reader, f *Facts) error {
	if r.needsBody {
		_, err := r.ReadWhole(src, f)
		return err
	}
	*f = Facts{}
	r.resetFileBuffer()
	for _, size := range []int{firstRead, secondRead, maxHead} {
		if err := r.readUpTo(src, size); err != nil {
			*f = Facts{}
			return err
		}
		isComplete := len(r.file) < size
		r.decodeAndRead(r.file, isComplete, f)
		if isComplete || r.isHeadComplete && len(f.Includes) == 0 { // the body may have more includes
			break
		}
	}
	return nil
}

// ReadWhole is like ReadHTML, but reads the whole page, even if only the head is needed. It returns
// the bytes of the page in its own encoding, at most MaxBytes+1, or nil with an error. They are
// valid until the next page is read.
func (r *Reader) ReadWhole(src io.Reader, f *Facts) ([]byte, error) {
	*f = Facts{}
	r.resetFileBuffer()
	if err := r.readUpTo(src, MaxBytes+1); err != nil {
		return nil, err
	}
	r.ReadBytes(r.file, f)
	return r.file, nil
}

// resetFileBuffer empties r.file. It drops a buffer that is too large to be kept.
func (r *Reader) resetFileBuffer() {
	if cap(r.file) > maxKeptBuffer || r.file == nil {
		r.file = make([]byte, 0, firstRead+bytes.MinRead)
	}
	r.file = r.file[:0]
}

// readUpTo reads from src into r.file, until r.file has size bytes or src ends.
func (r *Reader) readUpTo(src io.Reader, size int) error {
	file := bytes.NewBuffer(r.file)
	r.limited = io.LimitedReader{R: src, N: int64(size - len(r.file))}
	_, err := file.ReadFrom(&r.limited)
	r.file = file.Bytes()
	return err
}

// ReadBytes sets *f to the facts of the page src, as ReadHTML does. It reports a page of more than
// MaxBytes even if only the head is needed. It does not modify src. After the call, FirstBytes may
// return a part of src.
func (r *Reader) ReadBytes(src []byte, f *Facts) {
	size := maxHead
	if r.needsBody {
		size = MaxBytes + 1
	}
	read := src[:min(len(src), size)]
	r.decodeAndRead(read, len(read) < size, f)
	if len(src) > MaxBytes {
		f.Diags.Warnf(diag.Pos{}, "long-page", "divide the page; search engines read the first megabytes only",
			"the page has more than %d MiB; the rest was not read", MaxBytes>>20)
	}
}

// FirstBytes returns the first bytes of the last page in UTF-8, at most 8 KiB. They are valid until
// the next page is read.
func (r *Reader) FirstBytes() []byte { return r.buf[:min(len(r.buf), firstRead)] }

// decodeAndRead detects the encoding of src, decodes src, and sets *f to its facts. isComplete is
// true if src is a whole page, and false if it is only the beginning of a page.
func (r *Reader) decodeAndRead(src []byte, isComplete bool, f *Facts) {
	r.f, r.isComplete = f, isComplete
	enc, mark := detectBOM(src)
	r.encoding, r.isEncodingKnown = nil, mark > 0
	if enc == nil {
		r.readUTF8(src, mark)
		if enc = r.encoding; enc == nil && !r.isEncodingKnown && !utf8.Valid(r.buf[:r.pos]) {
			enc = charmap.Windows1252
		}
		mark = 0
	}
	if enc != nil {
		r.encoding, r.isEncodingKnown = nil, true
		text, _ := enc.NewDecoder().Bytes(src[mark:]) // invalid bytes become U+FFFD
		r.readUTF8(text, 0)
	}
}

// readUTF8 reads a page in UTF-8 that begins at src[start], and sets *r.f to its facts. If a meta
// element names another encoding, readUTF8 sets r.encoding to that encoding, and stops.
func (r *Reader) readUTF8(src []byte, start int) {
	*r.f = Facts{}
	r.reset(src, start)
	r.isHeadComplete, r.isAfterHead, r.shape = false, false, shape{}
	r.langSeen, r.titleSeen, r.baseSeen, r.refreshSeen, r.noscript = false, false, false, false, span{}
	r.scripts, r.hasScriptFile, r.hasCanonicalConflict = r.scripts[:0], false, false
	r.dates, r.ld = [numDateKeys]sitemap.Date{}, linkedData{}
	r.resetBody()
	r.readHead()
	if r.encoding != nil {
		return
	}
	r.setHeadFacts()
	if r.o.CheckWhole {
		r.checkCompleteness()
	}
	if r.needsBody && !r.f.Skips.Has(NoIndex) && !r.f.Skips.Has(Broken) {
		r.readBody()
	}
	r.setLastMod()
}

// setHeadFacts sets the facts that are known only after the whole head was read.
func (r *Reader) setHeadFacts() {
	r.readNoscriptRefresh()
	r.readScriptRedirect()
	if !r.needsBody && !r.isHeadComplete && !r.isComplete && len(r.buf) >= maxHead {
		r.addWarning(r.pos, "long-head", "close the tag, comment or element that never ends",
			"the head does not end within %s MiB; the rest was not read", strconv.Itoa(maxHead>>20))
	}
}
