package strict

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// A slip is what a person typed where the YAML library found no sense: its words
// for it, what the line looks like, and what to do. The first group of line is
// the text to blame.
type slip struct {
	library, line *regexp.Regexp
	message       string // "" keeps the library's words; %s is the text to blame
	hint          string // with %s as in message
}

// begins stands before a value, and word is one up to its end.
const (
	begins = `(?:^|: +|- +|[,\[{] *)`
	word   = `(?:\{[^}]*\}|\[[^\]]*\]|[^\s,\]}"'])`
)

var slips = []slip{
	{
		regexp.MustCompile(`^found (character that cannot start any token|a tab character)`), regexp.MustCompile(`^[ -]*(\t)`),
		"a tab indents this line, and YAML takes spaces only", "replace the tab with spaces",
	},
	{
		regexp.MustCompile(`^did not find expected (alphabetic|key|',' or)|cannot start any token`),
		regexp.MustCompile("[:,\\-\\[{] +([*&@%`]" + word + "*|\\{[^}]*\\}" + word + "+|\\[[^\\]]*\\]" + word + "+)|\\[([*&@%`]" + word + "*)"),
		"%s has to be in quotes, since it begins with a character that means something else to YAML", `write "%s"`,
	},
	{
		regexp.MustCompile(`^unknown anchor`), regexp.MustCompile(begins + `(\*` + word + `*)`),
		"", `write "%s" if that is a pattern`,
	},
	{
		regexp.MustCompile(`^mapping values are not allowed`), regexp.MustCompile(`^[ -]*[\w-]+: +([^"'\s][^"']*: .*)`),
		"", `put a value that holds a colon and a space into quotes: "%s"`,
	},
	{
		regexp.MustCompile(`^found unknown escape character`), regexp.MustCompile(`"([^"]*\\[^"]*)"`),
		"", `write '%s' in single quotes, where a backslash is only that`,
	},
	{
		regexp.MustCompile(`^did not find expected key`), regexp.MustCompile(`^ +([\w-]+):`),
		"", "the keys of one map begin in the same column; this one is %s",
	},
}

// blameSlip looks for a slip about the line that the library complains of; it
// may name the one before or after it.
func blameSlip(d *diag.Diagnostic, src []byte, text string) {
	lines := bytes.Split(src, []byte("\n"))
	for i := range slips {
		s := &slips[i]
		if !s.library.MatchString(text) {
			continue
		}
		for _, n := range []int{d.Pos.Line, d.Pos.Line + 1, d.Pos.Line - 1} {
			if n < 1 || n > len(lines) {
				continue
			}
			line := bytes.TrimRight(lines[n-1], "\r")
			if m := s.line.FindSubmatchIndex(line); m != nil {
				s.tell(d, n, line, m)
				return
			}
		}
	}
}

// tell puts what a slip says into a finding.
func (s *slip) tell(d *diag.Diagnostic, n int, line []byte, match []int) {
	for len(match) > 4 && match[2] < 0 {
		match = match[2:]
	}
	from, to := match[2], match[3]
	d.Pos.Line, d.Pos.Col = n, from+1
	fill := strings.NewReplacer("%s", string(line[from:to]))
	if s.message != "" {
		d.Message = "not valid YAML: " + fill.Replace(s.message)
	}
	d.Hint = fill.Replace(s.hint)
}
