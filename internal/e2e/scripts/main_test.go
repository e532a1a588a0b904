package scripts

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sitewalk/sitewalk/internal/cli"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

func TestMain(m *testing.M) {
	testscript.Main(tidy{m}, map[string]func(){
		"sitewalk": func() { os.Exit(cli.Main()) },
	})
}

// TestScripts runs the shell sessions of testdata/script, each a whole site,
// commands, and what they must print and write. UPDATE=1 updates the expected files.
func TestScripts(t *testing.T) {
	testsite.ChdirToRoot(t)
	t.Parallel()
	runScripts(t, "testdata/script", "")
}

func runScripts(t *testing.T, dir, ci string) {
	testscript.Run(t, testscript.Params{
		Files:               scripts(t, dir),
		UpdateScripts:       testsite.IsUpdating(),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("CI", ci)
			sample, err := filepath.Abs("testdata/sample")
			env.Setenv("SAMPLE", sample)
			env.Setenv("SOURCE_DATE_EPOCH", "1767268800") // 2026-01-01T12:00:00Z
			if testsite.Repeat(0, 1) == 0 {               // these sites are too small for the collections of a run
				env.Setenv("GOGC", "400")
			}
			serve(env)
			proxy(env)
			return err
		},
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"mkfile":  mkfile,
			"expand":  expand,
			"pack":    pack,
			"publish": publish,
			"here":    here,
			"shown":   shown,
		},
	})
}

// publish copies a folder: "publish FROM TO".
func publish(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: publish FROM TO")
	}
	ts.Check(os.RemoveAll(ts.MkAbs(args[1])))
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(ts.MkAbs(args[0]))))
}

// pack writes a file's compressed twin beside it, as gzip -k does.
func pack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: pack FILE")
	}
	f, err := os.Create(ts.MkAbs(args[0] + ".gz"))
	ts.Check(err)
	z := gzip.NewWriter(f)
	z.Name = args[0]
	_, err = z.Write([]byte(ts.ReadFile(args[0])))
	ts.Check(errors.Join(err, z.Close(), f.Close()))
}

// mkfile makes a file that an archive cannot hold: "mkfile NAME TEXT…". The
// name and each text are words or quoted Go strings; N*"…" is a text N times, in
// which %d is the number of the repetition.
func mkfile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: mkfile NAME TEXT...")
	}
	name := ts.MkAbs(unquoted(ts, args[0]))
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o755))
	f, err := os.Create(name)
	ts.Check(err)
	w := bufio.NewWriter(f)
	for _, arg := range args[1:] {
		n, text, ok := strings.Cut(arg, `*"`)
		times, err := strconv.Atoi(n)
		if !ok || err != nil {
			w.WriteString(unquoted(ts, arg))
			continue
		}
		text = unquoted(ts, `"`+text)
		if !strings.Contains(text, "%d") {
			w.WriteString(strings.Repeat(text, times))
			continue
		}
		for i := range times {
			w.WriteString(strings.ReplaceAll(text, "%d", strconv.Itoa(i)))
		}
	}
	ts.Check(errors.Join(w.Flush(), f.Close()))
}

func unquoted(ts *testscript.TestScript, arg string) string {
	if !strings.HasPrefix(arg, `"`) {
		return arg
	}
	s, err := strconv.Unquote(arg)
	ts.Check(err)
	return s
}
