package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/report"
	"golang.org/x/term"
)

const prefix = "sitewalk: "

// A Printer prints messages for people. It prints plain text only.
type Printer struct {
	Out, Err       io.Writer
	Quiet          bool   // errors only
	Page, Messages Screen // of Out and of Err
}

// Printf prints a message, unless the printer is quiet.
func (p *Printer) Printf(format string, args ...any) {
	if !p.Quiet {
		p.printLine(prefix + diag.Plain(fmt.Sprintf(format, args...)))
	}
}

// printOutcome prints a line about a failed command, as "failed: ..." in red.
func (p *Printer) printOutcome(format string, args ...any) {
	text := prefix + "failed: " + diag.Plain(fmt.Sprintf(format, args...))
	text = p.Messages.Wrap(text, indentOf(text))
	fmt.Fprintln(p.Err, strings.Replace(text, "failed:", p.Messages.Paint(red, "failed:"), 1))
}

// printLine prints plain text, wrapped to the width of the terminal.
func (p *Printer) printLine(text string) { fmt.Fprintln(p.Err, p.Messages.Wrap(text, indentOf(text))) }

// PrintError prints an error, and its hint on a line of its own. It prints joined errors one by one.
func (p *Printer) PrintError(err error) {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range all.Unwrap() {
			p.PrintError(err)
		}
		return
	}
	for line := range strings.Lines(err.Error()) {
		text := p.Messages.Wrap(prefix+"error: "+diag.Plain(strings.TrimRight(line, "\n")), indentOf(prefix))
		fmt.Fprintln(p.Err, strings.Replace(text, "error:", p.Messages.Paint(red, "error:"), 1))
	}
	if h, ok := errors.AsType[diag.Hinted](err); ok && h.Hint != "" {
		p.printLine(prefix + "hint: " + diag.Plain(h.Hint))
	}
}

// printFinding prints a finding without its hint.
func (p *Printer) printFinding(d diag.Diagnostic) {
	text, word := diag.Plain(d.String()), d.Severity.String()+":"
	text = p.Messages.Wrap(text, indentOf(text))
	text = strings.Replace(text, word, p.Messages.Paint(SeverityColours[d.Severity], word), 1)
	if code := "[" + diag.Plain(d.Code) + "]"; strings.HasSuffix(text, code) {
		text = strings.TrimSuffix(text, code) + p.Messages.Paint(dim, code)
	}
	fmt.Fprintln(p.Err, text)
}

// A Screen describes a terminal. The zero Screen is not a terminal: text is neither wrapped nor
// coloured.
type Screen struct {
	Terminal bool
	width    int // in columns; 0 if it is not known
	colour   bool
}

// ScreenOf returns the screen of a file.
func ScreenOf(f *os.File, getenv func(string) string) Screen {
	if !term.IsTerminal(int(f.Fd())) {
		return Screen{}
	}
	columns, _, _ := term.GetSize(int(f.Fd())) // negative if it is not known
	return Terminal(max(columns, 0), getenv)
}

