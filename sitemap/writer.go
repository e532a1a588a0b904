package sitemap

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// ErrFull is the error of [Writer.Write] when a file cannot hold another entry.
var ErrFull = errors.New("the sitemap is full")

// Limits are the limits of one url set, index or text sitemap. A zero field means the
// limit of the protocol. A url set holds at most [MaxNews] entries with news,
// with any Limits.
type Limits struct {
	URLs  int // entries; MaxURLs
	Bytes int // of the whole file before compression; MaxBytes
}

// A Head is the part of a file before the first entry. Formats other than RSS and Atom can
// use the zero Head.
type Head struct {
	Extensions Extensions // those that entries of a url set may use; each declares a namespace
	Stylesheet string     // href of a CSS file that browsers show the XML with; "": none
	Comments   []string   // before the document element, as text that holds no "--"
	Channel    Channel    // of a feed
}

// A Channel describes a feed. Title, Link and Self are required, and
// Updated of an Atom feed; all texts are plain and not escaped.
type Channel struct {
	Title   string // also its author, which Atom requires
	Link    string // the site, absolute and percent-encoded
	Self    string // the feed, the same
	Lang    string // BCP 47 tag or ""
	Updated Date   // the newest date of the entries
}

// A Writer writes one file to a stream, entry by entry. It neither checks nor sorts
// what it writes; see [CheckLoc] and [Entry.Check].
type Writer struct {
	out     io.Writer
	form    *form
	limits  Limits
	uses    Extensions // that are declared
	buf     []byte     // not yet written to out
	before  int        // bytes that were written to out
	entries int
	news    int
	err     error
}

// NewWriter returns a Writer of one file in a format.
func NewWriter(out io.Writer, f Format, h Head, l Limits) *Writer {
	form := &forms[f]
	l.URLs, l.Bytes = cmp.Or(l.URLs, MaxURLs), cmp.Or(l.Bytes, MaxBytes)
	return &Writer{out: out, form: form, limits: l, uses: h.Extensions, buf: form.open(make([]byte, 0, chunk+chunk/8), &h)}
}

// chunk is how many bytes a Writer collects before it writes them.
const chunk = 64 << 10

// Write writes an entry. If it has no room any more, it returns [ErrFull] and writes
// nothing, so the entry can go to the next file; an entry that an empty file cannot
// hold fits nowhere. Feeds have no limits. Of an entry of an index or a text sitemap it
// writes what that format has: a loc, and in an index a lastmod.
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
			if err := w.extend(e, uses); err != nil {
				w.buf = w.buf[:start]
				return err
			}
		}
	}
	w.entries++
	if len(w.buf) >= chunk {
		w.flush()
	}
	return w.err
}

// extend counts an entry that uses extensions, if it may.
func (w *Writer) extend(e *Entry, uses Extensions) error {
	if missing := uses &^ w.uses; missing != 0 {
		return fmt.Errorf("%s uses %v, which Head.Extensions does not declare", e.Loc, missing)
	}
	if uses&NewsExt != 0 {
		if w.news == MaxNews {
			return ErrFull
		}
		w.news++
	}
	return nil
}

func (w *Writer) flush() {
	_, w.err = w.out.Write(w.buf)
	w.before += len(w.buf)
	w.buf = w.buf[:0]
}

// Len returns how many entries were written.
func (w *Writer) Len() int { return w.entries }

// Size returns how many bytes the file has if it is closed now.
func (w *Writer) Size() int { return w.before + len(w.buf) + len(w.form.end) }

// Close writes the end of the file. It does not close the stream.
func (w *Writer) Close() error {
	if w.err == nil {
		w.buf = append(w.buf, w.form.end...)
		w.flush()
	}
	return w.err
}

// A form is how a format is written.
type form struct {
	open    func(b []byte, h *Head) []byte
	entry   func(b []byte, e *Entry) []byte
	end     string
	limited bool
}

var forms = [...]form{
	FormatURLSet: {appendURLSet, appendURLEntry, "</urlset>\n", true},
	FormatIndex:  {appendIndex, appendChild, "</sitemapindex>\n", true},
	FormatRSS:    {appendRSS, appendItem, "</channel>\n</rss>\n", false},
	FormatAtom:   {appendAtom, appendAtomEntry, "</feed>\n", false},
	FormatText:   {func(b []byte, _ *Head) []byte { return b }, appendLine, "", true},
}

// AppendEntry appends an entry as a [Writer] of the format writes it.
func (f Format) AppendEntry(b []byte, e *Entry) []byte { return forms[f].entry(b, e) }

