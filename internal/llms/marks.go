package llms

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"regexp"
)

const (
	// BeginMark and EndMark are the comments before and after the generated list. If sitewalk also
	// generated the text above the list, the first comment contains a checksum of that text, as in
	// "<!-- sitewalk: begin 0123abcd -->".
	BeginMark = "<!-- sitewalk: begin -->"
	EndMark   = "<!-- sitewalk: end -->"
)

var (
	beginPattern = regexp.MustCompile(`<!--[ \t]*sitewalk:[ \t]*begin(?:[ \t]+([0-9a-f]{8}))?[ \t]*-->`)
	endPattern   = regexp.MustCompile(`<!--[ \t]*sitewalk:[ \t]*end[ \t]*-->`)
)

// A Frame is the text of an llms.txt before and after the generated list. The user may have written
// this text.
type Frame struct {
	Above, Below []byte // before the first mark and after the second; Above is nil if it is generated
}

// ParseFrame splits text, the content of an llms.txt, into the text before BeginMark and the text
// after EndMark. If the text before BeginMark is empty, or its checksum shows that sitewalk
// generated it, Above is nil. ParseFrame returns an error unless text has exactly one BeginMark
// and, after it, exactly one EndMark.
func ParseFrame(text []byte) (Frame, error) {
	begin, end := beginPattern.FindAllSubmatchIndex(text, 2), endPattern.FindAllIndex(text, 2)
	switch {
	case len(begin)+len(end) == 0:
		return Frame{}, errors.New("has no marks")
	case len(begin) != 1 || len(end) != 1 || end[0][0] < begin[0][1]:
		return Frame{}, errors.New("needs one begin mark and one end mark behind it")
	}
	f := Frame{Above: text[:begin[0][0]], Below: text[end[0][1]:]}
	if at := begin[0][2:]; at[0] >= 0 && string(text[at[0]:at[1]]) == checksum(f.Above) || len(f.Above) == 0 {
		f.Above = nil
	}
	return f, nil
}

// IsGenerated reports whether the user has written no text in f: the text above the list is
// generated, and there is at most white space below. It returns true for the zero Frame.
func (f Frame) IsGenerated() bool { return f.Above == nil && len(bytes.TrimSpace(f.Below)) == 0 }

// Wrap returns the content of an llms.txt: the text of f, with the sections of file between
// BeginMark and EndMark. It also writes the title and the summary of file, unless f.Above has a
// title.
func (f Frame) Wrap(file *File) []byte {
	out, mark := bytes.Clone(f.Above), BeginMark
	if out == nil {
		out = append(file.AppendHead(nil), '\n')
		mark = "<!-- sitewalk: begin " + checksum(out) + " -->"
	}
	out = append(out, mark+"\n"...)
	if f.Above != nil && Parse(f.Above).Title == "" {
		out = file.AppendHead(append(out, '\n'))
	}
	out = file.AppendSections(out)
	out = append(bytes.TrimRight(out, "\n"), file.endMark()...)
	if f.Below == nil {
		return append(out, '\n')
	}
	return append(out, f.Below...)
}

// endMark returns EndMark with a space before it or, if the last link has no note, with ": " before
// it. EndMark is on the line of the last link, because some readers expect a link on each line of a
// section. Such a reader takes EndMark as a part of the note of the last link.
func (f *File) endMark() string {
	if n := len(f.Sections); n > 0 {
		if links := f.Sections[n-1].Links; len(links) > 0 && escapeText(links[len(links)-1].Note) == "" {
			return ": " + EndMark
		}
	}
	return " " + EndMark
}

// checksum returns the first 8 hexadecimal digits of the SHA-256 of b.
func checksum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:4])
}
