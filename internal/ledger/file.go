package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
)

// Version is the version number of the ledger file format that this package reads and writes.
const Version = 1

const (
	headVersion     = "# sitewalk ledger "
	headFingerprint = "# fingerprint "
	headFields      = "# path, fingerprint of the content, day of its last change"
	endLine         = "# end"
	sumKey          = " sum="
)

var (
	errHTML      = errors.New("it is a web page, not a ledger")
	errNotLedger = errors.New("it is not a ledger")
)

// A damagedError reports that a ledger file is corrupt, for example because of a merge conflict.
// Read then returns an empty ledger.
type damagedError struct {
	reason string
	line   int
}

func (e damagedError) Error() string { return e.reason }

// parseLedger parses text, the content of a ledger file. It returns a damagedError if the content
// is corrupt, and another error if the content is not a ledger or has another version of the
// format.
func parseLedger(text string) (*Ledger, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	if err := checkHead(text); err != nil {
		return nil, err
	}
	l := &Ledger{exists: true, pages: make([]entry, 0, strings.Count(text, "\n"))}
	ended, n, sum := false, 0, uint32(0)
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		end, isEnd := strings.CutPrefix(line, endLine)
		switch {
		case ended && line != "":
			return nil, damagedError{"it goes on after its last line", n}
		case ended:
		case isEnd:
			if ended = true; end != "" && end != formatSum(sum) {
				return nil, damagedError{"its checksum is wrong", n}
			}
		case strings.HasPrefix(line, headFingerprint):
			l.fingerprintVersion = line[len(headFingerprint):]
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "<<<<<<< "):
			return nil, damagedError{"it has a merge conflict", n}
		default:
			e, ok := parseEntry(line)
			if last := len(l.pages) - 1; !ok || last >= 0 && l.pages[last].path >= e.path {
				return nil, damagedError{"a line is not a page, or is out of order", n}
			}
			l.pages = append(l.pages, e)
		}
		sum = addLineToSum(sum, line)
	}
	if !ended {
		return nil, damagedError{"it is cut off", n}
	}
	return l, nil
}

// checkHead returns an error unless the first line of content, apart from blank lines, is "#
// sitewalk ledger 1". content is the content of a ledger file. The error is a damagedError if the
// file is empty or begins with a merge conflict.
func checkHead(content string) error {
	text := strings.TrimSpace(content)
	first, _, _ := strings.Cut(text, "\n")
	version, ok := strings.CutPrefix(strings.TrimSpace(first), headVersion)
	switch {
	case text == "":
		return damagedError{reason: "it is empty"}
	case strings.HasPrefix(text, "<<<<<<< "):
		return damagedError{"it has a merge conflict", 1}
	case text[0] == '<':
		return errHTML
	case !ok:
		return errNotLedger
	case version != fmt.Sprint(Version):
		return fmt.Errorf("it has version %s of the format, and this sitewalk reads version %d; use the sitewalk that wrote it", version, Version)
	}
	return nil
}

// parseEntry parses the line of one page: "path fingerprint day", and then " gone=day" if the page
// was removed. ok is false if the line is invalid.
func parseEntry(line string) (e entry, ok bool) {
	path, rest, _ := strings.Cut(line, " ")
	fingerprint, rest, _ := strings.Cut(rest, " ")
	day, gone, isGone := strings.Cut(rest, " gone=")
	ok = strings.HasPrefix(path, "/") && fingerprint != "" && (day == "-" || isDay(day)) && (!isGone || isDay(gone))
	e = entry{path: path, fingerprint: fingerprint, day: day, gone: gone}
	if fingerprint == "-" { // only "-" alone means unknown; a fingerprint may begin with "-"
		e.fingerprint = ""
	}
	if day == "-" {
		e.day = ""
	}
	return e, ok
}

func addLineToSum(sum uint32, line string) uint32 {
	return crc32.Update(sum, crc32.IEEETable, []byte(line+"\n"))
}

func formatSum(sum uint32) string { return fmt.Sprintf("%s%08x", sumKey, sum) }

// AppendTo appends the text of the ledger file to b and returns the extended slice.
func (l *Ledger) AppendTo(b []byte) []byte {
	start := len(b)
	b = fmt.Appendf(b, "%s%d\n", headVersion, Version)
	if l.fingerprintVersion != "" {
		b = append(append(append(b, headFingerprint...), l.fingerprintVersion...), '\n')
	}
	b = append(append(b, headFields...), '\n')
	for i := range l.pages {
		b = l.pages[i].appendTo(b)
	}
	sum := crc32.ChecksumIEEE(b[start:])
	return append(append(append(b, endLine...), formatSum(sum)...), '\n')
}

func (e *entry) appendTo(b []byte) []byte {
	b = append(append(b, e.path...), ' ')
	b = append(append(b, cmp.Or(e.fingerprint, "-")...), ' ')
	b = append(b, cmp.Or(e.day, "-")...)
	if e.gone != "" {
		b = append(append(b, " gone="...), e.gone...)
	}
	return append(b, '\n')
}

// percentEncode percent-encodes ASCII white space, ASCII control characters and "%" in s.
func percentEncode(s string) string {
	isSpecial := func(c rune) bool { return c <= ' ' || c == 0x7f || c == '%' }
	if !strings.ContainsFunc(s, isSpecial) {
		return s
	}
	var b []byte
	for _, c := range []byte(s) {
		if isSpecial(rune(c)) {
			b = fmt.Appendf(b, "%%%02X", c)
		} else {
			b = append(b, c)
		}
	}
	return string(b)
}
