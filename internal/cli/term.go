package cli

import (
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/sitewalk/sitewalk/internal/diag"
)

// A screen is how a person sees what is printed. The zero screen is no terminal:
// nothing is wrapped and nothing has a colour.
type screen struct {
	width  int // columns; 0 is no limit
	colour bool
}

// screenOf returns the screen behind an output. See https://no-color.org.
func screenOf(env Env, terminal bool) screen {
	if !terminal {
		return screen{}
	}
	s := screen{colour: env.Getenv("NO_COLOR") == "" && env.Getenv("TERM") != "dumb"}
	if env.Width != nil {
		s.width = env.Width()
	}
	return s
}

// The colours of the terminal's own palette, see ECMA-48, 8.3.117.
const (
	bold   = "1"
	dim    = "2"
	red    = "1;31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

func (s screen) paint(colour, text string) string {
	if !s.colour || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// severities are the colours of what is wrong.
var severities = [...]string{diag.Note: cyan, diag.Warning: yellow, diag.Error: red}

// narrowest is below how many columns nothing is wrapped: each word would have a
// line of its own.
const narrowest = 24

// wrap breaks a line at spaces where it is too long; what follows begins with as
// many spaces as indent says. A word that is too long stays whole, so that it
// can be copied.
func (s screen) wrap(line string, indent int) string {
	if s.width < narrowest || utf8.RuneCountInString(line) <= s.width {
		return line
	}
	var rows []string
	row, begin := "", 0 // where the words of the row begin
	for i, word := range strings.Split(line, " ") {
		if i > 0 && len(row) > max(begin, indent) && utf8.RuneCountInString(row)+1+utf8.RuneCountInString(word) > s.width {
			rows = append(rows, strings.TrimRight(row, " "))
			row, begin = strings.Repeat(" ", indent)+word, indent
			continue
		}
		if i > 0 {
			row += " "
		}
		row += word
	}
	return strings.Join(append(rows, row), "\n")
}

// indentOf is by how much what follows a wrapped line is indented.
func indentOf(line string) int {
	return len(line) - len(strings.TrimLeft(line, " ")) + 4
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// widthOf returns the columns of a terminal, 0 when it does not say.
func widthOf(f *os.File) int {
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}
