package llms

import (
	"regexp"
	"strings"
)

// links reads the links of a line that is no heading and no code.
func (p *parser) links(line string) {
	first := itemText(line)
	var open []int // where brackets were opened
	ticks := lastTicks(line)
	for i := 0; i < len(line); i++ {
		if p.hidden {
			end := strings.Index(line[i:], "-->")
			if end < 0 {
				return
			}
			p.hidden = false
			i += end + len("-->") - 1
			continue
		}
		switch line[i] {
		case '\\':
			i++
		case '`':
			i = skipCode(line, i, ticks)
		case '<':
			i = p.angle(line, i)
		case '[':
			open = append(open, i)
		case ']':
			if len(open) == 0 {
				continue
			}
			from := open[len(open)-1]
			open = open[:len(open)-1]
			if url, at, end := destination(line, i+1); end > 0 {
				p.link(line, from, i, url, at, end, from == first)
				i = end - 1
			}
		case 'h':
			if n := bareLen(line[i:]); n > 0 {
				p.add(Link{URL: plain(line[i : i+n])}, i)
				i += n - 1
			}
		}
	}
}

// link adds the link whose text stands between the brackets at from and to, and that
// ends before end. Images are none, and a link around one has no text.
func (p *parser) link(line string, from, to int, url string, at, end int, item bool) {
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

// itemMark is what a list item begins with.
var itemMark = regexp.MustCompile(`^[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+`)

// itemText returns where the text of a list item begins, -1 of any other line.
func itemText(line string) int {
	if mark := itemMark.FindString(line); mark != "" {
		return len(mark)
	}
	return -1
}

// mostNested is how deep parentheses in an address may be nested, as CommonMark
// allows; it bounds what each byte of a line costs.
const mostNested = 32

// destination returns the address of a link whose text ends before from, where it
// begins, and where the link ends; end is 0 if there is none.
func destination(line string, from int) (url string, at, end int) {
	if from == len(line) || line[from] != '(' {
		return "", 0, 0
	}
	at = from + 1
	for at < len(line) && line[at] == ' ' && at-from < mostNested {
		at++
	}
	stop := addressEnd(line, at)
	if stop < 0 {
		return "", 0, 0
	}
	url = plain(strings.Trim(line[at:stop], "<>"))
	if stop = titleEnd(line, stop); stop == len(line) || line[stop] != ')' {
		return "", 0, 0
	}
	return url, at, stop + 1
}

// addressEnd returns where the address ends that begins at i, or -1.
func addressEnd(line string, i int) int {
	if i < len(line) && line[i] == '<' {
		n := strings.IndexAny(line[i+1:], "<>")
		if n < 0 || line[i+1+n] != '>' {
			return -1
		}
		return i + 1 + n + 1
	}
	depth := 0
	for ; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line) && isPunct(line[i+1]):
			i++
		case c <= ' ':
			return i
		case c == '(':
			if depth++; depth > mostNested {
				return -1
			}
		case c == ')':
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return -1
}

// titleEnd returns where the title behind an address ends, with the blanks around it.
func titleEnd(line string, i int) int {
	rest := strings.TrimLeft(line[i:], " \t")
	if len(rest) == len(line)-i || rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return len(line) - len(rest)
	}
	n := strings.IndexByte(rest[1:], rest[0])
	if n < 0 {
		return len(line) - len(rest)
	}
	return len(line) - len(strings.TrimLeft(rest[n+2:], " \t"))
}

// angle passes what begins with a "<": a comment, or an address in angle brackets,
// which it adds. It returns the index of the last byte.
func (p *parser) angle(line string, i int) int {
	if strings.HasPrefix(line[i:], "<!--") {
		p.hidden = true
		return i + len("<!--") - 1
	}
	if n := bareLen(line[i+1:]); n > 0 && i+1+n < len(line) && line[i+1+n] == '>' {
		p.add(Link{URL: plain(line[i+1 : i+1+n])}, i+1)
		return i + 1 + n
	}
	return i
}

// bareLen returns how long the address is that a text begins with, 0 if it does not.
func bareLen(s string) int {
	if !strings.HasPrefix(s, "http://") && !strings.HasPrefix(s, "https://") {
		return 0
	}
	n := strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || strings.ContainsRune("<>\"`[]()", r) })
	if n < 0 {
		n = len(s)
	}
	n = len(strings.TrimRight(s[:n], ".,;:!?'*_"))
	if n <= len("https://") {
		return 0
	}
	return n
}

// lastTicks returns where the last run of so many backticks begins.
func lastTicks(line string) map[int]int {
	if strings.IndexByte(line, '`') < 0 {
		return nil
	}
	last := map[int]int{}
	for i := 0; i < len(line); i++ {
		if n := tickRun(line, i); n > 0 {
			last[n] = i
			i += n
		}
	}
	return last
}

func tickRun(line string, i int) int {
	return len(line[i:]) - len(strings.TrimLeft(line[i:], "`"))
}

// skipCode returns the index of the last byte of the code that begins with the
// backticks at i, or of these where no others end it.
func skipCode(line string, i int, last map[int]int) int {
	n := tickRun(line, i)
	if last[n] <= i {
		return i + n - 1
	}
	for j := i + n; ; j++ {
		switch m := tickRun(line, j); {
		case m == n:
			return j + n - 1
		case m > 0:
			j += m - 1
		}
	}
}
