package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sitewalk/sitewalk/internal/cli"
)

// man writes a man page for each command, in the macros of man(7). Nothing in them
// depends on the day or the machine.
func (r *release) man() error {
	for _, cmd := range commands(cli.Commands()) {
		text, err := r.page(cmd)
		if err == nil {
			err = create(filepath.Join(r.out, "man", pageName(cmd)+".1"), text, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// commands are the program itself and its commands.
func commands(root *cobra.Command) []*cobra.Command {
	all := append([]*cobra.Command{root}, root.Commands()...)
	return slices.DeleteFunc(all, func(c *cobra.Command) bool { return c != root && !c.IsAvailableCommand() })
}

// pageName is "sitewalk-build" for "sitewalk build".
func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// pageText is a man page, made of a command.
var pageText = template.Must(template.New("page").Funcs(template.FuncMap{
	"escape": escape, "line": line, "prose": prose, "name": pageName, "options": options, "others": others,
	"upper": strings.ToUpper, "ends": strings.HasSuffix, "cut": strings.TrimPrefix,
}).Parse(`.TH {{printf "%q 1 %q %q %q" (name .Cmd | upper) .Date .Version "sitewalk manual"}}
.nh
.ad l
{{- /* a hyphenated command cannot be pasted */}}
{{- with .Cmd}}
.SH NAME
{{name . | escape}} \- {{escape .Short}}
.SH SYNOPSIS
\fB{{escape .CommandPath}}\fR{{cut .Use .Name | escape}}{{if and .HasAvailableLocalFlags (not (ends .UseLine "]..."))}} [\fIflags\fR]{{end}}
.SH DESCRIPTION
{{prose (or .Long (print .Short "."))}}.SH OPTIONS
{{range options .}}.TP
{{with .Shorthand}}\fB\-{{.}}\fR, {{end}}\fB\-\-{{escape .Name}}\fR
{{- if .Kind}}{{if .NoOptDefVal}}[=\fI{{escape .Kind}}\fR]{{else}} \fI{{escape .Kind}}\fR{{end}}{{end}}
{{line .Usage}}
{{end}}
{{- if not .HasParent}}.SH COMMANDS
{{range .Commands}}{{if .IsAvailableCommand}}.TP
\fB{{name . | escape}}\fR(1)
{{line .Short}}
{{end}}{{end}}
{{- range $.Root}}.SH {{.Title}}
{{prose .Text}}{{end}}{{end}}
{{- with .Example}}.SH EXAMPLES
{{prose .}}{{end}}.SH SEE ALSO
{{range $i, $other := others .}}{{if $i}},
{{end}}.BR {{name $other | escape}} (1){{end}}
{{end}}`))

func (r *release) page(cmd *cobra.Command) ([]byte, error) {
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	date := ""
	if !r.date.IsZero() {
		date = r.date.UTC().Format("2006-01-02")
	}
	var b bytes.Buffer
	err := pageText.Execute(&b, map[string]any{
		"Cmd": cmd, "Date": date, "Version": strings.TrimSpace("sitewalk " + r.version), "Root": rootSections,
	})
	return b.Bytes(), err
}

// An option is a flag, with what its usage names its value.
type option struct {
	*pflag.Flag
	Kind, Usage string
}

func options(cmd *cobra.Command) (all []option) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			kind, usage := pflag.UnquoteUsage(f)
			all = append(all, option{f, kind, usage})
		}
	})
	return all
}

// others are all but the command whose page it is.
func others(cmd *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(commands(cmd.Root()), func(c *cobra.Command) bool { return c == cmd })
}

// prose returns paragraphs, and what is indented as it stands.
func prose(text string) string {
	w := &strings.Builder{}
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
	return w.String()
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
var rootSections = []struct{ Title, Text string }{
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
