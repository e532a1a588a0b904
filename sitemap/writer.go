package sitemap

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// ErrFull is the error of [Writer.Write] if the file has no room for the entry. Write returns
// ErrFull itself and does not wrap it.
var ErrFull = errors.New("the sitemap is full")

// Limits are the limits of a sitemap, sitemap index or text sitemap. A zero field means the limit
// of the protocol. A Writer does not check whether the limits exceed the limits of the protocol.
// Regardless of Limits, a sitemap has at most [MaxNews] entries with news.
type Limits struct {
	URLs  int // maximum number of entries; 0 means MaxURLs
	Bytes int // maximum size of the file before compression; 0 means MaxBytes
}

// A Frame describes the beginning of a file, before its entries. The zero Frame is sufficient for
// an index, a text sitemap, and a sitemap that uses no extensions. A feed requires a Channel.
type Frame struct {
	Extensions Extensions // extensions that entries of a url set may use; the file declares their namespaces
	Stylesheet string     // URL of a CSS file with which browsers show the XML; "" for none
	Comments   []string   // comments before the document element; plain texts without "--"
	Channel    Channel    // title and addresses of a feed; not used in other formats
}

// A Channel describes a feed. Link and Self are required, and Updated for an Atom feed. All texts
// are plain and not escaped.
type Channel struct {
	Title   string // title of the feed, and author of an Atom feed; "" means Link
	Link    string // URL of the site, absolute and percent-encoded
	Self    string // URL of the feed, absolute and percent-encoded
	Lang    string // BCP 47 tag of the language; "" if unknown
	Updated Date   // latest date of the entries
}

// A Writer writes one file to a stream, entry by entry. It neither checks nor sorts the entries;
// see [CheckLoc] and [Entry.Check]. It is not safe for concurrent use.
type Writer struct {
	out      io.Writer
	form     *form
	limits   Limits
	declared Extensions // extensions whose namespaces the head declares
	end      string     // text after the last entry
	buf      []byte     // bytes not yet written to out
	flushed  int        // number of bytes written to out
	entries  int
	news     int
	err      error
}

// NewWriter returns a Writer that writes a file in the format f, one of the constants, to out. It
// writes nothing to out yet; the beginning of the file is buffered.
func NewWriter(out io.Writer, f Format, frame Frame, l Limits) *Writer {
	form := &forms[f]
	l.URLs, l.Bytes = cmp.Or(l.URLs, MaxURLs), cmp.Or(l.Bytes, MaxBytes)
	return &Writer{out: out, form: form, limits: l, declared: frame.Extensions, end: form.end, buf: form.open(make([]byte, 0, flushSize+flushSize/8), &frame)}
}

// flushSize is the number of buffered bytes at which a Writer writes its buffer to the stream.
const flushSize = 64 << 10

// Write writes an entry, or buffers it until a later Write or Close. If the file has no room for
// the entry, Write returns [ErrFull] and writes nothing. The caller can then write the entry to the
// next file. An entry that has no room in an empty file is too large for any file. Feeds have no
// limits.
//
// An index contains only the loc and the lastmod of an entry, and a text sitemap contains only the
// loc. If an entry of a sitemap uses an extension that is not in Frame.Extensions, Write returns an
// error and writes nothing. After an error of the stream, all further calls of Write and Close
// return this error.
func (w *Writer) Write(e *Entry) error {
	if w.err != nil {
		return w.err
	}
	start := len(w.buf)
	w.buf = w.form.entry(w.buf, e)
	if w.form.limited && (w.entries == w.limits.URLs || w.Size() > w.limits.Bytes) {
		w.buf = w.buf[:start]
		return ErrFull
	}
	if w.form == &forms[FormatURLSet] {
		if uses := e.Extensions(); uses != 0 {
			if err := w.checkExtensions(e, uses); err != nil {
				w.buf = w.buf[:start]
				return err
			}
		}
	}
	w.entries++
	if len(w.buf) >= flushSize {
		w.flush()
	}
	return w.err
}

// checkExtensions returns an error if e uses an extension that the head of the file does not
// declare. It returns ErrFull if e has news and the file already has MaxNews entries with news.
// Otherwise, it counts the news of e. uses is the set of extensions of e.
func (w *Writer) checkExtensions(e *Entry, uses Extensions) error {
	if missing := uses &^ w.declared; missing != 0 {
		return fmt.Errorf("%s uses %v, which Frame.Extensions does not declare", e.Loc, missing)
	}
	if uses&NewsExt != 0 {
		if w.news == MaxNews {
			return ErrFull
		}
		w.news++
	}
	return nil
}

