package strict

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// A slip is a frequent mistake in YAML. library matches the message of yaml.v3, and line the
// line with the mistake. The first group of line is the wrong text.
type slip struct {
	library, line *regexp.Regexp
	message       string // replaces the message of yaml.v3 unless empty; %s is the wrong text
	hint          string // with %s as in message
}

// begins matches the text before a value, and word a value.
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

// explainSyntaxError looks for a slip in the line of d, and in the lines before and after it,
// because yaml.v3 may name the wrong line.
func explainSyntaxError(d *diag.Diagnostic, src []byte, text string) {
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
				s.explain(d, n, line, m)
				return
			}
		}
	}
}

// explain puts the message and the hint of a slip into a finding.
func (s *slip) explain(d *diag.Diagnostic, n int, line []byte, match []int) {
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
