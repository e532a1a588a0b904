package frontmatter

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"

	"github.com/adrg/frontmatter"
	"github.com/sitewalk/sitewalk/diag"
)

// A block is front matter as it stands in its file. The zero block is none.
type block struct {
	notation notation
	data     []byte
	line     int // lines before data
}

var bom = []byte("\ufeff")

// split finds the front matter at the beginning of a file. It follows what
// generators document: the first characters that are not blank decide.
// https://gohugo.io/content-management/front-matter/
// https://jekyllrb.com/docs/front-matter/
func (c *Conventions) split(r io.Reader) (b block, diags diag.List, err error) {
	start := &io.LimitedReader{R: r, N: MaxBytes}
	b, diags, err = c.splitBefore(bufio.NewReader(start))
	open := b.notation == inJSON && !json.Valid(b.data) || b.notation == inOrg
	if start.N > 0 || err != nil || b.notation != 0 && !open {
		return b, diags, err
	}
	if b.notation == 0 && len(diags) == 0 {
		return b, nil, nil // nothing was opened that would have to be closed
	}
	var long diag.List
	long.Warnf(diag.Pos{Line: 1, Col: 1}, "front-matter-too-long", "move what is not about the page into a data file",
		"the front matter is longer than %d bytes, which is all that is read; the page is left out", MaxBytes)
	return block{}, long, nil
}

// splitBefore is split within the limit.
func (c *Conventions) splitBefore(br *bufio.Reader) (b block, diags diag.List, err error) {
	head, err := br.Peek(len(bom))
	if err != nil && !errors.Is(err, io.EOF) {
		return block{}, nil, err
	}
	if bytes.Equal(head, bom) {
		_, _ = br.Discard(len(bom))
		if c.FirstLine {
			diags.Warnf(diag.Pos{Line: 1, Col: 1}, "byte-order-mark", "save the file without one",
				"the generator does not see front matter behind a byte order mark")
			return block{}, diags, nil
		}
	}
	line, err := skipBlank(br)
	if err != nil {
		return block{}, nil, err
	}
	head, _ = br.Peek(64)
	switch {
	case c.FirstLine && line > 0:
	case c.readsAll() && bytes.HasPrefix(head, []byte("{")):
		b, err = splitJSON(br, line)
	case c.readsAll() && orgLine.Match(head):
		b, err = splitOrg(br, line)
	case c.opens(firstLine(head)):
		b, diags, err = splitFenced(br, line)
	case c.Headers:
		b, err = splitHeaders(br, line)
	}
	return b, diags, err
}

// firstLine returns the line that a file begins with, as far as it may be one
// that opens front matter. -----BEGIN is none, though it begins like one.
func firstLine(head []byte) string {
	line, _, _ := bytes.Cut(head, newline)
	return string(bytes.TrimRight(line, " \t\r"))
}

// skipBlank reads white space and returns how many lines it reaches over.
func skipBlank(br *bufio.Reader) (lines int, err error) {
	for {
		c, err := br.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return lines, nil
		case err != nil:
			return lines, err
		case c == '\n':
			lines++
		case c != ' ' && c != '\t' && c != '\r':
			return lines, br.UnreadByte()
		}
	}
}

// readLines reads lines up to the first one behind which more wants none.
func readLines(br *bufio.Reader, more func(line []byte) bool) (text []byte, err error) {
	for {
		line, err := br.ReadBytes('\n')
		text = append(text, line...)
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		case err != nil || !more(line):
			return text, nil
		}
	}
}

// errComplete ends the reading of a file once its front matter is complete.
var errComplete = errors.New("complete")

var keyLine = regexp.MustCompile(`^[ \t]*["']?[A-Za-z_][\w.-]*["']?[ \t]*[:=]`)

// splitFenced cuts front matter between two lines of their own.
func splitFenced(br *bufio.Reader, line int) (b block, diags diag.List, err error) {
	between := func(start, end string, n notation) *frontmatter.Format {
		return frontmatter.NewFormat(start, end, func(data []byte, _ any) error {
			b = block{n, data, line + 1}
			return errComplete
		})
	}
	text, second, err := readFenced(br)
	if err != nil {
		return block{}, nil, err
	}
	_, err = frontmatter.Parse(bytes.NewReader(text), nil,
		between("---", "---", inYAML), between("---yaml", "---", inYAML),
		between("+++", "+++", inTOML), between("---toml", "---", inTOML),
		between(";;;", ";;;", inJSON), between("---json", "---", inJSON))
	switch {
	case errors.Is(err, errComplete):
		return b, nil, nil
	case err != nil, !keyLine.Match(second):
		return block{}, nil, err
	}
	diags.Warnf(diag.Pos{Line: line + 1, Col: 1}, "unclosed-front-matter", "close it with a line like the one that opens it",
		"the front matter that begins here has no closing line")
	return block{}, diags, nil
}

// readFenced reads lines up to the fence that closes what the first one opens, and
// returns the second line, too. It adds two rules that the frontmatter library does not
// know: YAML may also end with three dots, and an indented fence, as in a block of text,
// ends nothing.
func readFenced(br *bufio.Reader) (text, second []byte, err error) {
	for n, closed := 1, false; !closed && err == nil; n++ {
		var raw []byte
		raw, err = br.ReadBytes('\n')
		line := bytes.TrimRight(raw, " \t\r\n")
		if n == 2 {
			second = line
		}
		switch string(bytes.TrimLeft(line, " \t")) {
		case "...":
			if len(line) == 3 {
				line, raw = []byte("---"), []byte("---\n")
			}
		case "---", "+++", ";;;":
			if len(line) > 3 {
				raw = append(bytes.Clone(line), " #\n"...)
			}
		}
		closed = n > 1 && len(line) == 3 && bytes.HasPrefix(text, line)
		text = append(text, raw...)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return text, second, err
}

// splitJSON cuts a JSON object. A brace that opens no object, as in a template,
// is no front matter.
func splitJSON(br *bufio.Reader, line int) (block, error) {
	head, _ := br.Peek(64)
	if next := bytes.TrimLeft(head[1:], " \t\r\n"); len(next) > 0 && next[0] != '"' && next[0] != '}' {
		return block{}, nil
	}
	var text bytes.Buffer
	var raw json.RawMessage
	err := json.NewDecoder(io.TeeReader(br, &text)).Decode(&raw)
	var bad *json.SyntaxError
	if err != nil && !errors.As(err, &bad) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return block{}, err
	}
	if err != nil {
		raw = text.Bytes()
	}
	return block{inJSON, raw, line}, nil
}
