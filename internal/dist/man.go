package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A manual makes the man pages of a command tree, in the macros of man(7).
// Nothing in them depends on the day or the machine.
type manual struct {
	version string
	date    time.Time // of the release; the zero time is not printed
}

// pages calls write with the name and the text of each page: of the command and
// of all below it.
func (m manual) pages(cmd *cobra.Command, write func(name string, text []byte) error) error {
	var b strings.Builder
	m.page(&b, cmd)
	if err := write(pageName(cmd)+".1", []byte(b.String())); err != nil {
		return err
	}
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		if err := m.pages(sub, write); err != nil {
			return err
		}
	}
	return nil
}

// pageName is "sitewalk-build" for "sitewalk build".
func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

func (m manual) page(w io.Writer, cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	date := ""
	if !m.date.IsZero() {
		date = m.date.UTC().Format("2006-01-02")
	}
	fmt.Fprintf(w, ".TH %q 1 %q %q %q\n", strings.ToUpper(pageName(cmd)), date, strings.TrimSpace("sitewalk "+m.version), "sitewalk manual")
	fmt.Fprint(w, ".nh\n.ad l\n") // a hyphenated command cannot be pasted
	section(w, "NAME")
	fmt.Fprintf(w, "%s \\- %s\n", escape(pageName(cmd)), escape(cmd.Short))
	section(w, "SYNOPSIS")
	synopsis(w, cmd)
	section(w, "DESCRIPTION")
	prose(w, cmp.Or(cmd.Long, cmd.Short+"."))
	options(w, cmd)
	if !cmd.HasParent() {
		commands(w, cmd)
		for _, s := range rootSections {
			section(w, s.title)
			prose(w, s.text)
		}
	}
	if cmd.Example != "" {
		section(w, "EXAMPLES")
		prose(w, cmd.Example)
	}
	section(w, "SEE ALSO")
	seeAlso(w, cmd)
}

func section(w io.Writer, title string) { fmt.Fprintf(w, ".SH %s\n", title) }

func synopsis(w io.Writer, cmd *cobra.Command) {
	fmt.Fprintf(w, "\\fB%s\\fR", escape(cmd.CommandPath()))
	if _, arguments, ok := strings.Cut(cmd.Use, " "); ok {
		fmt.Fprintf(w, " %s", escape(arguments))
	}
	if !strings.HasSuffix(cmd.UseLine(), "]...") && cmd.HasAvailableLocalFlags() {
		fmt.Fprint(w, " [\\fIflags\\fR]")
	}
	fmt.Fprintln(w)
}

func options(w io.Writer, cmd *cobra.Command) {
	section(w, "OPTIONS")
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		kind, usage := pflag.UnquoteUsage(f)
		fmt.Fprint(w, ".TP\n")
		if f.Shorthand != "" {
			fmt.Fprintf(w, "\\fB\\-%s\\fR, ", f.Shorthand)
		}
		fmt.Fprintf(w, "\\fB\\-\\-%s\\fR", escape(f.Name))
		switch {
		case kind != "" && f.NoOptDefVal != "":
			fmt.Fprintf(w, "[=\\fI%s\\fR]", escape(kind))
		case kind != "":
			fmt.Fprintf(w, " \\fI%s\\fR", escape(kind))
		}
		fmt.Fprintf(w, "\n%s\n", line(usage))
	})
}

func commands(w io.Writer, cmd *cobra.Command) {
	section(w, "COMMANDS")
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			fmt.Fprintf(w, ".TP\n\\fB%s\\fR(1)\n%s\n", escape(pageName(sub)), line(sub.Short))
		}
	}
}

func seeAlso(w io.Writer, cmd *cobra.Command) {
	var names []string
	if root := cmd.Root(); root != cmd {
		names = append(names, pageName(root))
	}
	for _, other := range cmd.Root().Commands() {
		if other != cmd && other.IsAvailableCommand() {
			names = append(names, pageName(other))
		}
	}
	for i, name := range names {
		end := ","
		if i == len(names)-1 {
			end = ""
		}
		fmt.Fprintf(w, ".BR %s (1)%s\n", escape(name), end)
	}
}

// prose writes paragraphs, and what is indented as it stands.
func prose(w io.Writer, text string) {
	verbatim, open := false, true
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, " \n")
		if indented := strings.HasPrefix(l, "  "); indented != verbatim && l != "" {
			fmt.Fprint(w, map[bool]string{true: ".PP\n.RS 4\n.nf\n", false: ".fi\n.RE\n.PP\n"}[indented])
			verbatim, open = indented, true
		}
		switch {
		case l != "":
			fmt.Fprintln(w, line(strings.TrimPrefix(l, "  ")))
			open = false
		case verbatim:
			fmt.Fprintln(w, ".sp")
		case !open:
			fmt.Fprint(w, ".PP\n")
			open = true
		}
	}
	if verbatim {
		fmt.Fprint(w, ".fi\n.RE\n")
	}
}

// line is a line of text: a dot or a quote at its beginning is no request.
func line(s string) string {
	if s = escape(s); strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		return `\&` + s
	}
	return s
}

// escape returns text as groff prints it letter by letter: a plain hyphen, quote,
// tilde or circumflex would become a typographic one.
var escape = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, "…", "...").Replace

// rootSections stand in the page of the program itself.
var rootSections = []struct{ title, text string }{
	{"EXIT STATUS", `0 when all is well; 1 when there are findings and the command was asked to count
them; 2 when the command could not do its job: then what was there before is
untouched.`},
	{"ENVIRONMENT", `Every flag that takes a value, other than --include and --exclude, has a
variable: SITEWALK_BASE_URL stands for --base-url, SITEWALK_DIR for DIR. A flag
beats it, and it beats sitemap.yaml.

SOURCE_DATE_EPOCH is the present time when it is set. CI turns the progress
off, and makes modification times of files say nothing.`},
	{"FILES", `sitemap.yaml in the working directory holds what cannot be found out, or is to be
done otherwise. "sitewalk init" writes one with every key.`},
}
