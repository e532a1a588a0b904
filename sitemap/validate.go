package sitemap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// A Validator checks whether one file follows the protocol and its schemas. In a feed, it checks
// only the XML syntax. It does not check the values of extensions; see [URL.Check]. It does not
// check whether the URLs belong to the site. A Validator keeps only one entry in memory. Validate
// sets the exported fields.
type Validator struct {
	Format  Format // format of the file; 0 if it is neither a sitemap nor a feed
	Entries int    // number of entries, or of lines with text in a text sitemap; 0 for a feed
	Bytes   int64  // number of bytes read: the size of the file before compression, unless Broken
	Broken  bool   // because of a mistake or an error, the file was not read to its end

	report     func(Problem)
	xml        *xmlReader
	doc        *document
	space      string          // namespace of the document element
	namespaces map[string]bool // namespaces that reportBadNamespace has reported

	// The current entry.
	ofURL string  // text " of URL" for messages about the entry; "" before its loc was read
	next  int     // a field with a lower index comes too late in the entry
	has   [4]bool // by index of field: whether the entry has the field
}

// NewValidator returns a Validator that calls report for each departure from the protocol, in the
// order of the file. A problem of the whole file comes first or last.
func NewValidator(report func(Problem)) *Validator { return &Validator{report: report} }

// Validate reads and validates a file, which must not be compressed. It reports the mistakes in the
// file. It returns an error only if it cannot read from r. Call Validate only once.
func (v *Validator) Validate(r io.Reader) error {
	counted := &counter{r: r, n: &v.Bytes}
	src, encoding, err := decodeToUTF8(counted)
	if err == nil {
		head, _ := src.Peek(peekSize)
		if encoding != "" {
			v.reportWarning(1, 1, "wrong-encoding", "write it in UTF-8", "the file is in %s, and the protocol requires UTF-8", encoding)
		}
		if len(head) == 0 && counted.err == io.EOF {
			v.reportError(1, 1, "not-a-sitemap", "", "the file is empty")
		} else if text := bytes.TrimLeft(head, " \t\r\n"); len(text) > 0 && text[0] == '<' {
			v.checkDeclaration(head)
			v.xml = newXMLReader(src)
			err = v.validateXML(head)
		} else {
			err = v.validateLines(src)
		}
	} else if counted.err == nil {
		v.reportError(1, 1, "not-a-sitemap", "", "%v", err)
		v.Broken, err = true, nil
	}
	v.checkLimits()
	return v.handleReadError(err, counted.err)
}

// handleReadError handles err, the error that ended the reading of the file. If err is nil or
// io.EOF, it returns nil. Otherwise, the rest of the file was not read, and handleReadError sets
// v.Broken. readErr is the last error of the underlying reader. If readErr is an error other than
// io.EOF, handleReadError returns readErr. Otherwise, the file has a mistake; handleReadError
// reports the mistake and returns nil.
func (v *Validator) handleReadError(err, readErr error) error {
	var s *SyntaxError
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return nil
	case readErr != nil && !errors.Is(readErr, io.EOF):
		v.Broken = true
		return readErr
	case errors.As(err, &s) && v.Format == 0:
		v.reportError(s.Line, s.Col, "not-a-sitemap", "", "%v", s.Err)
	case errors.As(err, &s):
		v.reportError(s.Line, s.Col, "bad-xml", "nothing after this place is read", "%v", s.Err)
	default:
		v.reportError(1, 1, "not-a-sitemap", "", "%v", err)
	}
	v.Broken = true
	return nil
}

// reportError reports a grave problem: crawlers reject the entry or the file.
func (v *Validator) reportError(line, col int, code, hint, format string, args ...any) {
	v.report(Problem{Line: line, Col: col, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint, Grave: true})
}

// reportWarning reports a problem that crawlers tolerate.
func (v *Validator) reportWarning(line, col int, code, hint, format string, args ...any) {
	v.report(Problem{Line: line, Col: col, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// lateDeclaration matches the beginning of a file in which white space or comments precede the XML
// declaration.
var lateDeclaration = regexp.MustCompile(`^(?:\s|<!--(?s:.*?)-->)+<\?xml\s`)

// checkDeclaration reports an XML declaration after white space or comments, because XML parsers
// accept a declaration only at the very beginning. head contains the first bytes of the file.
// See https://www.w3.org/TR/xml/#sec-prolog-dtd.
func (v *Validator) checkDeclaration(head []byte) {
	if m := lateDeclaration.Find(head); m != nil {
		before := m[:len(m)-len("<?xml ")]
		v.reportError(1+bytes.Count(before, []byte("\n")), len(before)-bytes.LastIndexByte(before, '\n'), "bad-xml",
			"remove everything before it, even blank lines", "the XML declaration is not at the start of the file")
	}
}

// checkLimits reports a file that has more bytes or entries than the protocol allows.
func (v *Validator) checkLimits() {
	if v.Bytes > MaxBytes {
		v.reportError(0, 0, "too-large", "split it into several files, which an index names",
			"the file has %d bytes before compression, and the protocol allows %d", v.Bytes, MaxBytes)
	}
	if v.Entries > MaxURLs {
		v.reportError(0, 0, "too-many-entries", "split it into several files, which an index names",
			"the file has %d entries, and the protocol allows %d", v.Entries, MaxURLs)
	}
}

// validateXML validates an XML file; in a feed, only the syntax. head contains the first bytes of
// the file. A syntax error is the returned error. Other mistakes are findings.
func (v *Validator) validateXML(head []byte) (err error) {
	if v.doc, err = v.xml.readDocumentElement(head); err != nil {
		return err
	}
	if v.Format, v.space = v.doc.format, v.xml.space; v.doc.fields != nil {
		return v.validateDocument()
	}
	return v.readToEnd()
}

// readToEnd reads the rest of the file, and checks only the XML syntax.
func (v *Validator) readToEnd() error {
	for {
		switch _, err := v.xml.next(); err {
		case nil:
		case io.EOF:
			return nil
		default:
			return err
		}
	}
}

// validateLines validates a text sitemap, in which each line is a URL.
func (v *Validator) validateLines(src io.Reader) error {
	lines := NewReader(src)
	item, err := lines.Next()
	if err == nil {
		v.Format = FormatText
	}
	for ; err == nil; item, err = lines.Next() {
		v.Entries++
		if !utf8.ValidString(item.Loc) {
			v.reportError(item.Line, 1, "invalid-url", "write the file in UTF-8", "the line %.60q is not UTF-8", item.Loc)
		} else if err := CheckLoc(item.Loc); err != nil {
			v.reportError(item.Line, 1, "invalid-url", "write an absolute http or https address a line, and nothing else", "%v", err)
		}
	}
	return err
}

// A counter is a reader that counts the bytes that it reads from r, and keeps the last error of r.
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

// schemaDates lists the layouts that the schema permits for a lastmod: xs:date and xs:dateTime.
// Only the last layout has a time without a zone.
var schemaDates = []string{time.DateOnly, "2006-01-02Z07:00", time.RFC3339, "2006-01-02T15:04:05"}

// checkSchemaDate reports whether the schema permits s as a lastmod. zoned is true unless s is a
// valid time without a zone.
func checkSchemaDate(s string) (valid, zoned bool) {
	if strings.Contains(s, ",") || len(s) > 12 && s[12] == ':' { // package time also accepts a comma before the fraction, and an hour of one digit
		return false, true
	}
	for i, layout := range schemaDates {
		if t, ok := parseTime(layout, s, time.UTC); ok && t.Year() > 0 {
			return true, i < len(schemaDates)-1
		}
	}
	return false, true
}