// Terminal returns the screen of a terminal. columns is 0 if the width is not known. See
// https://no-color.org.
func Terminal(columns int, getenv func(string) string) Screen {
	return Screen{true, columns, getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"}
}

// Colours of the palette of the terminal, see ECMA-48, 8.3.117.
const (
	Bold   = "1"
	Green  = "32"
	Yellow = "33"
	dim    = "2"
	red    = "1;31"
	cyan   = "36"
)

// Paint returns text in a colour.
func (s Screen) Paint(colour, text string) string {
	if !s.colour || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// SeverityColours has the colour of each severity.
var SeverityColours = [...]string{diag.Note: cyan, diag.Warning: Yellow, diag.Error: red}

// minWrapColumns is the narrowest terminal for which lines are wrapped.
const minWrapColumns = 24

// Columns returns the width to which lines are wrapped, or 0 for no limit.
func (s Screen) Columns() int {
	if s.width < minWrapColumns {
		return 0
	}
	return s.width
}

// Wrap breaks a line at spaces. Further lines begin with indent spaces. A word that is too long stays
// whole, so that it can be copied.
func (s Screen) Wrap(line string, indent int) string {
	columns := s.Columns()
	if columns == 0 || utf8.RuneCountInString(line) <= columns {
		return line
	}
	var rows []string
	row, begin := "", 0 // where the words of the row begin
	for i, word := range strings.Split(line, " ") {
		if i > 0 && len(row) > max(begin, indent) && utf8.RuneCountInString(row)+1+utf8.RuneCountInString(word) > columns {
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

// indentOf returns the indent of the further lines of a wrapped line.
func indentOf(line string) int {
	return len(line) - len(strings.TrimLeft(line, " ")) + 4
}

// An Output is standard output or standard error. It keeps the first error, so that printing needs no
// checks.
type Output struct {
	To   io.Writer
	Name string
	mu   sync.Mutex
	err  error
}

// Write writes to the output. After an error, it returns the error again.
func (o *Output) Write(b []byte) (n int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		n, err = o.To.Write(b)
		if err != nil {
			o.err = fmt.Errorf("%s cannot be written: %w", o.Name, diag.Cause(err))
		}
	}
	return n, o.err
}

// Err returns the first error of Write, or nil.
func (o *Output) Err() error { return o.err }

// PrintFindings prints findings by file and line. Unless all is set, it prints some of each code, and
// counts the others. A quiet printer prints errors only.
func (p *Printer) PrintFindings(kinds []diag.Kind, all bool) {
	var list diag.List
	var more []string
	for _, k := range kinds {
		shown, rest := k.List, k.Count-len(k.List)
		if !all {
			shown, rest = firstFindings(k)
		}
		list = append(list, shown...)
		if rest > 0 && (!p.Quiet || k.Severity == diag.Error) {
			more = append(more, fmt.Sprintf("%s%s more of [%s]; -v prints all", prefix, diag.Number(rest), diag.Plain(k.Code)))
		}
	}
	if p.Quiet {
		list = slices.DeleteFunc(list, func(d diag.Diagnostic) bool { return d.Severity < diag.Error })
	}
	slices.SortStableFunc(list, diag.Compare)
	p.printList(list)
	for _, line := range more {
		p.printLine(line)
	}
}

// maxSimilar is the maximum number of findings with the same cause or message that are printed one
// by one.
const maxSimilar = 3

// firstFindings returns the findings of one code that are printed without -v, and counts the others.
// More than maxSimilar findings with the same cause or message become one finding with a count.
func firstFindings(k diag.Kind) (shown diag.List, more int) {
	cause := func(d diag.Diagnostic) string { return cmp.Or(d.Cause, d.Message) }
	alike := map[string]int{}
	for _, d := range k.List {
		alike[cause(d)]++
	}
	covered := 0
	for _, d := range k.List {
		switch n := alike[cause(d)]; {
		case n == 0 || len(shown) == diag.DefaultKept:
			continue
		case n > maxSimilar:
			n = max(n, k.CountCause(d.Cause))
			alike[cause(d)] = 0
			d.Message += "; the same in " + diag.Count(n-1, "more place")
			covered += n
		default:
			covered++
		}
		shown = append(shown, d)
	}
	return shown, k.Count - covered
}

// printList prints findings. A hint is printed below the last of those in a row that share it.
func (p *Printer) printList(list diag.List) {
	for i, d := range list {
		p.printFinding(d)
		if d.Hint != "" && (i+1 == len(list) || list[i+1].Hint != d.Hint) {
			p.printLine("    hint: " + diag.Plain(d.Hint))
		}
	}
}

// printOrigins prints the origin of each setting.
func printOrigins(p *Printer, all []config.Origin) {
	for _, o := range all {
		from := o.By
		if o.Pos.File != "" {
			from += " " + o.Pos.String()
		}
		if o.Why != "" {
			from += " " + o.Why
		}
		p.Printf("%s: %s (%s)", o.Key, o.Value, from)
	}
}

// printProjectFolder prints the folder of the project if it is not the working folder.
func printProjectFolder(p *Printer, s *config.Settings) {
	if s != nil && s.ProjectDir != "" {
		p.Printf("the project is that of the folder %s", s.ProjectDir)
	}
}

// printBaseline prints how many findings are accepted or fixed. read and written are the files of the
// baseline, or "".
func printBaseline(p *Printer, r *report.Report, read, written string) {
	switch {
	case r.Error != "":
	case written != "":
		p.Printf("%s accepted, and written to %s", diag.Count(r.Accepted, "finding"), written)
	case r.Accepted > 0:
		p.Printf("%s accepted, which %s knows", diag.Count(r.Accepted, "finding"), read)
	}
	for i, line := range r.Fixed {
		if i == diag.DefaultKept {
			p.Printf("fixed: %d more", len(r.Fixed)-i)
			break
		}
		p.Printf("fixed: %s", line)
	}
	if len(r.Fixed) > 0 && written == "" && r.Error == "" {
		p.Printf("%s of %s fixed; --write-baseline %[2]s writes it without", diag.Count(len(r.Fixed), "finding"), read)
	}
}

func nonEmpty(ss ...string) []string {
	var out []string
	for _, s := range ss {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

func parenthesize(s string) string {
	if s == "" {
		return ""
	}
	return "(" + s + ")"
}
