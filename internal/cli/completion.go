package cli

import (
	"github.com/spf13/cobra"
)

var completionCommand = command{
	use:     "completion bash|zsh|fish|powershell",
	short:   "print a shell's completion script",
	least:   1,
	most:    1,
	prepare: prepareCompletion,
	long: `Prints a script with which a shell completes commands, flags and their values:
hosts, generators, formats, sources of dates, reasons, codes, levels, forms of
reports, folders, files, and for "explain" the URLs of the last sitemap.

Packages of a system install the scripts. Otherwise put one where the shell
looks for it, or read it when the shell starts.`,
	example: `  source <(sitewalk completion bash)
  sitewalk completion zsh >"${fpath[1]}/_sitewalk"
  sitewalk completion fish >~/.config/fish/completions/sitewalk.fish
  sitewalk completion powershell | Out-String | Invoke-Expression`,
}

func prepareCompletion(_ Env, _ *Printer, cmd *cobra.Command) {
	cmd.Args = cobra.MatchAll(cmd.Args, cobra.OnlyValidArgs)
	cmd.ValidArgs = []string{"bash", "zsh", "fish", "powershell"}
	cmd.DisableFlagsInUseLine = true
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		script, err := completionScript(cmd.Root(), args[0])
		if err != nil {
			return err
		}
		_, err = cmd.OutOrStdout().Write(script)
		return err
	}
}
