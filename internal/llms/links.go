package llms

import (
	"regexp"
	"strings"
)

// inline is what plain text ends at. An address may hold parentheses, but none within one
// another, which bounds what each byte of a line costs.
var inline = regexp.MustCompile("^(?:" + strings.Join([]string{
	`\\.?`, // an escape
	"(`+)",
	`(<!--)`,
	`<(https?://[^\x00- <>]+)>`,
	`(\[)`,
	`(\])(?:\( *(<[^<>]*>|(?:` + inAddress + `|\((?:` + inAddress + `)*\))*)(?:[ \t]+(?:"[^"]*"|'[^']*'))?[ \t]*\))?`,
	"(https?://[^\\x00- <>\"`\\[\\]()]+)",
}, "|") + ")")

// special are the bytes that it begins with.
const special = "\\`<[]h"

const inAddress = `[^\x00- \x7f()\\]|\\[^\x00- \x7f]`

// Where its groups begin, in what it finds.
const (
	code    = 2 + 2*iota
	comment // that begins
	angle   // an address in angle brackets
	opening // a bracket
	closing // one, with the destination of a link if there is one
	address // of that
	bare    // an address
)

// mostOpen is how many brackets may be open at once, of which the last ones count. It
// bounds how often a byte is read as a part of the texts of links around one another.
const mostOpen = 16

var (
	ticks    = regexp.MustCompile("`+")
	itemMark = regexp.MustCompile(`^[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+`) // what a list item begins with
)

// links reads the links of a line that is no heading and no code.
func (p *parser) links(line string) {
	last := map[int]int{} // where the last run of so many backticks begins
	for _, m := range ticks.FindAllStringIndex(line, -1) {
		last[m[1]-m[0]] = m[0]
	}
	first := len(itemMark.FindString(line))
	var open []int // where brackets were opened
	for i := 0; i < len(line); {
		if p.hidden {
			_, after, closed := strings.Cut(line[i:], "-->")
			if !closed {
				return
			}
			p.hidden, i = false, len(line)-len(after)
			continue
		}
		next := strings.IndexAny(line[i:], special)
		if next < 0 {
			return
		}
		i += next
		m := inline.FindStringSubmatchIndex(line[i:])
		if m == nil {
			i++
			continue
		}
		at := func(group int) (from, to int) { return i + m[group], i + m[group+1] }
		from, end := at(0)
		switch {
		case m[code] >= 0:
			end = codeEnd(line, from, end, last)
		case m[comment] >= 0:
			p.hidden = true
		case m[angle] >= 0:
			p.address(line, from+1, end-1)
		case m[bare] >= 0:
			end = from + len(strings.TrimRight(line[from:end], ".,;:!?'*_"))
			p.address(line, from, end)
		case m[opening] >= 0:
			if open = append(open, from); len(open) > mostOpen {
				open = open[1:]
			}
		case m[closing] >= 0 && len(open) == 0:
			end = from + 1
		case m[closing] >= 0:
			opened := open[len(open)-1]
			open = open[:len(open)-1]
			if m[address] >= 0 {
				a, b := at(address)
				p.link(line, opened, from, a, b, end, opened == first && first > 0)
			}
		}
		i = end
	}
}

// codeEnd returns where the code ends that begins with the backticks between two indexes,
// or where these end if no others end it.
func codeEnd(line string, from, to int, last map[int]int) int {
	end := to
	for n := to - from; last[n] > from; {
		m := ticks.FindStringIndex(line[end:])
		if end += m[1]; m[1]-m[0] == n {
			break
		}
	}
	return end
}

// address adds an address that stands for itself.
func (p *parser) address(line string, from, to int) {
	if to-from > len("https://") {
		p.add(Link{URL: plain(line[from:to])}, from)
	}
}

// link adds the link whose text stands between the brackets at from and to, its address
// between two indexes behind them, and its note behind end. Images are none, and a link
// around one has no text.
func (p *parser) link(line string, from, to, at, stop, end int, item bool) {
	url := plain(strings.Trim(line[at:stop], "<>"))
	if from > 0 && line[from-1] == '!' && !item || url == "" {
		return
	}
	p.forget(from)
	l := Link{Text: plain(line[from+1 : to]), URL: url, Item: item}
	if item {
		note := strings.TrimSpace(uncommented(line[end:]))
		l.Note = plain(strings.TrimPrefix(note, ":"))
	}
	p.add(l, at)
}

// forget drops the addresses of the line that stand behind an index: they are the text
// of a link.
func (p *parser) forget(from int) {
	if len(p.file.Sections) == 0 {
		return
	}
	s := &p.file.Sections[len(p.file.Sections)-1]
	for n := len(s.Links) - 1; n >= 0 && s.Links[n].Line == p.number && s.Links[n].Column > p.before+from; n-- {
		s.Links = s.Links[:n]
	}
}

// uncommented returns a text without the comment at its end.
func uncommented(s string) string {
	if i := strings.LastIndex(s, "<!--"); i >= 0 && strings.HasSuffix(strings.TrimSpace(s), "-->") {
		return s[:i]
	}
	return s
}
