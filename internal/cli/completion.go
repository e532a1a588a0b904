package cli

import (
	"bytes"
	"io"

	"github.com/spf13/cobra"
)

var completionCommand = command{
	use:     "completion bash|zsh|fish|powershell",
	short:   "print a shell's completion script",
	minArgs: 1,
	maxArgs: 1,
	prepare: prepareCompletion,
	long: `Prints a script with which a shell completes commands, flags and their values:
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

func prepareCompletion(_ Env, _ *Printer, cmd *cobra.Command) {
	cmd.Args = cobra.MatchAll(cmd.Args, cobra.OnlyValidArgs)
	cmd.ValidArgs = []string{"bash", "zsh", "fish", "powershell"}
	cmd.DisableFlagsInUseLine = true
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		root, out := cmd.Root(), cmd.OutOrStdout()
		switch args[0] {
		case "bash":
			return root.GenBashCompletionV2(out, true)
		case "zsh":
			return printScript(out, root.GenZshCompletion)
		case "fish":
			return printScript(out, func(w io.Writer) error { return root.GenFishCompletion(w, true) })
		default:
			return root.GenPowerShellCompletionWithDesc(out)
		}
	}
}

// printScript prints cobra's script for zsh or fish. Its pattern for the flag in
// "--flag=value" also matches the end of "bad-date=", so it is anchored here.
func printScript(out io.Writer, generate func(io.Writer) error) error {
	var script bytes.Buffer
	if err := generate(&script); err != nil {
		return err
	}
	_, err := out.Write(bytes.Replace(script.Bytes(), []byte("'-.*='"), []byte("'^-[^=]*='"), 1))
	return err
}
