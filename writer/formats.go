package writer

import (
	"bufio"
	"bytes"
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Formats are what Options.Formats may hold.
var Formats = []string{"xml", "txt", "rss", "atom", "llms"}

// formats are those of Formats, by name, which is the extension of their files, too.
// Splitting, compressing and replacing stay around them.
var formats = map[string]struct {
	kind  kind
	is    sitemap.Format
	lines bool // each line is a URL, so that the files have no room for our mark
}{
	"xml":  {allPages, sitemap.FormatURLSet, false},
	"txt":  {allPages, sitemap.FormatText, true},
	"rss":  {newestPages, sitemap.FormatRSS, false},
	"atom": {newestPages, sitemap.FormatAtom, false},
	"llms": {kind: outlines},
}

// isLines reports whether the files of a name's format hold nothing but a URL a line.
func isLines(name string) bool { return formats[strings.TrimPrefix(path.Ext(name), ".")].lines }

// A kind is what the files of a format hold.
type kind uint8

const (
	allPages    kind = iota // in as many files as they need
	newestPages             // in one file
	outlines                // of the site and its languages, each in a file with a name and a place of its own
)

// ours reports whether an earlier run wrote a file, which was not edited since: by our
// mark, or for lack of room by what else the file says.
func (r *job) ours(p place) bool {
	f, err := openContent(p)
	if f == nil || err != nil {
		return false
	}
	defer f.Close()
	plain := strings.TrimSuffix(p.name, ".gz")
	switch stem := strings.TrimSuffix(plain, path.Ext(plain)); {
	case path.Base(p.name) == llms.Name: // no part of it is written by hand
		frame, err := p.frame()
		return err == nil && frame.Generated()
	case isLines(plain): // the file has nothing but a key, or the same URLs as the XML of its name
		return f.ours && (r.past.keys[stem] && p.holds(stem) || same(f, place{p.dir, stem + ".xml"}) || same(f, place{p.dir, stem + ".xml.gz"}))
	}
	head, _ := f.Peek(MarkSize)
	return f.ours && (IsMarked(head) || path.Ext(plain) == ".css" && bytes.HasPrefix(head, []byte(markedCSS)))
}

// markedCSS is how a stylesheet of ours begins.
const markedCSS = "/* written by sitewalk"

// same reports whether the lines of text are the URLs of a file of ours.
func same(text *content, xml place) bool {
	f, err := openContent(xml)
	if f == nil || err != nil {
		return false
	}
	defer f.Close()
	if head, _ := f.Peek(MarkSize); !IsMarked(head) {
		return false
	}
	lines := bufio.NewScanner(text)
	same := eachItem(f, func(item *sitemap.Item) bool {
		return lines.Scan() && !item.Sitemap && item.Loc == lines.Text()
	})
	return same != 0 && !lines.Scan() && lines.Err() == nil
}
