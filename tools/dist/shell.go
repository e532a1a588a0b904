package main

import (
	"bytes"
	"io"
	"path/filepath"

	"github.com/sitewalk/sitewalk/internal/cli"
)

// writeCompletions writes a completion script for each shell.
func (r *release) writeCompletions() error {
	root := cli.RootCommand()
	for name, generate := range map[string]func(io.Writer) error{
		"sitewalk.bash": func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"_sitewalk":     root.GenZshCompletion,
		"sitewalk.fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
		"sitewalk.ps1":  root.GenPowerShellCompletionWithDesc,
	} {
		var out bytes.Buffer
		if err := generate(&out); err != nil {
			return err
		}
		if err := writeFile(filepath.Join(r.out, "completions", name), out.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
