package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A flagGroup is a group of flags that the help prints under one title.
type flagGroup struct {
	title string
	flags []string
}

// flagGroups lists the groups of flags in the help. Other flags belong to a single command, and
// precede the groups.
var flagGroups = []flagGroup{
	{"Input", []string{"config", "dir", "content", "from", "generator", "jobs", "timeout"}},
	{"What is listed", []string{"base-url", "host", "include", "exclude", "lastmod", "ledger", "allow-empty", "max-loss"}},
	{"Output", []string{"output", "format", "gzip", "force", "dry-run", "no-cache"}},
	{"Messages", []string{"json", "report", "level", "baseline", "write-baseline", "strict", "quiet", "verbose", "no-progress", "version", "help"}},
}

// flagColumns is the width of the column of flag names in the help.
const flagColumns = len("      --write-baseline FILE  ")

// printHelp prints the help of a command: description, usage, subcommands, flags by group, and
// examples.
func printHelp(w io.Writer, s Screen, cmd *cobra.Command) {
	printParagraphs(w, s, cmd.Long)
	fmt.Fprintf(w, "\nUsage:\n  %s\n", cmd.UseLine())
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s COMMAND [flags]\n\nCommands:\n", cmd.CommandPath())
		for _, sub := range cmd.Commands() {
			printEntry(w, s, "  "+sub.Name(), sub.Short, len("  completion  "))
		}
	}
	printFlags(w, s, cmd.LocalFlags())
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n%s COMMAND --help explains a command\n", cmd.CommandPath())
	}
}

// printFlags prints flags by group, one a line.
func printFlags(w io.Writer, s Screen, all *pflag.FlagSet) {
	own := flagGroup{title: "Flags"}
	all.VisitAll(func(f *pflag.Flag) {
		if !slices.ContainsFunc(flagGroups, func(g flagGroup) bool { return slices.Contains(g.flags, f.Name) }) {
			own.flags = append(own.flags, f.Name)
		}
	})
	for _, g := range append([]flagGroup{own}, flagGroups...) {
		title := "\n" + g.title + ":\n"
		for _, name := range g.flags {
			f := all.Lookup(name)
			if f == nil {
				continue
			}
			fmt.Fprint(w, title)
			title = ""
			flag, usage := flagTexts(f)
			printEntry(w, s, flag, usage, flagColumns)
		}
	}
}

// flagTexts returns the two columns of the help for one flag, such as "  -c, --config FILE" and
// "read FILE instead of the project's sitemap.yaml".
func flagTexts(f *pflag.Flag) (flag, usage string) {
	placeholder, usage := pflag.UnquoteUsage(f)
	flag = "      --" + f.Name
	if f.Shorthand != "" {
		flag = "  -" + f.Shorthand + ", --" + f.Name
	}
	switch {
	case f.Value.Type() == "bool":
	case f.NoOptDefVal != "":
		flag += "[=" + placeholder + "]"
	default:
		flag += " " + placeholder
	}
	return flag, usage
}

// printEntry prints name and text as two columns. nameWidth is the width of the first column in
// characters. Further lines of text are indented to the second column.
func printEntry(w io.Writer, s Screen, name, text string, nameWidth int) {
	fmt.Fprintln(w, s.Wrap(fmt.Sprintf("%-*s%s", nameWidth, name, text), nameWidth))
}

// maxHelpColumns is the width in characters of the help texts. Only narrower screens need wrapped
// lines.
const maxHelpColumns = 80

// printParagraphs prints a text of several paragraphs. On a screen narrower than maxHelpColumns, it
// wraps each paragraph. It does not wrap a paragraph with an indented line, which is a command to
// copy.
func printParagraphs(w io.Writer, s Screen, text string) {
	columns := s.WrapColumns()
	if columns == 0 || columns >= maxHelpColumns {
		fmt.Fprintln(w, text)
		return
	}
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if !strings.Contains("\n"+p, "\n ") {
			paragraphs[i] = s.Wrap(strings.ReplaceAll(p, "\n", " "), 0)
		}
	}
	fmt.Fprintln(w, strings.Join(paragraphs, "\n\n"))
}
