package sitemap

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
)

// An Item is an entry or a child sitemap that a [Reader] found.
type Item struct {
	Entry              // of a child sitemap, Loc and LastMod only; Loc as written
	Sitemap  bool      // a child of an index, not a page
	Line     int       // where it begins
	Col      int       // in bytes, from 1
	Problems []Problem // at most 20
}

// A Problem is a mistake in a sitemap that does not prevent reading.
type Problem struct {
	Line, Col           int
	Code, Message, Hint string
	Grave               bool // crawlers refuse the entry or the file; else they read on
}

// An Unknown is an element that a [Reader] does not understand.
type Unknown struct {
	Name     string // the namespace, a blank and the local name
	Line     int    // of the first one
	Count    int
	Obsolete bool // search engines no longer read it; Name is video:price, or video:player_loc@autoplay
}

const (
	maxProblems = 20  // of one item
	maxUnknown  = 100 // names of one file
)

// A Reader reads a url set, an index, an RSS or Atom feed or a text sitemap, item by item. The
// file is in UTF-8, UTF-16 or Latin-1. Memory is bounded by one entry. It does not check the URLs;
// see [CheckLoc].
type Reader struct {
	src     io.Reader
	format  Format
	doc     *document // of XML
	space   string    // of the document element
	next    func(*Reader) error
	xml     *xmlReader
	lines   *bufio.Reader
	line    int                     // of lines
	intern  func(loc []byte) string // nil: r is not brief
	item    Item
	unknown []Unknown
	err     error
}

// NewReader returns a Reader for r, which must not be compressed.
func NewReader(r io.Reader) *Reader {
	return &Reader{src: r, next: (*Reader).open}
}

// Brief makes r read only the loc and the lastmod of entries that [AppendURL] wrote, which is much
// faster. It misses broken XML behind them. intern returns a known string that equals loc, or "".
func (r *Reader) Brief(intern func(loc []byte) string) { r.intern = intern }

// Next returns the next item, or io.EOF after the last. Any other error names the line, and all
// further calls return the same error. An item with an empty Loc has a problem.
func (r *Reader) Next() (Item, error) {
	if r.err == nil {
		r.item = Item{}
		r.err = r.next(r)
	}
	if r.err != nil {
		return Item{}, r.err
	}
	return r.item, nil
}

// All yields the items that Next returns. An error other than io.EOF is yielded last.
func (r *Reader) All() iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for {
			item, err := r.Next()
			if err == io.EOF || !yield(item, err) || err != nil {
				return
			}
		}
	}
}

// Format returns the format of the file. Call it after Next.
func (r *Reader) Format() Format { return r.format }

// Namespace returns the namespace of the document element. Call it after Next. Crawlers require
// [Namespace] in a url set and an index.
func (r *Reader) Namespace() string { return r.space }

// Unknown returns the unknown elements in the items read so far, in the order of the file.
func (r *Reader) Unknown() []Unknown { return r.unknown }

// open finds the format of the file, and reads the first item.
func (r *Reader) open() error {
	src, _, err := decode(r.src)
	if err != nil {
		return err
	}
	head, _ := src.Peek(peekSize)
	if text := bytes.TrimLeft(head, " \t\r\n"); len(text) > 0 && text[0] == '<' {
		return r.openXML(src, head)
	}
	r.format, r.lines, r.next = FormatText, src, (*Reader).nextLine
	return r.firstLine()
}

// openXML reads up to the first item of an XML file that begins with head.
func (r *Reader) openXML(src *bufio.Reader, head []byte) (err error) {
	r.xml = newXMLReader(src)
	if r.doc, err = r.xml.readRoot(head); err != nil {
		return err
	}
	r.format, r.space, r.next = r.doc.format, r.xml.space, (*Reader).nextEntry
	return r.nextEntry()
}

// A document describes the document element and the entries of a format.
type document struct {
	format Format
	entry  string              // the element of one
	within string              // the element around them; "" is the document element
	read   func(*Reader) error // reads a child of an entry
	fields []string            // its children in the protocol's own namespace, in the order of the schema
}

// documents maps the names of document elements to their descriptions.
var documents = map[string]*document{
	"urlset":       {FormatURLSet, "url", "", (*Reader).readField, ownFields},
	"sitemapindex": {FormatIndex, "sitemap", "", (*Reader).readField, ownFields[:2]},
	"rss":          {FormatRSS, "item", "channel", (*Reader).readFeedField, nil},
	"feed":         {FormatAtom, "entry", "", (*Reader).readFeedField, nil},
}

