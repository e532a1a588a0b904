package llms

import (
	"regexp"
	"strings"
)

// Parse parses an llms.txt that any tool or person wrote. Sections may have headings of any level,
// links may be anywhere, and URLs may be bare. Parse ignores code and comments. It takes linear
// time.
func Parse(text []byte) *File {
	p := parser{file: new(File)}
	rest := strings.TrimPrefix(string(text), "\ufeff")
	p.offset = len(text) - len(rest)
	rest = comment.ReplaceAllStringFunc(rest, blank)
	rest = strings.ReplaceAll(strings.ReplaceAll(rest, "\r\n", "\n"), "\r", "\n")
	for line := range strings.SplitSeq(rest, "\n") {
		p.number++
		p.parseLine(line)
		p.offset = 0
	}
	p.file.Summary = unescape(strings.Join(p.summary, " "))
	return p.file
}

// blank returns s with a space in place of each byte except line breaks.
func blank(s string) string {
	b := []byte(s)
	for i := range b {
		if b[i] != '\n' && b[i] != '\r' {
			b[i] = ' '
		}
	}
	return string(b)
}

var (
	comment    = regexp.MustCompile(`(?s)<!--.*?-->`)
	atxHeading = regexp.MustCompile(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#*)?[ \t]*$`)           // heading that begins with number signs; CommonMark calls it an ATX heading
	fence      = regexp.MustCompile("^(?:(~{3,})|(`{3,})[^`]*$)")                                     // first line of a code block
	code       = regexp.MustCompile("``(?:[^`]|`[^`])*``|`[^`]*`")                                    // code within a line
	itemMark   = regexp.MustCompile(`^[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+`)                          // beginning of a list item
	linkExpr   = regexp.MustCompile(`\\.|<(https?://[^\x00- <>]+)>|(!?)\[(` + linkText + `)\]\( *(` + // bare URL, URL in angle brackets, or link
		linkURL + `)(?:[ \t]+(?:"[^"]*"|'[^']*'))?[ \t]*\)|(https?://[^\x00- <>"` + "`" + `\[\]()]+)`)
)

const (
	// linkText and linkURL match the two parts of a link such as [text](url). Brackets in the text
	// and parentheses in the URL may be nested once.
	linkText = `(?:[^\[\]\\]|\\.|\[(?:[^\[\]\\]|\\.)*\])*`
	linkURL  = `<[^<>]*>|(?:[^\x00- \x7f()\\]|\\[^\x00- \x7f]|\([^\x00- \x7f()]*\))*`
)

// A parser parses a file line by line.
type parser struct {
	file    *File
	titled  bool     // the title has been read
	number  int      // number of the current line, starting at 1
	offset  int      // length of the byte order mark in the first line, else 0
	fence   string   // characters that end the current code block; "" outside of code
	quoted  bool     // the previous line belongs to the summary
	summary []string // lines of the summary so far
	last    string   // previous line, which is the title if equals signs follow
}

// parseLine parses one line. The line has no line break at its end.
func (p *parser) parseLine(line string) {
	text := strings.Trim(line, " \t")
	was, last := p.quoted, p.last
	p.quoted, p.last = false, text
	if p.isCodeLine(text) {
		return
	}
	heading := atxHeading.FindStringSubmatch(line)
	switch {
	case heading != nil:
		p.addHeading(len(heading[1]), heading[2])
		return
	case !p.titled && last != "" && text != "" && strings.Trim(text, "=") == "":
		p.addHeading(1, last)
		return
	case strings.HasPrefix(text, ">") && len(p.file.Sections) == 0 && (was || p.summary == nil):
		p.quoted = true
		p.summary = append(p.summary, strings.TrimSpace(text[1:]))
	}
	p.addLinks(line)
}

// isCodeLine reports whether text, a line without white space at its ends, belongs to a code block.
// It must be called for each line in order, because it also records where code blocks begin and
// end.
func (p *parser) isCodeLine(text string) bool {
	if p.fence != "" {
		if strings.HasPrefix(text, p.fence) && strings.Trim(text, p.fence[:1]) == "" {
			p.fence = ""
		}
		return true
	}
	if m := fence.FindStringSubmatch(text); m != nil {
		p.fence = m[1] + m[2]
	}
	return p.fence != ""
}

// addHeading adds a heading. The first heading of level 1 is the title. All other headings begin a
// section.
func (p *parser) addHeading(level int, name string) {
	name = unescape(strings.TrimSpace(name))
	if level == 1 && !p.titled {
		p.titled, p.file.Title = true, name
		return
	}
	p.file.Sections = append(p.file.Sections, Section{Name: name})
}

// addLinks adds the links in a line to the last section. If there is no section yet, it first adds
// one without a name. It ignores images and code.
func (p *parser) addLinks(line string) {
	bare := code.ReplaceAllStringFunc(line, blank)
	mark := len(itemMark.FindString(line))
	for _, m := range linkExpr.FindAllStringSubmatchIndex(bare, -1) {
		part := func(group int) string { return line[max(m[2*group], 0):max(m[2*group+1], 0)] }
		l := Link{Line: p.number}
		switch {
		case m[2] >= 0:
			l.URL, l.Column = part(1), m[2]
		case m[10] >= 0:
			l.URL, l.Column = strings.TrimRight(part(5), ".,;:!?'*_"), m[10]
		case m[8] >= 0 && part(2) == "": // not an image
			l.URL, l.Column = strings.Trim(part(4), "<>"), m[8]
			l.Text = unescape(part(3))
			if l.Item = mark > 0 && m[0] == mark; l.Item {
				l.Note = unescape(strings.TrimPrefix(strings.TrimSpace(line[m[1]:]), ":"))
			}
		}
		if l.URL = unescape(l.URL); l.URL == "" || strings.HasSuffix(l.URL, "://") {
			continue
		}
		l.Column += p.offset + 1
		if len(p.file.Sections) == 0 {
			p.file.Sections = append(p.file.Sections, Section{})
		}
		s := &p.file.Sections[len(p.file.Sections)-1]
		s.Links = append(s.Links, l)
	}
}