// AppendURL appends u as one url element and a line feed.
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
	if uses := u.Extensions(); uses != 0 { // the schema allows them behind the protocol's own elements only
		for i, x := range extensions {
			if uses&(1<<i) != 0 {
				b = x.appendTo(b, u)
			}
		}
	}
	return append(b, "</url>\n"...)
}

func appendURLEntry(b []byte, e *Entry) []byte { return AppendURL(b, &e.URL) }

func appendURLSet(b []byte, h *Head) []byte {
	b = appendProlog(b, h)
	b = append(b, `<urlset xmlns="`+Namespace+`"`...)
	if h.Extensions != 0 {
		b = h.Extensions.appendNamespaces(b)
	}
	return append(b, ">\n"...)
}

func appendIndex(b []byte, h *Head) []byte {
	return append(appendProlog(b, h), `<sitemapindex xmlns="`+Namespace+"\">\n"...)
}

func appendChild(b []byte, e *Entry) []byte {
	b = append(b, "<sitemap>"...)
	b = appendElement(b, "loc", e.Loc)
	b = appendDate(b, "lastmod", e.LastMod, Date.AppendTo)
	return append(b, "</sitemap>\n"...)
}

// appendLine appends one line of a text sitemap, which is not escaped.
func appendLine(b []byte, e *Entry) []byte { return append(append(b, e.Loc...), '\n') }

// appendProlog appends the XML declaration, comments and the stylesheet.
func appendProlog(b []byte, h *Head) []byte {
	b = append(b, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"...)
	for _, c := range h.Comments {
		b = append(b, "<!-- "...)
		b = append(b, c...)
		b = append(b, " -->\n"...)
	}
	if h.Stylesheet == "" {
		return b
	}
	// No escape keeps "?>" from ending the instruction.
	b = append(b, `<?xml-stylesheet type="text/css" href="`...)
	b = appendEscaped(b, strings.ReplaceAll(h.Stylesheet, "?>", "?%3E"))
	return append(b, "\"?>\n"...)
}

// appendElement appends <name>text</name>, or nothing when there is no text.
func appendElement(b []byte, name, text string) []byte {
	if text == "" {
		return b
	}
	b = appendTag(b, name)
	b = appendEscaped(b, text)
	return appendEndTag(b, name)
}

// appendDate appends <name>date</name>, or nothing for the zero Date.
func appendDate(b []byte, name string, d Date, write func(Date, []byte) []byte) []byte {
	if d.IsZero() {
		return b
	}
	b = appendTag(b, name)
	b = write(d, b)
	return appendEndTag(b, name)
}

func appendTag(b []byte, name string) []byte {
	b = append(b, '<')
	b = append(b, name...)
	return append(b, '>')
}

func appendEndTag(b []byte, name string) []byte {
	b = append(b, "</"...)
	b = append(b, name...)
	return append(b, '>')
}

// appendAttr appends a blank and name="value", or nothing when there is no value.
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

// appendEscaped appends s as XML character data, which is also right between
// double quotes. It uses the five entities that the protocol names. White space
// other than the blank is written as a reference, so that no parser normalises
// it, and what XML 1.0 cannot hold becomes U+FFFD.
func appendEscaped(b []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		if !special[s[i]] {
			i++
			continue
		}
		ref, size := reference(s[i:])
		if ref != "" {
			b = append(b, s[start:i]...)
			b = append(b, ref...)
			start = i + size
		}
		i += size
	}
	return append(b, s[start:]...)
}

// special marks the bytes that may not be copied as they are.
var special = func() (t [256]bool) {
	for c := range t {
		t[c] = c < ' ' || c >= utf8.RuneSelf || strings.IndexByte(`&'"<>`, byte(c)) >= 0
	}
	return t
}()

// references are the references for characters.
var references = map[byte]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&quot;", '\'': "&apos;", '\t': "&#x9;", '\n': "&#xA;", '\r': "&#xD;"}

// reference returns the reference for the first character of s, or "" if it needs none, and
// the size of the character.
func reference(s string) (ref string, size int) {
	if ref := references[s[0]]; ref != "" {
		return ref, 1
	}
	r, size := utf8.DecodeRuneInString(s)
	if !isXMLChar(r) || r == utf8.RuneError && size == 1 {
		return "\uFFFD", size
	}
	return "", size
}

// isXMLChar reports whether XML 1.0 can hold r (section 2.2, Char).
func isXMLChar(r rune) bool {
	switch {
	case r < ' ':
		return r == '\t' || r == '\n' || r == '\r'
	case r < 0xE000:
		return r < 0xD800
	}
	return r != 0xFFFE && r != 0xFFFF && r <= utf8.MaxRune
}
