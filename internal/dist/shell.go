package main

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/internal/cli"
)

// man writes a man page for each command.
func (r *release) man() error {
	return manual{version: r.version, date: r.date}.pages(cli.Commands(), r.into("man"))
}

// scripts are the names under which shells look for completions.
var scripts = map[string]string{
	"bash": "sitewalk.bash", "zsh": "_sitewalk", "fish": "sitewalk.fish", "powershell": "sitewalk.ps1",
}

// completions writes a script for each shell.
func (r *release) completions() error {
	write := r.into("completions")
	for _, shell := range slices.Sorted(maps.Keys(scripts)) {
		var out bytes.Buffer
		root := cli.Commands()
		root.SetArgs([]string{"completion", shell})
		root.SetOut(&out)
		if err := root.Execute(); err != nil {
			return err
		}
		if err := write(scripts[shell], out.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// into returns what writes files into a folder of -out.
func (r *release) into(dir string) func(name string, text []byte) error {
	return func(name string, text []byte) error {
		return create(filepath.Join(r.out, dir, name), text, 0o644)
	}
}
