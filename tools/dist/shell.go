package main

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/internal/cli"
)

// scripts maps each shell to the file name that it expects for a completion script.
var scripts = map[string]string{
	"bash": "sitewalk.bash", "zsh": "_sitewalk", "fish": "sitewalk.fish", "powershell": "sitewalk.ps1",
}

// writeCompletions writes a completion script for each shell.
func (r *release) writeCompletions() error {
	for _, shell := range slices.Sorted(maps.Keys(scripts)) {
		var out bytes.Buffer
		root := cli.RootCommand()
		root.SetArgs([]string{"completion", shell})
		root.SetOut(&out)
		if err := root.Execute(); err != nil {
			return err
		}
		if err := writeFile(filepath.Join(r.out, "completions", scripts[shell]), out.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
