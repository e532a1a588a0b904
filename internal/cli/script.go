package cli

import (
	"bytes"

	"github.com/spf13/cobra"
)

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
// bash-completion, which macOS and small images have not.
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
`
