package llms

import (
	"regexp"
	"strings"
)

// Parse reads an llms.txt as tools write it: sections may be headings of any level,
// links may stand anywhere, and addresses may stand bare. Code and comments hold
// nothing. It takes time linear in the length of the text.
func Parse(text []byte) *File {
	p := parser{file: new(File)}
	rest := strings.TrimPrefix(string(text), "\ufeff")
	p.before = len(text) - len(rest)
	for rest != "" {
		var line string
		line, rest = cutLine(rest)
		p.number++
		p.line(line)
		p.before = 0
	}
	p.file.Summary = plain(strings.Join(p.summary, " "))
	return p.file
}

// cutLine returns the first line without its end, and what follows.
func cutLine(s string) (line, rest string) {
	i := strings.IndexAny(s, "\r\n")
	if i < 0 {
		return s, ""
	}
	if strings.HasPrefix(s[i:], "\r\n") {
		return s[:i], s[i+2:]
	}
	return s[:i], s[i+1:]
}

var (
	numbered = regexp.MustCompile(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#*)?[ \t]*$`) // a heading with number signs
	fence    = regexp.MustCompile("^(?:(~{3,})|(`{3,})[^`]*$)")                           // a block of code begins
)

// A parser reads a file line by line.
type parser struct {
	file    *File
	titled  bool     // there was a title
	number  int      // of the line
	before  int      // bytes of the line that are not in it: a byte order mark
	fence   string   // that ends a block of code; "" outside of one
	hidden  bool     // within a comment
	quoted  bool     // the line before belongs to the summary
	summary []string // its lines
	last    string   // the line before, which a line of equals signs makes a title
}

func (p *parser) line(line string) {
	text := strings.Trim(line, " \t")
	was, last := p.quoted, p.last
	p.quoted, p.last = false, text
	if p.code(text) {
		return
	}
	heading := numbered.FindStringSubmatch(line)
	switch {
	case p.hidden:
	case heading != nil:
		p.heading(len(heading[1]), heading[2])
		return
	case !p.titled && last != "" && text != "" && strings.Trim(text, "=") == "":
		p.heading(1, last)
		return
	case strings.HasPrefix(text, ">") && len(p.file.Sections) == 0 && (was || p.summary == nil):
		p.quoted = true
		p.summary = append(p.summary, strings.TrimSpace(text[1:]))
	}
	p.links(line)
}

// code reports whether a line belongs to a block of code.
func (p *parser) code(text string) bool {
	if p.hidden {
		return false
	}
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

func (p *parser) heading(level int, name string) {
	name = plain(strings.TrimSpace(name))
	if level == 1 && !p.titled {
		p.titled, p.file.Title = true, name
		return
	}
	p.file.Sections = append(p.file.Sections, Section{Name: name})
}

// add adds a link whose URL begins at an index of the line.
func (p *parser) add(l Link, at int) {
	l.Line, l.Column = p.number, p.before+at+1
	if len(p.file.Sections) == 0 {
		p.file.Sections = append(p.file.Sections, Section{})
	}
	s := &p.file.Sections[len(p.file.Sections)-1]
	s.Links = append(s.Links, l)
}
