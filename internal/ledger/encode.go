package ledger

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The lines that are the file's own.
const (
	headVersion     = "# sitewalk ledger "
	headWriter      = "# written by "
	headFingerprint = "# fingerprint "
	headFields      = "# path, fingerprint of the content, day of its last change"
	endLine         = "# end"
)

// AppendTo appends the ledger as its file holds it.
func (l *Ledger) AppendTo(b []byte) []byte {
	const line = len("  2006-01-02 gone=2006-01-02 sum=01234567\n")
	size := 1 << 10
	for i := range l.pages {
		e := &l.pages[i]
		size += line + len(e.path) + len(e.fingerprint) + len(e.extra)
	}
	b = slices.Grow(b, size)
	b = fmt.Appendf(b, "%s%d\n", headVersion, Version)
	if l.writer != "" {
		b = append(append(append(b, headWriter...), l.writer...), '\n')
	}
	if l.fingerprint != "" {
		b = appendSum(append(b, headFingerprint+l.fingerprint...), len(b))
	}
	b = append(append(b, headFields...), '\n')
	for _, c := range l.comments {
		b = append(append(b, c...), '\n')
	}
	for i := range l.pages {
		b = l.pages[i].appendTo(b)
	}
	return append(append(b, endLine...), '\n')
}

func (e *entry) appendTo(b []byte) []byte {
	start := len(b)
	b = append(append(b, e.path...), ' ')
	b = append(append(b, cmp.Or(e.fingerprint, "-")...), ' ')
	if e.day == noDay {
		b = append(b, '-')
	} else {
		b = dateOf(e.day).AppendTo(b)
	}
	if e.gone != noDay {
		b = dateOf(e.gone).AppendTo(append(b, " gone="...))
	}
	if e.extra != "" {
		b = append(append(b, ' '), e.extra...)
	}
	return appendSum(b, start)
}

// appendSum ends the line that begins at start with its check sum.
func appendSum(b []byte, start int) []byte {
	sum := binary.BigEndian.AppendUint32(make([]byte, 0, crc32.Size), crc32.ChecksumIEEE(b[start:]))
	return append(hex.AppendEncode(append(b, " "+sumKey...), sum), '\n')
}

// sumKey begins the check sum of a line.
const sumKey = "sum="

// escape returns s as one field of the file: no editor, merge or transfer takes
// what is in it for the end of a field or of a line.
func escape(s string) string {
	if plain(s) {
		return s
	}
	b := make([]byte, 0, len(s)+8)
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r != '%' && (r != utf8.RuneError || size > 1) && unicode.IsGraphic(r) && !unicode.IsSpace(r) {
			b = append(b, s[:size]...)
		} else {
			for _, c := range []byte(s[:size]) {
				b = fmt.Appendf(b, "%%%02X", c)
			}
		}
		s = s[size:]
	}
	return string(b)
}

// plain reports whether s needs no escape, which nearly all paths do not.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || c == '%' {
			return false
		}
	}
	return true
}

// unescape is the inverse of escape. A field with a percent sign that a hand wrote
// without escaping stands for itself.
func unescape(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

// escapeFingerprint escapes a fingerprint so that none passes for one that is
// not known.
func escapeFingerprint(s string) string {
	if s == "-" {
		return "%2D"
	}
	return escape(s)
}

// phrase returns s as the rest of a line of the head, each word as write has it.
func phrase(s string, write func(word string) string) string {
	words := strings.Fields(s)
	for i := range words {
		words[i] = write(words[i])
	}
	return strings.Join(words, " ")
}