// flush writes the buffer to the stream and empties it. It stores an error in w.err.
func (w *Writer) flush() {
	_, w.err = w.out.Write(w.buf)
	w.flushed += len(w.buf)
	w.buf = w.buf[:0]
}

// Len returns the number of entries written so far, including buffered entries.
func (w *Writer) Len() int { return w.entries }

// Size returns the size in bytes of the closed file, or the size that the file would have if it were
// closed now.
func (w *Writer) Size() int { return w.flushed + len(w.buf) + len(w.end) }

// Close writes the buffered entries and the end of the file. It does not close the stream. A second
// call writes nothing. Do not call Write after Close.
func (w *Writer) Close() error {
	if w.err == nil && len(w.buf)+len(w.end) > 0 {
		w.buf, w.end = append(w.buf, w.end...), ""
		w.flush()
	}
	return w.err
}

// A form defines how files of one Format are written.
type form struct {
	open    func(b []byte, f *Frame) []byte // appends the beginning of the file
	entry   func(b []byte, e *Entry) []byte // appends an entry
	end     string                          // text after the last entry
	limited bool                            // a Writer enforces its limits
}

var forms = [...]form{
	FormatURLSet: {appendURLSetHead, appendURLEntry, "</urlset>\n", true},
	FormatIndex:  {appendIndexHead, appendIndexEntry, "</sitemapindex>\n", true},
	FormatRSS:    {appendRSSHead, appendRSSItem, "</channel>\n</rss>\n", false},
	FormatAtom:   {appendAtomHead, appendAtomEntry, "</feed>\n", false},
	FormatText:   {func(b []byte, _ *Frame) []byte { return b }, appendTextLine, "", true},
}

// AppendEntry appends e to b as a [Writer] of the format f writes it. f must be one of the
// constants.
func (f Format) AppendEntry(b []byte, e *Entry) []byte { return forms[f].entry(b, e) }

// AppendURL appends u to b as a url element and a line break. It escapes the texts, and does not
// check the values; see [CheckLoc] and [URL.Check].
func AppendURL(b []byte, u *URL) []byte {
	b = append(b, "<url><loc>"...)
	b = appendEscaped(b, u.Loc)
	b = append(b, "</loc>"...)
	b = appendDate(b, "lastmod", u.LastMod, Date.AppendTo)
	if u.ChangeFreq != 0 {
		b = appendElement(b, "changefreq", u.ChangeFreq.String())
	}
	if u.Priority != 0 {
		b = append(b, "<priority>"...)
		b = u.Priority.AppendTo(b)
		b = append(b, "</priority>"...)
	}
	for i := range u.Alternates { // the schema requires extensions after the protocol's own elements
		b = u.Alternates[i].appendTo(b)
	}
	for i := range u.Images {
		b = appendParent(b, "image:image", imageElements, &u.Images[i])
	}
	for i := range u.Videos {
		b = appendParent(b, "video:video", videoElements, &u.Videos[i])
	}
	if u.News != nil {
		b = u.News.appendTo(b)
	}
	return append(b, "</url>\n"...)
}

// appendURLEntry appends the url element of e.
func appendURLEntry(b []byte, e *Entry) []byte { return AppendURL(b, &e.URL) }

// appendURLSetHead appends the beginning of a sitemap, up to the first url element.
func appendURLSetHead(b []byte, f *Frame) []byte {
	b = appendProlog(b, f)
	b = append(b, `<urlset xmlns="`+Namespace+`"`...)
	if f.Extensions != 0 {
		b = f.Extensions.appendNamespaces(b)
	}
	return append(b, ">\n"...)
}

// appendIndexHead appends the beginning of an index, up to the first sitemap element.
func appendIndexHead(b []byte, f *Frame) []byte {
	return append(appendProlog(b, f), `<sitemapindex xmlns="`+Namespace+"\">\n"...)
}

// appendIndexEntry appends the sitemap element of e, an entry of an index.
func appendIndexEntry(b []byte, e *Entry) []byte {
	b = append(b, "<sitemap>"...)
	b = appendElement(b, "loc", e.Loc)
	b = appendDate(b, "lastmod", e.LastMod, Date.AppendTo)
	return append(b, "</sitemap>\n"...)
}

