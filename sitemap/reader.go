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
	"slices"
)

// An Item is one entry that a [Reader] has read: a page, or a child sitemap if the file is an
// index.
type Item struct {
	Entry              // the entry; Loc is as written but trimmed, and for a child sitemap of a valid index only Loc and LastMod are set
	Sitemap  bool      // the item is a sitemap that an index lists, not a page
	Line     int       // line where the item begins, from 1
	Col      int       // column where the item begins, in bytes from 1
	Problems []Problem // mistakes in the item, at most 20
}

// A Problem is a mistake in a sitemap that a [Reader] or a [Validator] has found.
type Problem struct {
	// Line and Col are the position of the mistake, from 1. They are 0 if the mistake concerns the
	// whole file. Col counts bytes of the text in UTF-8, and is 0 if it is unknown. A Reader sets
	// only Line.
	Line, Col int

	Code    string // the kind of mistake, such as "bad-date"
	Message string // the mistake
	Hint    string // advice how to correct the mistake; may be ""
	Grave   bool   // crawlers reject the entry or the file because of the mistake; only a Validator sets it
}

// An Unknown describes the elements with one name that a [Reader] has ignored.
type Unknown struct {
	// Name is the namespace, a space and the local name. If Obsolete is set, it is the usual prefix
	// and the local name, such as "video:price". A name longer than 200 bytes is cut.
	Name string
	Line int // line of the first occurrence
	// Count is the number of occurrences that the Reader has read so far.
	Count    int
	Obsolete bool // search engines no longer read the element
}

const (
	maxProblems = 20  // maximum number of problems of one item
	maxUnknown  = 100 // maximum number of different unknown elements of one file
)

// A Reader reads a sitemap, a sitemap index, an RSS or Atom feed or a text sitemap, item by item.
// The file is in UTF-8, UTF-16 or Latin-1. A Reader keeps only one entry in memory. It does not
// check the URLs; see [CheckLoc]. It is not safe for concurrent use.
type Reader struct {
	src    io.Reader
	format Format
	doc    *document // description of the XML format; nil for a text sitemap
	space  string    // namespace of the document element
	// next reads the next entry of the file into item. Its value is openFile before the first
	// entry, and then readNextEntry or readNextLine.
	next    func(*Reader) error
	xml     *xmlReader
	lines   *bufio.Reader
	line    int  // number of the current line of a text sitemap
	brief   bool // set by ReadBriefly
	item    Item
	unknown []Unknown
	err     error
}

// NewReader returns a Reader for the file r, which must not be compressed.
func NewReader(r io.Reader) *Reader {
	return &Reader{src: r, next: (*Reader).openFile}
}

// ReadBriefly makes r much faster. If an entry has the form that [AppendURL] writes, r reads only
// its loc and its lastmod. It skips the rest of the line, and does not find XML mistakes there. Call
// ReadBriefly before the first call of Next.
func (r *Reader) ReadBriefly() { r.brief = true }

// Next returns the next item. After the last item, and for an empty file, it returns io.EOF. After
// an error, all further calls return the same error. A mistake in the XML of the file is a
// *[SyntaxError], which also wraps an error of the underlying reader inside of the XML. If the item
// has no Loc, its Problems contain the reason.
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

// All returns an iterator over the items that Next returns. If Next returns an error other than
// io.EOF, the iterator yields the error and stops.
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

// Format returns the format of the file. It is 0 before the first call of Next, and if Next has not
// recognized the format.
func (r *Reader) Format() Format { return r.format }

// Namespace returns the namespace of the document element. It is "" for a text sitemap, and before
// the first call of Next. Crawlers require the value [Namespace] in a sitemap and a sitemap index.
func (r *Reader) Namespace() string { return r.space }

// UnknownElements returns the elements that r has ignored so far, in the order of their first
// occurrences. It returns at most 100 different names. It returns nil for a feed and a text
// sitemap. The caller must not modify the slice.
func (r *Reader) UnknownElements() []Unknown { return r.unknown }

// openFile detects the format of the file, and reads the first entry.
func (r *Reader) openFile() error {
	src, _, err := decodeToUTF8(r.src)
	if err != nil {
		return err
	}
	head, _ := src.Peek(peekSize)
	if text := bytes.TrimLeft(head, " \t\r\n"); len(text) > 0 && text[0] == '<' {
		return r.openXML(src, head)
	}
	r.format, r.lines, r.next = FormatText, src, (*Reader).readNextLine
	return r.readFirstLine()
}

// openXML reads the document element and the first entry of an XML file. head contains the first
// bytes of the file.
func (r *Reader) openXML(src *bufio.Reader, head []byte) (err error) {
	r.xml = newXMLReader(src)
	if r.doc, err = r.xml.readDocumentElement(head); err != nil {
		return err
	}
	r.format, r.space, r.next = r.doc.format, r.xml.space, (*Reader).readNextEntry
	return r.readNextEntry()
}

// A document describes the XML of one format: its document element and its entries.
type document struct {
	format Format
	entry  string              // name of the element of an entry
	within string              // name of the element that contains the entries; "" for the document element
	read   func(*Reader) error // reads a child of an entry
	fields []string            // child elements of an entry that the protocol defines, in the order of the schema
}

