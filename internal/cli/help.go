package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/report"
)

// A flagGroup is the flags that are about one thing.
type flagGroup struct {
	title string
	flags []string
}

// flagGroups are those of the help; flags that no group has, as they belong to one
// command alone, stand first.
var flagGroups = []flagGroup{
	{"Input", []string{"config", "dir", "content", "from", "generator", "jobs", "timeout"}},
	{"What is listed", []string{"base-url", "host", "include", "exclude", "lastmod", "ledger", "allow-empty", "max-loss"}},
	{"Output", []string{"output", "format", "gzip", "dry-run", "no-cache"}},
	{"Messages", []string{"json", "report", "level", "baseline", "write-baseline", "strict", "quiet", "verbose", "no-progress", "version", "help"}},
}

// grouped returns the flags as the help shows them, in so many columns; 0 is no limit.
func grouped(all *pflag.FlagSet, columns int) string {
	own := flagGroup{title: "Flags"}
	all.VisitAll(func(f *pflag.Flag) {
		if !slices.ContainsFunc(flagGroups, func(g flagGroup) bool { return slices.Contains(g.flags, f.Name) }) {
			own.flags = append(own.flags, f.Name)
		}
	})
	var parts []string
	for _, g := range append([]flagGroup{own}, flagGroups...) {
		var flags pflag.FlagSet
		flags.SortFlags = false
		for _, name := range g.flags {
			if f := all.Lookup(name); f != nil {
				flags.AddFlag(f)
			}
		}
		if flags.HasFlags() {
			parts = append(parts, g.title+":\n"+strings.TrimRight(flags.FlagUsagesWrapped(columns), "\n"))
		}
	}
	return strings.Join(parts, "\n\n")
}

// nameColumns are as many as the names of commands take in the help.
const nameColumns = len("  completion  ")

// usualWidth is how many columns the texts of the help are written for.
const usualWidth = 80

// fitHelp makes the help of a command ready for a screen: it groups the flags, and breaks
// texts again where the screen is narrower than what they are written for.
func fitHelp(s Screen, cmd *cobra.Command) {
	columns := s.Columns()
	if columns > 0 && columns < usualWidth {
		fitTexts(s, cmd)
	}
	const flat = "Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}"
	const more = `Use "{{.CommandPath}} [command] --help" for more information about a command.`
	cmd.SetUsageTemplate(strings.NewReplacer(
		flat, fmt.Sprintf("{{%q}}", grouped(cmd.LocalFlags(), columns)),
		more, "{{.CommandPath}} COMMAND --help says more",
	).Replace(cmd.UsageTemplate()))
}

// fitTexts breaks the texts of a command again. What is indented, as it is to be copied,
// keeps its lines.
func fitTexts(s Screen, cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		c.Short = strings.TrimLeft(s.Wrap(strings.Repeat(" ", nameColumns)+c.Short, nameColumns), " ")
	}
	paragraphs := strings.Split(cmd.Long, "\n\n")
	for i, p := range paragraphs {
		if !strings.Contains("\n"+p, "\n ") {
			paragraphs[i] = s.Wrap(strings.ReplaceAll(p, "\n", " "), 0)
		}
	}
	cmd.Long = strings.Join(paragraphs, "\n\n")
}

// nameWords adds to the usage of a command's flags which words they take.
func nameWords(cmd *cobra.Command) {
	for _, name := range []string{"host", "generator", "lastmod", "format"} {
		if f := cmd.Flags().Lookup(name); f != nil {
			f.Usage += ": " + choices(config.FlagWords(name))
		}
	}
	if f := cmd.Flags().Lookup("report"); f != nil {
		f.Usage += ": " + strings.Join(report.Names(), ", ")
	}
}

// choices names the words that a flag takes.
func choices(words []string, several bool) string {
	last := len(words) - 1
	if most := 4; len(words) > 10 { // completion and the manual name them
		return fmt.Sprintf("%s and %d more", strings.Join(words[:most], ", "), len(words)-most)
	}
	if several {
		return strings.Join(words, ", ")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
