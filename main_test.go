package main

import (
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sitewalk/sitewalk/internal/cli"
)

var update = flag.Bool("update", false, "update the expected files of the scripts; read the diff before it is committed")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"sitewalk": func() { os.Exit(cli.Main()) },
	})
}

// TestScripts runs the shell sessions of testdata/script, each a whole site,
// commands, and what they must print and write.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("CI", "")
			env.Setenv("SOURCE_DATE_EPOCH", "1767268800") // 2026-01-01T12:00:00Z
			return nil
		},
	})
}
