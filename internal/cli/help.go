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

// flagGroups lists the groups of flags in the help. printFlags prints all other flags before the
// groups, under the title "Flags".
var flagGroups = []flagGroup{
	{"Input", []string{"config", "dir", "content", "from", "generator", "jobs", "timeout"}},
	{"What is listed", []string{"base-url", "host", "include", "exclude", "lastmod", "ledger", "allow-empty", "max-loss"}},
	{"Output", []string{"output", "format", "gzip", "force", "dry-run", "no-cache"}},
	{"Messages", []string{"json", "report", "level", "baseline", "write-baseline", "strict", "quiet", "verbose", "no-progress", "version", "help"}},
}

// printHelp prints the help of a command: description, usage, subcommands, flags by group, and
// examples.
func printHelp(w io.Writer, cmd *cobra.Command) {
	fmt.Fprintf(w, "%s\n\nUsage:\n  %s\n", strings.TrimSpace(cmd.Long), cmd.UseLine())
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s COMMAND [flags]\n\nCommands:\n", cmd.CommandPath())
		for _, sub := range cmd.Commands() {
			fmt.Fprintf(w, "  %-10s  %s\n", sub.Name(), sub.Short)
		}
	}
	printFlags(w, cmd.LocalFlags())
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n%s COMMAND --help explains a command\n", cmd.CommandPath())
	}
}

// printFlags prints flags by group, one a line.
func printFlags(w io.Writer, all *pflag.FlagSet) {
	own := flagGroup{title: "Flags"}
	all.VisitAll(func(f *pflag.Flag) {
		if !slices.ContainsFunc(flagGroups, func(g flagGroup) bool { return slices.Contains(g.flags, f.Name) }) {
			own.flags = append(own.flags, f.Name)
		}
	})
	for _, g := range append([]flagGroup{own}, flagGroups...) {
		title := "\n" + g.title + ":\n"
		for _, name := range g.flags {
			if f := all.Lookup(name); f != nil {
				fmt.Fprint(w, title, formatFlag(f))
				title = ""
			}
		}
	}
}

// formatFlag returns the line of the help for one flag, such as "  -c, --config FILE" and, in a
// second column, "read FILE instead of the project's sitemap.yaml".
func formatFlag(f *pflag.Flag) string {
	placeholder, usage := pflag.UnquoteUsage(f)
	flag := "      --" + f.Name
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
	return fmt.Sprintf("%-27s  %s\n", flag, usage)
}
