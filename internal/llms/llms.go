// Package llms reads and writes llms.txt, the list of a site's pages for
// language models (https://llmstxt.org/), and writes the list of pages for
// people. Both arrange the pages into sections with titles.
//
// The caller reads and writes the files, and selects the pages.
package llms

import (
	"html"
	"regexp"
	"strings"
	"unicode"
)

// Name is what the file is called, in the folder whose pages it lists.
const Name = "llms.txt"

// Optional is the name of the section that readers in want of room may skip.
const Optional = "Optional"

// A File is what an llms.txt says. Texts are plain, not escaped.
type File struct {
	Title    string    // its first heading of level 1; "": it has none
	Summary  string    // the first block quote before the sections; "": it has none
	Sections []Section // in the order of the file; one without a name holds the links before the first heading
}

// A Section is a heading of level 2 or any other below the title, with its links.
type Section struct {
	Name  string
	Links []Link
}

// A Link is one link of a section.
type Link struct {
	Text string // what the link is called
	URL  string // as it is written
	Note string // what follows in its list item; "" of a link that begins none
	Item bool   // it begins a list item

	Line, Column int // where the URL stands, from 1; the column counts bytes
}

// Append appends the file as [Parse] reads it, in the one form that plain readers of
// lines understand too: each link as a list item on a line of its own.
func (f *File) Append(b []byte) []byte { return f.AppendSections(f.AppendHead(b)) }

// AppendHead appends title and summary.
func (f *File) AppendHead(b []byte) []byte {
	b = append(b, "# "+escapeHeading(f.Title)+"\n"...)
	if s := prose(f.Summary); s != "" {
		b = append(b, "\n> "+s+"\n"...)
	}
	return b
}

// AppendSections appends what follows, each section after an empty line.
func (f *File) AppendSections(b []byte) []byte {
	for i := range f.Sections {
		s := &f.Sections[i]
		b = append(b, "\n## "+escapeHeading(s.Name)+"\n\n"...)
		for j := range s.Links {
			b = s.Links[j].append(b)
		}
	}
	return b
}

func (l *Link) append(b []byte) []byte {
	b = append(b, "- ["+bracketed.Replace(prose(l.Text))+"]("+prose(encoded.Replace(l.URL))+")"...)
	if note := unlinked.Replace(prose(l.Note)); note != "" {
		b = append(b, ": "+note...)
	}
	return append(b, '\n')
}

// Many readers find links by a regular expression, in which a text ends at its first
// bracket and an address at its first parenthesis, escaped or not.
var (
	bracketed = strings.NewReplacer("[", "&#91;", "]", "&#93;")
	encoded   = strings.NewReplacer("(", "%28", ")", "%29", "<", "%3C", ">", "%3E", " ", "%20", `\`, "%5C")
	unlinked  = strings.NewReplacer("](", `]\(`)
)

// escapeHeading returns s as the text of a heading. Number signs at its end are
// escaped.
func escapeHeading(s string) string {
	s = prose(s)
	if rest := strings.TrimRight(s, "#"); rest != s && (rest == "" || rest[len(rest)-1] == ' ') {
		s = s[:len(s)-1] + `\#`
	}
	return s
}

// prose returns a plain text as one line of Markdown, without control characters and
// those that turn the order of what stands around them. It escapes what would be read
// as a tag, a comment or a character reference.
func prose(s string) string {
	s = strings.Join(strings.Fields(strings.Map(visible, strings.ToValidUTF8(s, "\ufffd"))), " ")
	s = backslashes.ReplaceAllString(s, "$1$1$2")
	s = reference.ReplaceAllString(s, "&amp;$1")
	return tag.ReplaceAllString(s, "&lt;$1")
}

var (
	backslashes = regexp.MustCompile(`(\\+)([[:punct:]]|$)`)                                                // that escape what follows
	reference   = regexp.MustCompile(`&((?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});)`) // of CommonMark, which ends in a semicolon
	tag         = regexp.MustCompile(`<([a-zA-Z!/?])`)
	escaped     = regexp.MustCompile(`\\[[:punct:]]|` + reference.String())
)

func visible(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.IsControl(r), r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069', r == '\ufeff':
		return -1
	}
	return r
}

// plain returns Markdown without its escapes. Other markup stays.
func plain(s string) string {
	if !strings.ContainsAny(s, `\&`) { // as most; the expression takes long
		return strings.TrimSpace(s)
	}
	s = escaped.ReplaceAllStringFunc(s, func(e string) string { return html.UnescapeString(strings.TrimPrefix(e, `\`)) })
	return strings.TrimSpace(s)
}
