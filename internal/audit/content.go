package audit

import (
	"bytes"
	"context"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// inContent returns the place in a page's content file, shown as the user would type
// it, where an address stands as in the page: the file alone where it stands there
// more than once, or otherwise.
func (j *judge) inContent(ctx context.Context, shown, written string) diag.Pos {
	pos := diag.Pos{File: shown}
	if j.o.Content == nil || len(written) < 2 {
		return pos
	}
	file, ok := j.o.Content.FileOf(shown)
	if !ok {
		return pos
	}
	if j.content.name != file {
		j.content.name = file
		j.content.text, _ = j.o.Content.Read(ctx, file, j.content.text)
	}
	text := j.content.text
	if j.content.read += int64(len(text)); j.content.read > maxContent {
		return pos
	}
	for _, form := range j.forms(written) {
		if at, times := stands(text, form); times > 0 {
			if times == 1 {
				pos.Line = 1 + bytes.Count(text[:at], []byte("\n"))
				pos.Col = at - bytes.LastIndexByte(text[:at], '\n')
			}
			break
		}
	}
	return pos
}

// maxContent is the number of bytes of content files searched for the places of links.
const maxContent = 1 << 30

// forms are the ways in which a content file may have an address that a page has:
// as it is, without the site's own address before it, or without its folder.
func (j *judge) forms(written string) []string {
	forms := []string{written}
	base := j.bases[0]
	if rest, ok := strings.CutPrefix(written, base.Origin()); ok && len(rest) > 1 {
		forms, written = append(forms, rest), rest
	}
	if rest, ok := strings.CutPrefix(written, strings.TrimPrefix(base.String(), base.Origin())); ok && len(rest) > 1 {
		forms = append(forms, "/"+rest)
	}
	return forms
}

// stands returns where an address stands in a text, and how often: in quotes, in
// brackets, or with white space around it.
func stands(text []byte, address string) (first, times int) {
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(address))
		if i < 0 {
			return first, times
		}
		at += i
		end := at + len(address)
		before, after := byte(' '), byte(' ')
		if at > 0 {
			before = text[at-1]
		}
		if end < len(text) {
			after = text[end]
		}
		if strings.IndexByte(" \t\r\n\"'`(<[=", before) >= 0 && strings.IndexByte(" \t\r\n\"'`)>],", after) >= 0 {
			if times++; times == 1 {
				first = at
			}
		}
		at = end
	}
}