// documents maps the name of a document element to the XML format of the file.
var documents = map[string]*document{
	"urlset":       {FormatURLSet, "url", "", (*Reader).readEntryChild, protocolFields},
	"sitemapindex": {FormatIndex, "sitemap", "", (*Reader).readEntryChild, protocolFields[:2]},
	"rss":          {FormatRSS, "item", "channel", (*Reader).readFeedField, nil},
	"feed":         {FormatAtom, "entry", "", (*Reader).readFeedField, nil},
}

// readDocumentElement reads up to the start tag of the document element, and returns the value of
// documents for the name of the element. For any other name, it returns an error. If the file is an
// HTML page, the error message mentions that. head contains the first bytes of the file.
func (x *xmlReader) readDocumentElement(head []byte) (doc *document, err error) {
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
		err = x.errorf("<%.60s> does not begin a sitemap; expected urlset, sitemapindex, rss or feed", x.local)
	}
	if s := (*SyntaxError)(nil); doc == nil && webPage.Match(head) && errors.As(err, &s) { // it may be no XML either
		s.Err = errors.New("it is a web page, not a sitemap: the home page, a login, or the error page of a host")
	}
	return doc, err
}

// webPage matches the beginning of an HTML page.
var webPage = regexp.MustCompile(`(?i)^\s*(<!doctype html|(<[?!][^>]*>\s*)*<(html|head|body|title|meta)\b)`)

// findEntry reads up to the start tag of the next entry. It skips other elements, except an element
// that contains entries, such as the channel of an RSS feed. It records a skipped element as
// unknown, unless the file is a feed. It returns io.EOF at the end of the file.
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
			if err := r.skipUnknown(); err != nil {
				return err
			}
		}
	}
}

// readNextEntry reads the next entry into r.item. If the title of the entry is its URL, the title
// becomes "". If the entry has no LastMod, the date of publication becomes its LastMod.
func (r *Reader) readNextEntry() error {
	if r.format == FormatURLSet {
		if loc, date, ok := r.xml.readPlainEntry(r.brief); ok {
			r.setPlainItem(loc, date)
			return nil
		}
	}
	if err := r.findEntry(); err != nil {
		return err
	}
	r.item.Sitemap = r.format == FormatIndex
	r.xml.limit = r.xml.offset + maxEntry
	err := r.readChildren(r.doc.read)
	r.xml.limit = 0
	if err == nil && r.item.Loc == "" {
		r.item.Problems = r.item.Problems[:min(len(r.item.Problems), maxProblems-1)] // room for the main problem
		r.addProblem(r.item.Line, "missing-loc", "name its URL", "an entry has no loc")
	}
	if r.item.Title == r.item.Loc {
		r.item.Title = ""
	}
	r.item.LastMod = cmp.Or(r.item.LastMod, r.item.Published)
	return err
}

// readChildren calls read for each child of the current element, and reads up to the end tag of the
// element. read must read the whole child.
func (r *Reader) readChildren(read func(*Reader) error) error {
	return r.xml.readChildren(func() error { return read(r) }, nil)
}

// readText reads the rest of the current element, and returns its text without surrounding white
// space. The text is valid until the next call of readText.
func (r *Reader) readText() ([]byte, error) {
	text, err := r.xml.readInnerText(nil)
	return bytes.TrimSpace(text), err
}

// skipElement skips the rest of the current element, up to its end tag.
func (r *Reader) skipElement() error { return r.xml.skipElement() }

// skipUnknown skips the current element and records it in r.unknown, or increments its count there.
// It records nothing in a feed. After maxUnknown different names, it records no new names.
func (r *Reader) skipUnknown() error {
	if r.format > FormatIndex {
		return r.skipElement()
	}
	const maxName = 200
	u := Unknown{Name: r.xml.space + " " + r.xml.local, Line: r.xml.tokenLine, Count: 1}
	if x := extensionByNamespace(r.xml.space); x != nil && slices.Contains(x.obsolete, r.xml.local) {
		u.Name, u.Obsolete = x.prefix+":"+r.xml.local, true
	}
	u.Name = u.Name[:min(len(u.Name), maxName)]
	if i := slices.IndexFunc(r.unknown, func(v Unknown) bool { return v.Name == u.Name }); i >= 0 {
		r.unknown[i].Count++
	} else if len(r.unknown) < maxUnknown {
		r.unknown = append(r.unknown, u)
	}
	return r.skipElement()
}

// addProblem adds a problem to the current item, unless the item already has maxProblems of them.
func (r *Reader) addProblem(line int, code, hint, format string, args ...any) {
	if len(r.item.Problems) < maxProblems {
		p := Problem{Line: line, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
		r.item.Problems = append(r.item.Problems, p)
	}
}

// readFirstLine reads the first line that is not empty into r.item. If the line does not begin with
// http:// or https://, the file is not a text sitemap, and readFirstLine returns an error. It
// returns io.EOF for a file without such a line.
func (r *Reader) readFirstLine() error {
	err := r.readNextLine()
	if _, ok := cutScheme(r.item.Loc); err == nil && !ok {
		return fmt.Errorf("line %d: %.60q is neither XML nor a URL; expected a sitemap", r.line, r.item.Loc)
	}
	return err
}

// readNextLine reads the next line that is not empty into r.item. It returns io.EOF at the end of
// the file, and an error for a line of more than 64 KiB.
func (r *Reader) readNextLine() error {
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
