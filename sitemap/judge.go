package sitemap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"unicode/utf8"
)

// A Judge checks a file by the protocol, element by element. Its memory is
// bounded by one entry. What extensions say it leaves to [URL.Check], and where
// the URLs may lie to its caller.
type Judge struct {
	Format  Format // of the file, once Read has found it out; 0 when it is none
	Entries int    // how many URLs or sitemaps it names
	Bytes   int64  // before compression
	Broken  bool   // it could not be read to its end

	report     func(Problem)
	xml        *xmlScanner
	doc        *document
	space      string          // of its element
	namespaces map[string]bool // that something was said of

	// The entry at hand.
	of   string  // its URL, for what is said of it; "" before its loc
	next int     // the first of the fields that may still come
	has  [4]bool // fields
}

// NewJudge returns a judge that reports each departure from the protocol, in
// the order of the file.
func NewJudge(report func(Problem)) *Judge { return &Judge{report: report} }

// Read judges a file, which is not compressed. The error is that of r.
func (j *Judge) Read(r io.Reader) error {
	counted := &counter{r: r, n: &j.Bytes}
	src, encoding, err := decode(counted)
	if err == nil {
		head, _ := src.Peek(peekSize)
		if encoding != "" {
			j.doubt(1, 1, "wrong-encoding", "write it in UTF-8", "the file is in %s, and the protocol requires UTF-8", encoding)
		}
		if len(head) == 0 && counted.err == io.EOF {
			j.fault(1, 1, "not-a-sitemap", "", "the file is empty")
		} else if text := bytes.TrimLeft(head, " \t\r\n"); len(text) > 0 && text[0] == '<' {
			j.declaration(head)
			j.xml = newXMLScanner(src)
			err = j.document(head)
		} else {
			err = j.lines(src)
		}
	} else if counted.err == nil {
		j.fault(1, 1, "not-a-sitemap", "write the sitemap in UTF-8", "%v", err)
		j.Broken, err = true, nil
	}
	j.size()
	return j.reportBroken(err, counted.err)
}

// reportBroken reports where a file stops being one.
func (j *Judge) reportBroken(err, read error) error {
	var s *SyntaxError
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return nil
	case read != nil && !errors.Is(read, io.EOF):
		j.Broken = true
		return read
	case errors.As(err, &s) && j.Format == 0:
		j.fault(s.Line, s.Col, "not-a-sitemap", "", "%v", s.Err)
	case errors.As(err, &s):
		j.fault(s.Line, s.Col, "bad-xml", "nothing after this place is read", "%v", s.Err)
	default:
		j.fault(1, 1, "not-a-sitemap", "", "%v", err)
	}
	j.Broken = true
	return nil
}

func (j *Judge) fault(line, col int, code, hint, format string, args ...any) {
	j.report(Problem{Line: line, Col: col, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint, Grave: true})
}

func (j *Judge) doubt(line, col int, code, hint, format string, args ...any) {
	j.report(Problem{Line: line, Col: col, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// lateDeclaration finds an XML declaration that is not at the start of a file.
var lateDeclaration = regexp.MustCompile(`^(?:\s|<!--(?s:.*?)-->)+<\?xml\s`)

// declaration reports an XML declaration behind something else, for which XML parsers
// refuse a file: https://www.w3.org/TR/xml/#sec-prolog-dtd.
func (j *Judge) declaration(head []byte) {
	if m := lateDeclaration.Find(head); m != nil {
		before := m[:len(m)-len("<?xml ")]
		j.fault(1+bytes.Count(before, []byte("\n")), len(before)-bytes.LastIndexByte(before, '\n'), "bad-xml",
			"let nothing be written before it, not even a blank line", "the XML declaration is not at the start of the file")
	}
}

// size reports what exceeds the limits of a file.
func (j *Judge) size() {
	if j.Bytes > MaxBytes {
		j.fault(0, 0, "too-large", "split it into several files, which an index names",
			"the file has %d bytes before compression, and the protocol allows %d", j.Bytes, MaxBytes)
	}
	if j.Entries > MaxURLs {
		j.fault(0, 0, "too-many-entries", "split it into several files, which an index names",
			"the file has %d entries, and the protocol allows %d", j.Entries, MaxURLs)
	}
}

// document judges an XML file that begins with head.
func (j *Judge) document(head []byte) (err error) {
	if j.doc, err = j.xml.root(head); err != nil {
		return err
	}
	if j.Format, j.space = j.doc.format, j.xml.space; j.doc.fields != nil {
		return j.root()
	}
	return j.rest()
}

// rest reads to the end of a file of which only the XML is judged.
func (j *Judge) rest() error {
	for {
		if _, err := j.xml.next(); err != nil {
			return err
		}
	}
}

// lines judges a text sitemap: a URL a line and nothing else.
func (j *Judge) lines(src io.Reader) error {
	lines := &Reader{src: src, next: (*Reader).open}
	item, err := lines.Next()
	if err == nil {
		j.Format = FormatText
	}
	for ; err == nil; item, err = lines.Next() {
		j.Entries++
		if !utf8.ValidString(item.Loc) {
			j.fault(item.Line, 1, "invalid-url", "write the file in UTF-8", "the line %.60q is not UTF-8", item.Loc)
		} else if err := CheckLoc(item.Loc); err != nil {
			j.fault(item.Line, 1, "invalid-url", "write an absolute http or https address a line, and nothing else", "%v", err)
		}
	}
	return err
}

// A counter counts what is read.
type counter struct {
	r   io.Reader
	n   *int64
	err error
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	*c.n += int64(n)
	if err != nil {
		c.err = err
	}
	return n, err
}
