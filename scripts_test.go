package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sitewalk/sitewalk/internal/cli"
	"github.com/sitewalk/sitewalk/internal/thorough"
)

// tidy runs tests with a folder of their own for their scripts, and removes it:
// testscript leaves its own behind where not all scripts of a folder are run.
type tidy struct{ *testing.M }

func (m tidy) Run() int {
	thorough.Quick()
	dir, err := os.MkdirTemp("", "sitewalk-scripts")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv("GOTMPDIR", dir)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY"} { // nothing that runs here leaves the machine
		os.Setenv(name, "http://127.0.0.1:9")
	}
	return m.M.Run()
}

// ofProcess are commands after which sitewalk has to be a process of its own:
// what they change, such as the proxy that submit needs, is not handed to it
// but belongs to the whole process.
var ofProcess = regexp.MustCompile(`(?m)^(\[.*\] )?(stdin |exec git |env (GIT_|GOMAXPROCS|HOME|PATH|TZ))|^(! )?exec sitewalk submit`)

// alone is a line that runs sitewalk, and not in the background.
var alone = regexp.MustCompile(`(?m)^(! )?exec sitewalk((?: .*[^&\n])?)$`)

// scripts returns the scripts of a folder. "exec sitewalk" becomes "here" where
// it may, because starting a process takes longer than most of these builds; a
// thorough run starts each.
func scripts(t *testing.T, dir string) []string {
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no scripts: %v", dir, err)
	}
	if *update || thorough.Or(0, 1) == 1 {
		return files
	}
	tmp := t.TempDir()
	for i, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !ofProcess.Match(a.Comment) {
			a.Comment = alone.ReplaceAll(a.Comment, []byte("${1}here$2"))
		}
		files[i] = filepath.Join(tmp, filepath.Base(file))
		if err := os.WriteFile(files[i], txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// here runs sitewalk in the test's own process.
func here(ts *testscript.TestScript, neg bool, args []string) {
	code := cli.Run(context.Background(), cli.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: ts.Stdout(), Stderr: ts.Stderr(),
		Getenv: ts.Getenv, Dir: ts.MkAbs("."), Now: time.Now,
	})
	switch {
	case code != 0 && !neg:
		ts.Fatalf("[exit status %d]", code)
	case code == 0 && neg:
		ts.Fatalf("unexpected command success")
	}
}
