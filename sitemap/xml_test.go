package sitemap

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// blanks does what XML does to the white space of attributes and encoding/xml
// leaves out.
var blanks = strings.NewReplacer("\t", " ", "\n", " ")

// ours writes the tokens of data as text, one a line.
func ours(data []byte) (string, error) {
	x := newXMLScanner(bytes.NewReader(data))
	var b strings.Builder
	for {
		tok, err := x.next()
		if errors.Is(err, io.EOF) {
			return b.String(), nil
		}
		if err != nil {
			return b.String(), err
		}
		switch tok {
		case startTag:
			fmt.Fprintf(&b, "<%s %s", blanks.Replace(x.space), x.local)
			for _, a := range x.attrs {
				fmt.Fprintf(&b, " %s=%q", a.name, blanks.Replace(string(a.value)))
			}
			b.WriteString("\n")
		case endTag:
			b.WriteString(">\n")
		case textToken:
			if len(x.open) > 0 {
				fmt.Fprintf(&b, "%q\n", x.text)
			}
		}
	}
}

// theirs does the same with encoding/xml.
func theirs(data []byte) (string, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	raw := xml.NewDecoder(bytes.NewReader(data)) // for the attributes' prefixes
	var b strings.Builder
	depth, roots := 0, 0
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String(), nil
		}
		if err != nil {
			return b.String(), err
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if depth++; depth == 1 {
				roots++
			}
			if roots > 1 {
				return b.String(), errors.New("a second document element")
			}
			fmt.Fprintf(&b, "<%s %s", blanks.Replace(tok.Name.Space), tok.Name.Local)
			writeAttrs(&b, raw)
			b.WriteString("\n")
		case xml.EndElement:
			depth--
			b.WriteString(">\n")
		case xml.CharData:
			if depth > 0 {
				fmt.Fprintf(&b, "%q\n", tok)
			} else if len(bytes.TrimSpace(tok)) > 0 {
				return b.String(), errors.New("text outside of the document element")
			}
		}
	}
}

func writeAttrs(b *strings.Builder, raw *xml.Decoder) {
	for {
		tok, err := raw.RawToken()
		if err != nil {
			return
		}
		start, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range start.Attr {
			name := a.Name.Local
			if a.Name.Space != "" {
				name = a.Name.Space + ":" + name
			}
			fmt.Fprintf(b, " %s=%q", name, blanks.Replace(a.Value))
		}
		return
	}
}

var xmlDocuments = []string{
	`<a/>`,
	`<a></a>`,
	`<?xml version="1.0"?><!-- c --><a b="1" c='2'>t<d/>u</a><!-- e -->` + "\n",
	`<a xmlns="x" xmlns:p="y"><p:b/><c xmlns="z"><d/><p:e xmlns:p="w"/></c><f/><p:g/><q:h/></a>`,
	`<a xmlns="x" xmlns:="y"><b/></a>`,
	"<a xmlns:p=\"\tx\"><p:b/></a>",
	`<a>&amp;&lt;&gt;&quot;&apos;&#65;&#x42;</a>`,
	`<a b="&amp;&quot;&#10;x"/>`,
	"<a>one\r\ntwo\rthree\n</a>",
	`<a><![CDATA[<b>&amp;]]]]><![CDATA[>]]></a>`,
	"<a><![CDATA[one\r\ntwo\rthree\r\r\n]]></a>",
	`<!DOCTYPE a SYSTEM "b>c"><a/>`,
	`<!DOCTYPE<><>>`,
	`<a b = "1"	c="2" />`,
	`<a b=">"/>`,
	`<a-b.c_d:e/>`,
	`<größe/>`,
	// Not well-formed.
	``, ` `, `text`, `<a>`, `<a`, `<`, `</a>`, `<a></b>`, `<a/><b/>`, `<a/>text`, `<a b>`, `<a b=1/>`, `<a b="1>`, `<a b="<"/>`,
	`<a>&foo;</a>`, `<a>&</a>`, `<a>&#0;</a>`, `<a>&#xD800;</a>`, `<a>&#x110000;</a>`, `<a>]]></a>`, `<a>` + "\x01" + `</a>`,
	`<a>` + "\xff" + `</a>`, `< a/>`, `<1/>`, `<!-- a`, `<![CDATA[`, `<a><!DOCTYPE b></a>`, `<!DOCTYPE a`, `<a b="1"c="2"/>`,
	`<!DOCTYPE a [<!ENTITY d "e>f"><!-- it's ]> -->]><a/>`,
}

// The scanner says of every document what encoding/xml says. Of what is not
// well-formed it reads some that the other does not (see tolerated), never less
// than the XML standard allows.
func TestXMLAgainstStandardLibrary(t *testing.T) {
	for _, doc := range xmlDocuments {
		compareXML(t, []byte(doc))
	}
}

func compareXML(t *testing.T, data []byte) {
	t.Helper()
	want, wantErr := theirs(data)
	got, gotErr := ours(data)
	if wantErr == nil && gotErr == nil && joinText(got) != joinText(want) {
		t.Fatalf("%q gives\n%s\nencoding/xml says\n%s", data, got, want)
	}
	if wantErr == nil && gotErr != nil && !stricter(gotErr) {
		t.Fatalf("%q: %v; encoding/xml reads it", data, gotErr)
	}
}

// joinText joins texts that follow each other.
func joinText(tokens string) string { return strings.ReplaceAll(tokens, "\"\n\"", "") }

// stricter reports whether err is of what the XML standard forbids and
// encoding/xml lets pass, or of our own bounds.
func stricter(err error) bool {
	for _, s := range []string{
		"neither a comment nor a document type", "closes nothing", "is closed by", "attribute that is no name",
		"may not stand in XML", "is not UTF-8", "elements within each other", "namespaces", "the file ends",
		"outside of the document element", "has declarations",
		"begins no reference", // of half a surrogate pair
	} {
		if strings.Contains(err.Error(), s) {
			return true
		}
	}
	return false
}

// A document reads the same whatever pieces it comes in.
func TestXMLInPieces(t *testing.T) {
	for _, doc := range xmlDocuments {
		want, wantErr := ours([]byte(doc))
		x := newXMLScanner(iotest.OneByteReader(strings.NewReader(doc)))
		x.buf = x.buf[:8]
		var err error
		n := 0
		for err == nil {
			_, err = x.next()
			n++
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		if fmt.Sprint(err) != fmt.Sprint(wantErr) || n <= strings.Count(want, "<") {
			t.Errorf("%q: %v after %d tokens, want %v", doc, err, n, wantErr)
		}
	}
}

func TestXMLErrorsNameTheLine(t *testing.T) {
	_, err := ours([]byte("<a>\n<b>\n\n</c>"))
	if err == nil || err.Error() != "line 4: <b> is closed by </c>" {
		t.Errorf("got %v", err)
	}
}
