package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/diag"
	"golang.org/x/term"
)

const prefix = "sitewalk: "

// A printer writes what a person reads. No byte of a user's file reaches the
// terminal unless it is plain text.
type printer struct {
	out, err    io.Writer
	quiet       bool
	page, tells screen // of out and of err
}

// say prints a line about the work.
func (p *printer) say(format string, args ...any) {
	if !p.quiet {
		p.line(prefix + plain(fmt.Sprintf(format, args...)))
	}
}

// line prints a line that is plain, in as many rows as it takes.
func (p *printer) line(text string) { fmt.Fprintln(p.err, p.tells.wrap(text, indentOf(text))) }

// fail prints an error and, on a line of its own, its hint. Errors that are
// joined are printed one by one.
func (p *printer) fail(err error) {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range all.Unwrap() {
			p.fail(err)
		}
		return
	}
	for line := range strings.Lines(err.Error()) {
		text := p.tells.wrap(prefix+"error: "+plain(strings.TrimRight(line, "\n")), indentOf(prefix))
		fmt.Fprintln(p.err, strings.Replace(text, "error:", p.tells.paint(red, "error:"), 1))
	}
	if h, ok := errors.AsType[diag.Hinted](err); ok && h.Hint != "" {
		p.line(prefix + "hint: " + plain(h.Hint))
	}
}

// finding prints one.
func (p *printer) finding(d diag.Diagnostic) {
	text, word := plain(d.String()), d.Severity.String()+":"
	text = p.tells.wrap(text, indentOf(text))
	text = strings.Replace(text, word, p.tells.paint(severities[d.Severity], word), 1)
	if code := "[" + plain(d.Code) + "]"; strings.HasSuffix(text, code) {
		text = strings.TrimSuffix(text, code) + p.tells.paint(dim, code)
	}
	fmt.Fprintln(p.err, text)
}

// plain returns a line that can do nothing to a terminal or a log.
func plain(s string) string { return diag.Plain(s) }

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

// An output is standard output or standard error. It remembers the first error, so
// that what prints does not have to look at each.
type output struct {
	to   io.Writer
	name string
	mu   sync.Mutex
	err  error
}

// Write writes to the output, and fails for good once it has failed.
func (o *output) Write(b []byte) (n int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		n, err = o.to.Write(b)
		if err != nil {
			o.err = fmt.Errorf("%s cannot be written: %w", o.name, diag.Cause(err))
		}
	}
	return n, o.err
}

// lost returns the error of a command whose output was not written, or its own if
// that says so or is worse.
func (o *output) lost(err error) error {
	if err == nil || errors.Is(err, errFindings) {
		return cmp.Or(o.err, err)
	}
	return err
}