// readRoot reads up to the document element of a file that begins with head.
func (x *xmlReader) readRoot(head []byte) (doc *document, err error) {
	tok, err := x.next()
	for err == nil && tok != startTag {
		tok, err = x.next()
	}
	if err == nil {
		doc = documents[x.local]
	}
	switch {
	case errors.Is(err, io.EOF):
		err = x.errorf("the file has no element")
	case err == nil && doc == nil:
		err = x.errorf("<%.60s> begins no sitemap; expected urlset, sitemapindex, rss or feed", x.local)
	}
	if s := (*SyntaxError)(nil); doc == nil && webPage.Match(head) && errors.As(err, &s) { // it may be no XML either
		s.Err = errors.New("it is a web page, not a sitemap: what a host shows where nothing is, or a login")
	}
	return doc, err
}

// webPage matches the beginning of a web page.
var webPage = regexp.MustCompile(`(?i)^\s*(<!doctype html|(<[?!][^>]*>\s*)*<(html|head|body|title|meta)\b)`)

// findEntry reads up to the start tag of the next entry. Other elements are skipped. After
// the document element comes io.EOF.
func (r *Reader) findEntry() error {
	for {
		tok, err := r.xml.next()
		switch {
		case err != nil:
			return err
		case tok != startTag:
		case r.xml.space == r.space && r.xml.local == r.doc.entry:
			r.item.Line, r.item.Col = r.xml.tokenLine, r.xml.tokenCol
			return nil
		case r.xml.local == r.doc.within:
		default:
			if err := r.skipUnknown(r.format <= FormatIndex); err != nil {
				return err
			}
		}
	}
}

// nextEntry reads the next entry. In a feed, a title that equals the URL is dropped, and without a
// date of the last change, the date of the first appearance is used.
func (r *Reader) nextEntry() error {
	if r.format == FormatURLSet {
		if loc, date, ok := r.xml.readPlain(r.intern != nil); ok {
			r.addPlain(loc, date)
			return nil
		}
	}
	if err := r.findEntry(); err != nil {
		return err
	}
	r.item.Sitemap = r.format == FormatIndex
	r.xml.limit = r.xml.offset + maxEntry
	err := r.children(r.doc.read)
	r.xml.limit = 0
	if err == nil && r.item.Loc == "" {
		r.addProblem(r.item.Line, "missing-loc", "name its URL", "an entry has no loc")
	}
	if r.item.Title == r.item.Loc {
		r.item.Title = ""
	}
	r.item.LastMod = cmp.Or(r.item.LastMod, r.item.Published)
	return err
}

// children calls read for each child of the element whose start tag was read. read must consume
// the child. children consumes the end tag.
func (r *Reader) children(read func(*Reader) error) error {
	return r.xml.children(func() error { return read(r) }, nil)
}

// text consumes an element whose start tag was read, and returns its trimmed text. The text is
// valid until the next call.
func (r *Reader) text() ([]byte, error) {
	text, err := r.xml.inner(nil)
	return bytes.TrimSpace(text), err
}

// skip consumes an element whose start tag was read.
func (r *Reader) skip() error { return r.xml.skip() }

// skipUnknown skips an element. If counts is true, it also records the name of the element.
func (r *Reader) skipUnknown(counts bool) error {
	if counts {
		r.noteUnknown(r.xml.local)
	}
	return r.skip()
}

func (r *Reader) addUnknown(u Unknown) {
	const maxName = 200
	u.Name = u.Name[:min(len(u.Name), maxName)]
	for i := range r.unknown {
		if r.unknown[i].Name == u.Name {
			r.unknown[i].Count++
			return
		}
	}
	if len(r.unknown) < maxUnknown {
		r.unknown = append(r.unknown, u)
	}
}

func (r *Reader) addProblem(line int, code, hint, format string, args ...any) {
	if len(r.item.Problems) < maxProblems {
		p := Problem{Line: line, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
		r.item.Problems = append(r.item.Problems, p)
	}
}

// firstLine reads the first line of a possible text sitemap. The file is a text sitemap if the
// line is a URL.
func (r *Reader) firstLine() error {
	err := r.nextLine()
	if _, ok := cutScheme(r.item.Loc); err == nil && !ok {
		return fmt.Errorf("line %d: %.60q is neither XML nor a URL; expected a sitemap", r.line, r.item.Loc)
	}
	return err
}

// nextLine reads the next line that is not empty.
func (r *Reader) nextLine() error {
	for {
		line, err := r.lines.ReadSlice('\n')
		r.line++
		if errors.Is(err, bufio.ErrBufferFull) {
			return fmt.Errorf("line %d has more than %d bytes", r.line, len(line))
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			r.item.Loc, r.item.Line, r.item.Col = string(text), r.line, 1
			return nil
		}
		if err != nil {
			return err
		}
	}
}
