package cli

import (
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/page"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// registerCompletion registers shell completion for the arguments and flags of cmd and its
// subcommands. The name of an argument in the help, such as DIR, decides whether the shell offers
// folders or files; see completionDirective.
func registerCompletion(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Value.Type() != "bool" {
			complete := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) { return flagCompletions(f) }
			_ = cmd.RegisterFlagCompletionFunc(f.Name, complete) // fails only if the flag already has a completion
		}
	})
	_, placeholders, _ := strings.Cut(cmd.Use, " ")
	switch {
	case !cmd.HasParent(): // FilterDirs would hide the commands
		cmd.ValidArgsFunction = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
	case cmd.ValidArgsFunction == nil:
		cmd.ValidArgsFunction = cobra.FixedCompletions(nil, completionDirective(placeholders))
	}
	for _, sub := range cmd.Commands() {
		registerCompletion(sub)
	}
}

// flagCompletions returns the words that a shell offers for the value of a flag, or a directive to
// offer files or folders. For --level, the words are codes such as "bad-date=".
func flagCompletions(f *pflag.Flag) (words []string, directive cobra.ShellCompDirective) {
	switch f.Name {
	case "report":
		return report.FormNames(), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	case "reason":
		return page.ReasonNames(), cobra.ShellCompDirectiveNoFileComp
	case "level":
		for _, c := range report.Codes() {
			words = append(words, cobra.CompletionWithDesc(c.Name+"=", c.Meaning))
		}
		return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	if words := config.FlagWords(f.Name); words != nil {
		return words, cobra.ShellCompDirectiveNoFileComp
	}
	placeholder, _ := pflag.UnquoteUsage(f)
	return nil, completionDirective(placeholder)
}

// completionDirective returns the directive that makes a shell offer files, folders or nothing for
// an argument. placeholder is the name of the argument in the help, such as "DIR" or "FILE".
func completionDirective(placeholder string) cobra.ShellCompDirective {
	isFile := func(word string) bool { return strings.Contains(placeholder, word) }
	switch {
	case slices.ContainsFunc([]string{"FILE", "PATH", "SITEMAP", "OLD", "CHANGES"}, isFile):
		return cobra.ShellCompDirectiveDefault
	case strings.Contains(placeholder, "DIR"):
		return cobra.ShellCompDirectiveFilterDirs
	}
	return cobra.ShellCompDirectiveNoFileComp
}
