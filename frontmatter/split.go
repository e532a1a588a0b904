package frontmatter

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/adrg/frontmatter"
	"github.com/sitewalk/sitewalk/diag"
)

var (
	bom     = []byte("\ufeff")
	newline = []byte("\n")
)

// headBytes is the number of bytes at the beginning of a file in which front matter must begin.
const headBytes = 4 << 10

var (
	objectStart = regexp.MustCompile(`^\{\s*["}]`) // not {{, which begins a template
	keyLine     = regexp.MustCompile(`^[ \t]*["']?[A-Za-z_][\w.-]*["']?[ \t]*[:=]`)
	scriptFence = []string{"---js", "---javascript"}
)

// splitFrontMatter returns the front matter at the beginning of src, and findings about its fences.
// The first line that is not blank determines the syntax. It returns the zero block if there is no
// front matter.
// See https://gohugo.io/content-management/front-matter/
// See https://jekyllrb.com/docs/front-matter/
func (c *Conventions) splitFrontMatter(src io.Reader) (b block, diags diag.List, err error) {
	limited := &io.LimitedReader{R: src, N: MaxBytes}
	br := bufio.NewReaderSize(limited, headBytes)
	head, err := br.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return block{}, nil, err
	}
	afterMark := bytes.TrimPrefix(head, bom)
	start := bytes.TrimLeft(afterMark, " \t\r\n")
	line, rest, _ := bytes.Cut(start, newline)
	opening := string(bytes.TrimRight(line, " \t\r"))
	pos := diag.Pos{Line: 1 + bytes.Count(head[:len(head)-len(start)], newline), Col: 1}
	if len(start) == 0 {
		return block{}, nil, nil
	}
	if c.AtFirstByte && len(start) < len(head) {
		if c.isOpeningFence(opening) && len(start) == len(afterMark) {
			diags.Warnf(pos, "byte-order-mark", "save the file without a byte order mark",
				"the generator does not see front matter behind a byte order mark")
		}
		return block{}, diags, nil
	}
	err = nil // Peek returns io.EOF for a short file
	hasKey := keyLine.Match(rest)
	_, _ = br.Discard(len(head) - len(start))
	switch {
	case c.permitsAllFences() && objectStart.Match(start):
		b, err = splitJSON(br)
	case c.permitsAllFences() && bytes.HasPrefix(start, []byte(orgPrefix)), c.AllowsHeaders && !c.isOpeningFence(opening):
		b, err = splitHeaders(br)
	case c.isOpeningFence(opening):
		b, err = splitFenced(br)
		if b.notation == 0 && hasKey {
			diags.Warnf(pos, "unclosed-front-matter", "close it with the same line that opens it",
				"the front matter that begins here has no closing line")
		}
	case c.isOpeningFence("---json") && slices.Contains(scriptFence, opening) && maySetKey(rest):
		diags.Warnf(pos, "script-front-matter", "write it in YAML between two lines ---",
			"the front matter is a script, and is not read")
	}
	isOpen := len(diags) > 0 || b.notation == inJSON && !json.Valid(b.data)
	if err == nil && limited.N == 0 && isOpen {
		diags = nil
		diags.Warnf(diag.Pos{Line: 1, Col: 1}, "front-matter-too-long", "move what is not about the page into a data file",
			"the front matter is longer than %d bytes, the limit; the page is left out", MaxBytes)
		return block{}, diags, nil
	}
	b.data = slices.Concat(bytes.Repeat(newline, pos.Line-1), b.data)
	return b, diags, err
}

// maySetKey reports whether a script that begins src may set a key in Keys or dateKeys. The result is
// also true if src does not contain the line that closes the script, or if the script contains a
// spread such as "...base".
func maySetKey(src []byte) bool {
	script, _, isClosed := bytes.Cut(src, []byte("\n---"))
	if !isClosed || bytes.Contains(script, []byte("...")) {
		return true
	}
	for word := range bytes.FieldsFuncSeq(script, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if isKey(string(word)) {
			return true
		}
	}
	return false
}

// isKey reports whether sitewalk reads the front matter key called name, in any case.
func isKey(name string) bool {
	for i := range Keys {
		for key := range strings.FieldsSeq(Keys[i].Names) {
			if strings.EqualFold(key, name) {
				return true
			}
		}
	}
	for _, keys := range dateKeys {
		if slices.Contains(keys, strings.ToLower(name)) {
			return true
		}
	}
	return false
}

// errFound makes the library adrg/frontmatter return as soon as the front matter is found.
var errFound = errors.New("found")

// A fence is a pair of lines that open and close front matter, with the syntax between them.
type fence struct {
	open, close string
	notation    notation
}

var fences = []fence{
	{"---", "---", inYAML},
	{"---yaml", "---", inYAML},
	{"+++", "+++", inTOML},
	{"---toml", "---", inTOML},
	{";;;", ";;;", inJSON},
	{"---json", "---", inJSON},
}

// splitFenced returns the front matter between two fences. It returns the zero block if the
// closing fence is missing.
func splitFenced(br *bufio.Reader) (b block, err error) {
	var formats []*frontmatter.Format
	for _, f := range fences {
		formats = append(formats, &frontmatter.Format{Start: f.open, End: f.close, Unmarshal: func(data []byte, _ any) error {
			b = block{f.notation, slices.Concat(newline, data)}
			return errFound
		}})
	}
	_, err = frontmatter.Parse(&fenceReader{r: br}, nil, formats...)
	if errors.Is(err, errFound) {
		return b, nil
	}
	return block{}, err
}

// A fenceReader adapts the lines of a file to the library adrg/frontmatter. It replaces the line
// "...", which also closes YAML, by "---". It adds " #" to an indented fence, for example in a
// block of text, so that the library does not see the end of the front matter there.
type fenceReader struct {
	r    *bufio.Reader
	line []byte // rest of the current line
}

func (f *fenceReader) Read(p []byte) (n int, err error) {
	if len(f.line) == 0 {
		f.line, err = f.r.ReadBytes('\n')
		if len(f.line) == 0 {
			return 0, err
		}
		f.line = normalizeFence(f.line)
	}
	n = copy(p, f.line)
	f.line = f.line[n:]
	return n, nil
}

func normalizeFence(line []byte) []byte {
	text := bytes.TrimSpace(line)
	isIndented := !bytes.HasPrefix(line, text)
	switch string(text) {
	case "...":
		if !isIndented {
			return []byte("---\n")
		}
	case "---", "+++", ";;;":
		if isIndented {
			return append(bytes.TrimRight(line, " \t\r\n"), " #\n"...)
		}
	}
	return line
}

// splitJSON returns the JSON object at the beginning of the file. If the object is invalid, it
// returns the text that was read, and block.parse reports the mistake.
func splitJSON(br *bufio.Reader) (block, error) {
	var text bytes.Buffer
	var raw json.RawMessage
	err := json.NewDecoder(io.TeeReader(br, &text)).Decode(&raw)
	var bad *json.SyntaxError
	switch {
	case err == nil:
		return block{notation: inJSON, data: raw}, nil
	case errors.As(err, &bad), errors.Is(err, io.ErrUnexpectedEOF):
		return block{notation: inJSON, data: text.Bytes()}, nil
	}
	return block{}, err
}
