package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
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
