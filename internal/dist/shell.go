package main

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/sitewalk/sitewalk/internal/cli"
)

// man writes a man page for each command.
func (r *release) man() error {
	m := manual{version: r.version, date: r.date}
	return m.pages(cli.Commands(), func(name string, text []byte) error {
		return create(filepath.Join(r.out, "man", name), text, 0o644)
	})
}

// scripts are the names under which shells look for completions.
var scripts = map[string]string{
	"bash": "sitewalk.bash", "zsh": "_sitewalk", "fish": "sitewalk.fish", "powershell": "sitewalk.ps1",
}

// completions writes a script for each shell.
func (r *release) completions() error {
	for shell, name := range scripts {
		var out bytes.Buffer
		root := cli.Commands()
		root.SetArgs([]string{"completion", shell})
		root.SetOut(&out)
		if err := root.Execute(); err != nil {
			return err
		}
		if err := create(filepath.Join(r.out, "completions", name), out.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// create makes a file and its folders.
func create(name string, content []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(name, content, mode); err != nil {
		return err
	}
	return os.Chmod(name, mode) // of a file that was there
}
