package sitemap

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// peekSize is the maximum number of bytes at the beginning of a file that are examined to detect
// its encoding and format.
const peekSize = 1024

// decodeToUTF8 returns a reader of the text of r in UTF-8, without a byte order mark. It finds the
// encoding by the first bytes, such as a byte order mark, or by the XML declaration (XML 1.0,
// appendix F). name is the encoding that was found or declared, such as "UTF-16", or "" for UTF-8.
// Invalid UTF-16 becomes U+FFFD. A gzip file or an unsupported encoding is an error.
func decodeToUTF8(r io.Reader) (src *bufio.Reader, name string, err error) {
	src = bufio.NewReaderSize(r, 64<<10)
	head, err := src.Peek(peekSize)
	if err != nil && !errors.Is(err, io.EOF) && len(head) == 0 {
		return nil, "", err
	}
	plain, marked := bytes.CutPrefix(head, []byte("\xEF\xBB\xBF"))
	name = declaredEncoding(plain)
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return nil, "", errors.New("the sitemap is compressed with gzip")
	case marked:
		_, _ = src.Discard(len(head) - len(plain))
		return src, name, nil
	case bytes.HasPrefix(head, []byte("\xFE\xFF")), bytes.HasPrefix(head, []byte("\x00<")):
		return convertToUTF8(src, unicode.UTF16(unicode.BigEndian, unicode.UseBOM)), "UTF-16", nil
	case bytes.HasPrefix(head, []byte("\xFF\xFE")), bytes.HasPrefix(head, []byte("<\x00")):
		return convertToUTF8(src, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)), "UTF-16", nil
	case name == "":
		return src, "", nil
	case name == "iso-8859-1" || name == "latin1" || name == "windows-1252":
		return convertToUTF8(src, charmap.Windows1252), name, nil // browsers and XML parsers read all three names as windows-1252
	}
	return nil, "", fmt.Errorf("the encoding %q is not read; write the sitemap in UTF-8", name)
}

// declaredEncoding returns the encoding in the XML declaration at the beginning of head, in lower
// case, such as "iso-8859-1". It returns "" for UTF-8 and ASCII, and if no encoding is declared.
func declaredEncoding(head []byte) string {
	m := encodingDecl.FindSubmatch(head)
	if m == nil {
		return ""
	}
	switch name := strings.ToLower(string(m[1])); name {
	case "utf-8", "utf8", "us-ascii", "ascii":
		return ""
	default:
		return name
	}
}

// encodingDecl matches an XML declaration with an encoding at the beginning of a file. The group is
// the name of the encoding.
var encodingDecl = regexp.MustCompile(`^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']`)

// convertToUTF8 returns a reader that converts src from the encoding enc to UTF-8.
func convertToUTF8(src io.Reader, enc encoding.Encoding) *bufio.Reader {
	return bufio.NewReaderSize(enc.NewDecoder().Reader(src), 64<<10)
}
