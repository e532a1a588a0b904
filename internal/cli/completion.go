package cli

import (
	"bytes"

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

func prepareCompletion(_ Env, _ *printer, cmd *cobra.Command) {
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

// completionScript returns the script that cobra has for a shell, fixed.
func completionScript(root *cobra.Command, shell string) ([]byte, error) {
	var b bytes.Buffer
	print := map[string]func() error{
		"bash":       func() error { return root.GenBashCompletionV2(&b, true) },
		"zsh":        func() error { return root.GenZshCompletion(&b) },
		"fish":       func() error { return root.GenFishCompletion(&b, true) },
		"powershell": func() error { return root.GenPowerShellCompletionWithDesc(&b) },
	}
	err := print[shell]()
	if shell == "bash" {
		b.WriteString(bashWords)
	}
	// What stands before a = is a flag only where a hyphen begins it: bad-date=off
	// is a value.
	return bytes.Replace(b.Bytes(), []byte("'-.*='"), []byte("'^-[^=]*='"), 1), err
}

// bashWords ends what cobra prints for bash. Its own words need the package
// bash-completion, which macOS and small images have not; and bash ends a word at
// = and :, so that of CODE=LEVEL it wants only what stands behind.
const bashWords = `
__sitewalk_init_completion()
{
    COMPREPLY=()
    if declare -F _get_comp_words_by_ref >/dev/null; then
        _get_comp_words_by_ref "$@" cur prev words cword
        return
    fi
    local typed="${COMP_LINE:0:COMP_POINT}"
    read -ra words <<<"$typed"
    [[ "$typed" == *[[:space:]] ]] && words+=("")
    cword=$((${#words[@]} - 1))
    cur="${words[cword]}" prev="${words[cword - 1]}"
}

__sitewalk_behind_breaks()
{
    __start_sitewalk
    local typed="${COMP_LINE:0:COMP_POINT}" mark
    typed="${typed##*[[:space:]]}"
    for mark in = :; do
        if [[ "$COMP_WORDBREAKS" == *"$mark"* && "$typed" == *"$mark"* ]]; then
            COMPREPLY=("${COMPREPLY[@]#"${typed%"${typed##*"$mark"}"}"}")
        fi
    done
}

if [[ $(type -t compopt) = "builtin" ]]; then
    complete -o default -F __sitewalk_behind_breaks sitewalk
else
    complete -o default -o nospace -F __sitewalk_behind_breaks sitewalk
fi
`
