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

// writeManPages writes a man page for each command, with the macros of man(7). The output is
// reproducible: it depends only on the version and the date of the release.
func (r *release) writeManPages() error {
	for _, cmd := range listCommands(cli.RootCommand()) {
		text, err := r.renderManPage(cmd)
		if err == nil {
			err = writeFile(filepath.Join(r.out, "man", manPageName(cmd)+".1"), text, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// listCommands returns root and its visible subcommands.
func listCommands(root *cobra.Command) []*cobra.Command {
	all := append([]*cobra.Command{root}, root.Commands()...)
	return slices.DeleteFunc(all, func(c *cobra.Command) bool { return c != root && !c.IsAvailableCommand() })
}

// manPageName returns the name of the man page of a command: "sitewalk-build" for "sitewalk
// build".
func manPageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// pageText is the template of a man page. Its data is a map; .Cmd is the *cobra.Command.
var pageText = template.Must(template.New("page").Funcs(template.FuncMap{
	"escape": escape, "line": escapeLine, "prose": formatProse, "name": manPageName, "options": listOptions, "others": otherCommands,
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

func (r *release) renderManPage(cmd *cobra.Command) ([]byte, error) {
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

// An option is a flag with the name of its value and its usage text: "FILE" and "write to FILE".
type option struct {
	*pflag.Flag
	Kind, Usage string
}

func listOptions(cmd *cobra.Command) (all []option) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			kind, usage := pflag.UnquoteUsage(f)
			all = append(all, option{f, kind, usage})
		}
	})
	return all
}

// otherCommands returns all visible commands except cmd, for the section SEE ALSO.
func otherCommands(cmd *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(listCommands(cmd.Root()), func(c *cobra.Command) bool { return c == cmd })
}

// formatProse converts plain text to man macros. Indented lines become preformatted blocks, all
// other lines become paragraphs.
func formatProse(text string) string {
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
			fmt.Fprintln(w, escapeLine(strings.TrimPrefix(l, "  ")))
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

// escapeLine escapes a line of text for groff. A dot at its beginning would begin a macro, so
// escapeLine puts \& in front of it.
func escapeLine(s string) string {
	if s = escape(s); strings.HasPrefix(s, ".") {
		return `\&` + s
	}
	return s
}

// escape escapes characters that groff would replace by typographic characters, such as hyphens,
// quotes and tildes.
var escape = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, "…", "...").Replace

// rootSections are additional sections for the man page of sitewalk(1).
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
