package cli

import (
	"cmp"
	"io"

	"github.com/spf13/cobra"
)

const completionHelp = `Prints a script that makes a shell complete the commands, their flags and the
values of these: hosts, generators, formats, sources of dates, reasons, codes
of findings and their levels, forms of reports, folders, files, and for
"explain" the URLs of the sitemap that the last build wrote.

A package of the system installs the scripts. Otherwise keep one where the shell
looks for it, or read it when the shell starts.`

const completionExample = `  source <(sitewalk completion bash)
  sitewalk completion zsh >"${fpath[1]}/_sitewalk"
  sitewalk completion fish >~/.config/fish/completions/sitewalk.fish
  sitewalk completion powershell | Out-String | Invoke-Expression`

func newCompletion() *cobra.Command {
	return &cobra.Command{
		Use:                   "completion bash|zsh|fish|powershell",
		Short:                 "print a shell's completion script",
		Long:                  completionHelp,
		Example:               completionExample,
		Args:                  cobra.MatchAll(arguments(1, 1), cobra.OnlyValidArgs),
		ValidArgs:             []string{"bash", "zsh", "fish", "powershell"},
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				err := root.GenBashCompletionV2(cmd.OutOrStdout(), true)
				return cmp.Or(err, printBashWords(cmd.OutOrStdout()))
			case "zsh":
				return root.GenZshCompletion(cmd.OutOrStdout())
			case "fish":
				return root.GenFishCompletion(cmd.OutOrStdout(), true)
			}
			return root.GenPowerShellCompletionWithDesc(cmd.OutOrStdout())
		},
	}
}

// bashWords ends what cobra prints for bash, which ends a word at a = and so
// wants of CODE=LEVEL only what stands behind it.
const bashWords = `
__sitewalk_behind_equals()
{
    __start_sitewalk
    local typed="${COMP_LINE:0:COMP_POINT}"
    typed="${typed##*[[:space:]]}"
    if [[ "$COMP_WORDBREAKS" == *"="* && "$typed" == *"="* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${typed%"${typed##*=}"}"}")
    fi
}

if [[ $(type -t compopt) = "builtin" ]]; then
    complete -o default -F __sitewalk_behind_equals sitewalk
else
    complete -o default -o nospace -F __sitewalk_behind_equals sitewalk
fi
`

func printBashWords(w io.Writer) error {
	_, err := io.WriteString(w, bashWords)
	return err
}
