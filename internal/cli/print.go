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

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/report"
	"golang.org/x/term"
)

// prefix begins each line of a message or an error. Lines of findings do not have it.
const prefix = "sitewalk: "

// A Printer prints messages for people. It escapes control characters, which may come from the
// site.
type Printer struct {
	Out, Err             io.Writer
	Quiet                bool   // errors only
	OutScreen, ErrScreen Screen // terminals of Out and Err
}

// Printf prints a message to p.Err unless p is quiet.
func (p *Printer) Printf(format string, args ...any) {
	if !p.Quiet {
		fmt.Fprintln(p.Err, prefix+diag.Plain(fmt.Sprintf(format, args...)))
	}
}

// printFailure prints why a command failed, as a line "failed: …" in red.
func (p *Printer) printFailure(format string, args ...any) {
	fmt.Fprintln(p.Err, prefix+p.ErrScreen.Paint(red, "failed:"), diag.Plain(fmt.Sprintf(format, args...)))
}

// PrintError prints an error and, on the next line, its hint. It prints joined errors separately.
func (p *Printer) PrintError(err error) {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range all.Unwrap() {
			p.PrintError(err)
		}
		return
	}
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintln(p.Err, prefix+p.ErrScreen.Paint(red, "error:"), diag.Plain(strings.TrimRight(line, "\n")))
	}
	if h, ok := errors.AsType[diag.Hinted](err); ok && h.Hint != "" {
		fmt.Fprintln(p.Err, prefix+"hint:", diag.Plain(h.Hint))
	}
}

// printFinding prints a finding without its hint.
func (p *Printer) printFinding(d diag.Diagnostic) {
	text, word := diag.Plain(d.String()), d.Severity.String()+":"
	text = strings.Replace(text, word, p.ErrScreen.Paint(SeverityColours[d.Severity], word), 1)
	if code := "[" + diag.Plain(d.Code) + "]"; strings.HasSuffix(text, code) {
		text = strings.TrimSuffix(text, code) + p.ErrScreen.Paint(dim, code)
	}
	fmt.Fprintln(p.Err, text)
}

// A Screen describes a terminal. The zero Screen is not a terminal and has no colours.
type Screen struct {
	IsTerminal bool
	width      int // in columns; 0 if unknown
	colour     bool
}

// ScreenOf returns the Screen for output to f. It is the zero Screen if f is not a terminal.
func ScreenOf(f *os.File, getenv func(string) string) Screen {
	if !term.IsTerminal(int(f.Fd())) {
		return Screen{}
	}
	columns, _, _ := term.GetSize(int(f.Fd())) // negative if unknown
	return NewTerminalScreen(max(columns, 0), getenv)
}

// NewTerminalScreen returns the Screen of a terminal with the given number of columns; 0 means that
// the number is unknown. The environment variables NO_COLOR and TERM=dumb turn colours off. See
// https://no-color.org.
func NewTerminalScreen(columns int, getenv func(string) string) Screen {
	return Screen{true, columns, getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"}
}

// Colours and styles for Screen.Paint, as SGR parameters; see ECMA-48, section 8.3.117.
const (
	Bold   = "1"
	Green  = "32"
	Yellow = "33"
	dim    = "2"
	red    = "1;31"
	cyan   = "36"
)

// Paint returns text in a colour such as Green. It returns text unchanged if s has no colours.
func (s Screen) Paint(colour, text string) string {
	if !s.colour || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// SeverityColours has the colour of each severity.
var SeverityColours = [...]string{diag.Note: cyan, diag.Warning: Yellow, diag.Error: red}

// An Output is standard output or standard error. It stores the first error of Write, so that
// callers need not check each call.
type Output struct {
	To   io.Writer
	Name string
	mu   sync.Mutex
	err  error
}

// Write writes b to o.To. After an error, it writes nothing and returns the error again.
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

// PrintFindings prints findings sorted by file and line. Unless all is true, it prints for each
// code only the findings that firstFindings returns, and the number of the others. If p is quiet,
// it prints only errors.
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
	p.printWithHints(list)
	for _, line := range more {
		fmt.Fprintln(p.Err, line)
	}
}

// maxSimilar is the maximum number of findings with the same cause that firstFindings returns
// separately.
const maxSimilar = 3

// firstFindings returns the findings of one code that are printed without -v, at most
// diag.DefaultKept, and the number of the other findings. If more than maxSimilar findings have the
// same cause, a single finding with a count replaces them. The cause of a finding without a Cause
// is its message.
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
			n = max(n, k.CountWithCause(d.Cause))
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

// printWithHints prints findings and their hints. Consecutive findings with the same hint share one
// hint line, below the last of them.
func (p *Printer) printWithHints(list diag.List) {
	for i, d := range list {
		p.printFinding(d)
		if d.Hint != "" && (i+1 == len(list) || list[i+1].Hint != d.Hint) {
			fmt.Fprintln(p.Err, "    hint:", diag.Plain(d.Hint))
		}
	}
}

// printOrigins prints the value of each setting, and the file, flag or default that the value comes
// from.
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

// printProjectFolder prints the folder of the project if it is not the working directory.
func printProjectFolder(p *Printer, s *config.Settings) {
	if s != nil && s.ProjectDir != "" {
		p.Printf("the project is in the folder %s", s.ProjectDir)
	}
}

// printBaseline prints how many findings the baseline accepts, and lists the findings that are
// fixed. read and written are the names of the baseline files that were read and written, or "".
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
