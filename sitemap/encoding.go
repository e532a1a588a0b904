package sitemap

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// peekSize is how much of a file tells its encoding and its format.
const peekSize = 1024

// decode returns r as UTF-8 without a byte order mark. The encoding is what the
// first bytes or the XML declaration say (XML 1.0, appendix F).
func decode(r io.Reader) (*bufio.Reader, error) {
	src := bufio.NewReaderSize(r, 64<<10)
	head, err := src.Peek(peekSize)
	if err != nil && !errors.Is(err, io.EOF) && len(head) == 0 {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return nil, errors.New("the sitemap is compressed with gzip")
	case bytes.HasPrefix(head, []byte("\xEF\xBB\xBF")):
		_, _ = src.Discard(3)
		return src, nil
	case bytes.HasPrefix(head, []byte("\xFE\xFF")), bytes.HasPrefix(head, []byte("\x00<")):
		return recode(src, bigEndian), nil
	case bytes.HasPrefix(head, []byte("\xFF\xFE")), bytes.HasPrefix(head, []byte("<\x00")):
		return recode(src, littleEndian), nil
	}
	return decodeDeclared(src, head)
}

// decodeDeclared returns src decoded as its XML declaration says.
func decodeDeclared(src *bufio.Reader, head []byte) (*bufio.Reader, error) {
	switch name := strings.ToLower(declaredEncoding(head)); name {
	case "", "utf-8", "utf8", "us-ascii", "ascii":
		return src, nil
	case "iso-8859-1", "latin1", "windows-1252":
		return recode(src, windows1252), nil
	default:
		return nil, fmt.Errorf("the encoding %q is not read; write the sitemap in UTF-8", name)
	}
}

// declaredEncoding returns the encoding that an XML declaration names, or "".
func declaredEncoding(head []byte) string {
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	decl, _, _ := bytes.Cut(head, []byte("?>"))
	_, after, ok := bytes.Cut(decl, []byte("encoding"))
	after = bytes.TrimLeft(after, " \t\r\n=")
	if !ok || len(after) == 0 {
		return ""
	}
	value, _, ok := bytes.Cut(after[1:], after[:1])
	if !ok || after[0] != '"' && after[0] != '\'' {
		return ""
	}
	return string(value)
}

// A recoder reads another encoding as UTF-8.
type recoder struct {
	src  *bufio.Reader
	next func(*bufio.Reader) (rune, error)
	err  error
}

func recode(src *bufio.Reader, next func(*bufio.Reader) (rune, error)) *bufio.Reader {
	out := bufio.NewReaderSize(&recoder{src: src, next: next}, 64<<10)
	if r, _, err := out.ReadRune(); err == nil && r != '\uFEFF' {
		_ = out.UnreadRune()
	}
	return out
}

func (r *recoder) Read(p []byte) (int, error) {
	b := p[:0]
	for r.err == nil && len(b)+utf8.UTFMax <= len(p) {
		var c rune
		if c, r.err = r.next(r.src); r.err == nil {
			b = utf8.AppendRune(b, c)
		}
	}
	if len(b) > 0 {
		return len(b), nil
	}
	return 0, r.err
}

func bigEndian(src *bufio.Reader) (rune, error) {
	return readUTF16(src, func(b []byte) rune { return rune(b[0])<<8 | rune(b[1]) })
}

func littleEndian(src *bufio.Reader) (rune, error) {
	return readUTF16(src, func(b []byte) rune { return rune(b[1])<<8 | rune(b[0]) })
}

func readUTF16(src *bufio.Reader, unit func([]byte) rune) (rune, error) {
	b, err := src.Peek(2)
	if len(b) == 1 {
		return 0, io.ErrUnexpectedEOF
	}
	if err != nil {
		return 0, err
	}
	r := unit(b)
	_, _ = src.Discard(2)
	if !utf16.IsSurrogate(r) {
		return r, nil
	}
	b, err = src.Peek(2)
	if err != nil {
		return 0, io.ErrUnexpectedEOF
	}
	if r = utf16.DecodeRune(r, unit(b)); r != utf8.RuneError {
		_, _ = src.Discard(2)
	}
	return r, nil
}

// upper1252 is what windows-1252 has where ISO 8859-1 has controls. Browsers
// and XML parsers read the one for the other.
var upper1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")

func windows1252(src *bufio.Reader) (rune, error) {
	c, err := src.ReadByte()
	if 0x80 <= c && c < 0xA0 {
		return upper1252[c-0x80], err
	}
	return rune(c), err
}
