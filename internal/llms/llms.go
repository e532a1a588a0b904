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

// Name is the file name of an llms.txt.
const Name = "llms.txt"

// Optional is the name of the section that readers with a small context may skip.
const Optional = "Optional"

// A File is the content of an llms.txt. Its texts are not escaped.
type File struct {
	Title    string    // first heading of level 1, or ""
	Summary  string    // first block quote before the sections, or ""
	Sections []Section // in the order of the file; links before the first heading are in a section without a name
}

// A Section contains the links below a heading.
type Section struct {
	Name  string
	Links []Link
}

// A Link is one link of a section.
type Link struct {
	Text string // text of the link
	URL  string // as written
	Note string // rest of the list item; "" unless Item is set
	Item bool   // the link begins a list item

	Line, Column int // position of the URL, from 1; the column counts bytes
}

// Append appends the file in the form that [Parse] reads. Each link is a list item on a line of
// its own, because many readers read line by line.
func (f *File) Append(b []byte) []byte { return f.AppendSections(f.AppendHead(b)) }

// AppendHead appends the title and the summary.
func (f *File) AppendHead(b []byte) []byte {
	b = append(b, "# "+escapeHeading(f.Title)+"\n"...)
	if s := escapeText(f.Summary); s != "" {
		b = append(b, "\n> "+s+"\n"...)
	}
	return b
}

// AppendSections appends the sections, each after an empty line.
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
	b = append(b, "- ["+bracketed.Replace(escapeText(l.Text))+"]("+escapeText(encoded.Replace(l.URL))+")"...)
	if note := unlinked.Replace(escapeText(l.Note)); note != "" {
		b = append(b, ": "+note...)
	}
	return append(b, '\n')
}

// Many readers find links by a regular expression: a text ends at the first bracket, and a URL
// at the first parenthesis, escaped or not.
var (
	bracketed = strings.NewReplacer("[", "&#91;", "]", "&#93;")
	encoded   = strings.NewReplacer("(", "%28", ")", "%29", "<", "%3C", ">", "%3E", " ", "%20", `\`, "%5C")
	unlinked  = strings.NewReplacer("](", `]\(`)
)

// escapeHeading returns s as the text of a heading, with a number sign at the end escaped.
func escapeHeading(s string) string {
	s = escapeText(s)
	if rest := strings.TrimRight(s, "#"); rest != s && (rest == "" || rest[len(rest)-1] == ' ') {
		s = s[:len(s)-1] + `\#`
	}
	return s
}

// escapeText returns plain text as one line of Markdown. It removes control characters and
// characters that change the direction of text, and escapes tags, comments and character
// references.
func escapeText(s string) string {
	s = strings.Join(strings.Fields(strings.Map(visibleRune, strings.ToValidUTF8(s, "\ufffd"))), " ")
	s = backslashes.ReplaceAllString(s, "$1$1$2")
	s = reference.ReplaceAllString(s, "&amp;$1")
	return tag.ReplaceAllString(s, "&lt;$1")
}

var (
	backslashes = regexp.MustCompile(`(\\+)([[:punct:]]|$)`)                                                // backslashes that escape the next character
	reference   = regexp.MustCompile(`&((?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});)`) // CommonMark requires the semicolon
	tag         = regexp.MustCompile(`<([a-zA-Z!/?])`)
	escaped     = regexp.MustCompile(`\\[[:punct:]]|` + reference.String())
)

// visibleRune maps white space to a blank, and removes control characters and characters that
// change the direction of text.
func visibleRune(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.IsControl(r), r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069', r == '\ufeff':
		return -1
	}
	return r
}

// unescape returns Markdown without its escapes. It keeps other markup.
func unescape(s string) string {
	if !strings.ContainsAny(s, `\&`) { // the regular expression is slow
		return strings.TrimSpace(s)
	}
	s = escaped.ReplaceAllStringFunc(s, func(e string) string { return html.UnescapeString(strings.TrimPrefix(e, `\`)) })
	return strings.TrimSpace(s)
}