// appendTextLine appends the loc of e as one line of a text sitemap, without escapes.
func appendTextLine(b []byte, e *Entry) []byte { return append(append(b, e.Loc...), '\n') }

// appendProlog appends the XML declaration, f.Comments, and a reference to f.Stylesheet.
func appendProlog(b []byte, f *Frame) []byte {
	b = append(b, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"...)
	for _, c := range f.Comments {
		b = append(b, "<!-- "...)
		b = append(b, c...)
		b = append(b, " -->\n"...)
	}
	if f.Stylesheet == "" {
		return b
	}
	// "?>" in the URL becomes "?%3E" instead of "?&gt;". XML does not define references such as
	// &gt; inside a processing instruction.
	b = append(b, `<?xml-stylesheet type="text/css" href="`...)
	b = appendEscaped(b, strings.ReplaceAll(f.Stylesheet, "?>", "?%3E"))
	return append(b, "\"?>\n"...)
}

// appendElement appends <name>text</name>, or nothing if text is "".
func appendElement(b []byte, name, text string) []byte {
	if text == "" {
		return b
	}
	b = appendTag(b, name)
	b = appendEscaped(b, text)
	return appendEndTag(b, name)
}

// appendDate appends <name>date</name>, or nothing for the zero Date. format appends the date
// itself.
func appendDate(b []byte, name string, d Date, format func(Date, []byte) []byte) []byte {
	if d.IsZero() {
		return b
	}
	b = appendTag(b, name)
	b = format(d, b)
	return appendEndTag(b, name)
}

// appendTag appends <name>.
func appendTag(b []byte, name string) []byte {
	b = append(b, '<')
	b = append(b, name...)
	return append(b, '>')
}

// appendEndTag appends </name>.
func appendEndTag(b []byte, name string) []byte {
	b = append(b, "</"...)
	b = append(b, name...)
	return append(b, '>')
}

// appendAttr appends ` name="value"`, with a space before the name. It appends nothing if value is
// "".
func appendAttr(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	b = append(b, ' ')
	b = append(b, name...)
	b = append(b, `="`...)
	b = appendEscaped(b, value)
	return append(b, '"')
}

// appendEscaped appends s as XML text, which is also valid in a double-quoted attribute. It escapes
// &, <, > and both quotes with entities such as &amp;. Tabs and line breaks become references such
// as &#x9;, because parsers would replace them by spaces in attributes. A character that XML 1.0
// does not allow, and a byte that is not valid UTF-8, become U+FFFD.
func appendEscaped(b []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		if !mustEscape[s[i]] {
			i++
			continue
		}
		escaped, size := escapeFirstChar(s[i:])
		if escaped != "" {
			b = append(b, s[start:i]...)
			b = append(b, escaped...)
			start = i + size
		}
		i += size
	}
	return append(b, s[start:]...)
}

// mustEscape contains true for each byte for which appendEscaped calls escapeFirstChar: control
// characters, the characters & ' " < > and all bytes of characters that are not ASCII.
var mustEscape = func() (t [256]bool) {
	for c := range t {
		t[c] = c < ' ' || c >= utf8.RuneSelf || strings.IndexByte(`&'"<>`, byte(c)) >= 0
	}
	return t
}()

// charRefs maps a byte to the entity or the character reference that replaces it in XML.
var charRefs = map[byte]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&quot;", '\'': "&apos;", '\t': "&#x9;", '\n': "&#xA;", '\r': "&#xD;"}

// escapeFirstChar returns the text that replaces the first character of s in XML, such as "&amp;".
// It returns "" if the character stays unchanged. size is the length of the character in bytes.
func escapeFirstChar(s string) (escaped string, size int) {
	if ref := charRefs[s[0]]; ref != "" {
		return ref, 1
	}
	r, size := utf8.DecodeRuneInString(s)
	if !isXMLChar(r) || r == utf8.RuneError && size == 1 {
		return "\uFFFD", size
	}
	return "", size
}

// isXMLChar reports whether XML 1.0 allows the character r (section 2.2, Char).
func isXMLChar(r rune) bool {
	switch {
	case r < ' ':
		return r == '\t' || r == '\n' || r == '\r'
	case r < 0xE000:
		return r < 0xD800
	}
	return r != 0xFFFE && r != 0xFFFF && r <= utf8.MaxRune
}
