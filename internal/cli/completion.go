package cli

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/page"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var completionCommand = command{
	use:     "completion bash|zsh|fish|powershell",
	short:   "print a shell's completion script",
	minArgs: 1,
	maxArgs: 1,
	setUp:   setUpCompletionCommand,
	long: `Prints a script that lets your shell complete commands, flags and their values:
hosts, generators, formats, sources of dates, reasons, codes, levels, forms of
reports, folders and files.

System packages install the scripts. Otherwise put the script where the shell
looks for it, or read it when the shell starts. The script for bash needs the
package bash-completion.`,
	example: `  source <(sitewalk completion bash)
  sitewalk completion zsh >"${fpath[1]}/_sitewalk"
  sitewalk completion fish >~/.config/fish/completions/sitewalk.fish
  sitewalk completion powershell | Out-String | Invoke-Expression`,
}

func setUpCompletionCommand(_ Env, _ *Printer, cmd *cobra.Command) {
	cmd.ValidArgs = []string{"bash", "zsh", "fish", "powershell"}
	one := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if err := one(cmd, args); err != nil {
			return err
		}
		if !slices.Contains(cmd.ValidArgs, args[0]) {
			return fmt.Errorf("%q is not a shell that is known; name %s", args[0], strings.Join(cmd.ValidArgs, ", "))
		}
		return nil
	}
	cmd.DisableFlagsInUseLine = true
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		root, out := cmd.Root(), cmd.OutOrStdout()
		switch args[0] {
		case "bash":
			return root.GenBashCompletionV2(out, true)
		case "zsh":
			return printCompletionScript(out, root.GenZshCompletion)
		case "fish":
			return printCompletionScript(out, func(w io.Writer) error { return root.GenFishCompletion(w, true) })
		default:
			return root.GenPowerShellCompletionWithDesc(out)
		}
	}
}

// printCompletionScript prints the completion script that generate writes for zsh or fish. In
// cobra's script, the pattern for "--flag=" also matches "-date=" within a value such as
// "bad-date=off". printCompletionScript corrects this pattern.
func printCompletionScript(out io.Writer, generate func(io.Writer) error) error {
	var script bytes.Buffer
	if err := generate(&script); err != nil {
		return err
	}
	_, err := out.Write(bytes.Replace(script.Bytes(), []byte("'-.*='"), []byte("'^-[^=]*='"), 1))
	return err
}

// registerCompletion registers shell completion for the arguments and flags of cmd and its
// subcommands. An argument called DIR in the help completes to folders, and FILE to files.
func registerCompletion(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Value.Type() == "bool" {
			return
		}
		complete := completeLevel
		if f.Name != "level" {
			complete = cobra.FixedCompletions(flagCompletions(f))
		}
		_ = cmd.RegisterFlagCompletionFunc(f.Name, complete) // fails only if the flag already has a completion
	})
	_, placeholders, _ := strings.Cut(cmd.Use, " ")
	switch {
	case !cmd.HasParent(): // FilterDirs would hide the commands
		cmd.ValidArgsFunction = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
	case cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0:
		cmd.ValidArgsFunction = cobra.FixedCompletions(nil, completionDirective(placeholders))
	}
	for _, sub := range cmd.Commands() {
		registerCompletion(sub)
	}
}

// flagCompletions returns the words that a shell offers for the value of a flag, and whether the
// shell also offers files or folders.
func flagCompletions(f *pflag.Flag) ([]string, cobra.ShellCompDirective) {
	switch f.Name {
	case "report":
		return report.FormNames(), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	case "reason":
		return page.ReasonNames(), cobra.ShellCompDirectiveNoFileComp
	}
	if words, _ := config.FlagWords(f.Name); words != nil {
		return words, cobra.ShellCompDirectiveNoFileComp
	}
	placeholder, _ := pflag.UnquoteUsage(f)
	return nil, completionDirective(placeholder)
}

// completeLevel returns completions for the value of --level: first codes such as "bad-date=", and
// after the "=" levels such as "bad-date=off".
func completeLevel(_ *cobra.Command, _ []string, typed string) (words []string, directive cobra.ShellCompDirective) {
	code, _, isCode := strings.Cut(typed, "=")
	if isCode {
		for _, level := range diag.LevelNames {
			words = append(words, code+"="+level)
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
	for _, c := range report.Codes() {
		words = append(words, c.Name+"=\t"+c.Meaning)
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completionDirective returns what a shell offers for an argument: files, folders or nothing.
// placeholder is the name of the argument in the help, such as "DIR" or "FILE".
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
