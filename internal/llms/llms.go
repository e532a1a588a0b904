// Package llms parses and generates llms.txt, the list of a site's pages for language models
// (https://llmstxt.org/). It also generates an HTML page that lists the pages for people. Both
// lists have sections with headings.
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

// optionalName is the heading of the section with less important links. It is the last section of a
// generated file. A language model with a small context may skip it.
const optionalName = "Optional"

// A File is the content of an llms.txt. Its texts contain no Markdown escapes and no character
// references.
type File struct {
	Title    string    // first heading of level 1; "" if there is none
	Summary  string    // first block quote before the sections; "" if there is none
	Sections []Section // sections in the order of the file; links before the first heading are in a section without a name
}

// A Section is a heading and the links below it.
type Section struct {
	Name  string
	Links []Link
}

// A Link is one link in a section, usually to a page of the site.
type Link struct {
	Text string // text of the link
	URL  string // URL as written in the file
	Note string // text after the link in the list item; "" unless Item is true
	Item bool   // the link is at the beginning of a list item

	Line, Column int // position of the URL, starting at 1; Column counts bytes
}

// Append appends the file to b as Markdown that [Parse] can read. Each link is a list item on its
// own line, because many readers read line by line.
func (f *File) Append(b []byte) []byte { return f.AppendSections(f.AppendHead(b)) }

// AppendHead appends the title and the summary to b, as a Markdown heading and a block quote.
func (f *File) AppendHead(b []byte) []byte {
	b = append(b, "# "+escapeHeading(f.Title)+"\n"...)
	if s := escapeText(f.Summary); s != "" {
		b = append(b, "\n> "+s+"\n"...)
	}
	return b
}

// AppendSections appends the sections to b as Markdown. An empty line precedes each section.
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

// append appends the link to b as a list item, such as "- [Text](https://example.com/): note".
func (l *Link) append(b []byte) []byte {
	b = append(b, "- ["+textEscaper.Replace(escapeText(l.Text))+"]("+escapeText(urlEscaper.Replace(l.URL))+")"...)
	if note := noteEscaper.Replace(escapeText(l.Note)); note != "" {
		b = append(b, ": "+note...)
	}
	return append(b, '\n')
}

var (
	// textEscaper, urlEscaper and noteEscaper escape the text, the URL and the note of a link. Many
	// programs find links with a regular expression, which ends the text at a bracket and the URL
	// at a parenthesis, even after a backslash.
	textEscaper = strings.NewReplacer("[", "&#91;", "]", "&#93;")
	urlEscaper  = strings.NewReplacer("(", "%28", ")", "%29", "<", "%3C", ">", "%3E", " ", "%20", `\`, "%5C")
	noteEscaper = strings.NewReplacer("](", `]\(`)
)

// escapeHeading returns the plain text s as Markdown for a heading. Markdown drops number signs
// that follow a space at the end, so "Use of #" becomes "Use of \#".
func escapeHeading(s string) string {
	s = escapeText(s)
	if rest := strings.TrimRight(s, "#"); rest != s && (rest == "" || rest[len(rest)-1] == ' ') {
		s = s[:len(s)-1] + `\#`
	}
	return s
}

// escapeText returns the plain text s as one line of Markdown. It removes control characters. It
// escapes tags, comments, character references and backslashes.
func escapeText(s string) string {
	s = strings.Join(strings.Fields(strings.Map(visibleRune, strings.ToValidUTF8(s, "\ufffd"))), " ")
	s = backslashes.ReplaceAllString(s, "$1$1$2")
	s = reference.ReplaceAllString(s, "&amp;$1")
	return tag.ReplaceAllString(s, "&lt;$1")
}

var (
	backslashes = regexp.MustCompile(`(\\+)([[:punct:]]|$)`)                                                // backslashes before a character that they would escape
	reference   = regexp.MustCompile(`&((?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});)`) // character reference; CommonMark requires the semicolon
	tag         = regexp.MustCompile(`<([a-zA-Z!/?])`)                                                      // beginning of a tag or comment
	escaped     = regexp.MustCompile(`\\[[:punct:]]|` + reference.String())                                 // escaped character or character reference
)

// visibleRune is a mapping function for strings.Map. It maps white space to a space. It removes
// control characters, byte order marks, and characters that embed, override or isolate the
// direction of text. It keeps direction marks such as U+200F.
func visibleRune(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.IsControl(r), r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069', r == '\ufeff':
		return -1
	}
	return r
}

// unescape replaces the escapes and character references in Markdown, such as \* and &amp;, by
// their characters. It keeps other markup, and removes white space at both ends.
func unescape(s string) string {
	s = escaped.ReplaceAllStringFunc(s, func(e string) string { return html.UnescapeString(strings.TrimPrefix(e, `\`)) })
	return strings.TrimSpace(s)
}
