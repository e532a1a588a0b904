package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/sitewalk/sitewalk/internal/diag"
)

const prefix = "sitewalk: "

// A printer writes what a person reads. No byte of a user's file reaches the
// terminal unless it is plain text.
type printer struct {
	out, err io.Writer
	quiet    bool
}

// say prints a line of talk.
func (p *printer) say(format string, args ...any) {
	if !p.quiet {
		fmt.Fprintln(p.err, prefix+plain(fmt.Sprintf(format, args...)))
	}
}

// fail prints an error and, apart from it, its hint.
func (p *printer) fail(err error) {
	fmt.Fprintln(p.err, prefix+"error: "+plainLines(err.Error()))
	if h, ok := errors.AsType[diag.Hinted](err); ok {
		p.hint(h.Hint)
	}
}

func (p *printer) hint(text string) {
	if text != "" {
		fmt.Fprintln(p.err, prefix+"hint: "+plain(text))
	}
}

// plain returns a line that can do nothing to a terminal or a log.
func plain(s string) string { return diag.Plain(s) }

// plainLines is plain for text of several lines.
func plainLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = plain(lines[i])
	}
	return strings.Join(lines, "\n")
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
