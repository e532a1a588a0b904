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
	testscript.Main(isolatedTests{m}, map[string]func(){
		"sitewalk": func() { os.Exit(cli.Main()) },
	})
}

// TestScripts runs the scripts in testdata/script. Each script contains a site, commands, and the
// expected output and files. UPDATE=1 updates the expected files.
func TestScripts(t *testing.T) {
	testsite.ChdirToRoot(t)
	t.Parallel()
	runScripts(t, "testdata/script", "")
}

// runScripts runs the scripts in a folder. ci is the value of the variable CI.
func runScripts(t *testing.T, dir, ci string) {
	testscript.Run(t, testscript.Params{
		Files:               scriptFiles(t, dir),
		UpdateScripts:       testsite.IsUpdating(),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("CI", ci)
			sample, err := filepath.Abs("testdata/sample")
			env.Setenv("SAMPLE", sample)
			env.Setenv("SOURCE_DATE_EPOCH", "1767268800") // 2026-01-01T12:00:00Z
			if testsite.Repeat(0, 1) == 0 {
				env.Setenv("GOGC", "400") // the sites are small, and fewer collections save time
			}
			startLiveServer(env)
			startProxy(env)
			return err
		},
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"mkfile":    mkfile,
			"expand":    expand,
			"pack":      pack,
			"publish":   publish,
			"here":      runInProcess,
			"cmpmanual": compareWithManual,
		},
	})
}

// publish implements "publish FROM TO": it replaces the folder TO with a copy of FROM.
func publish(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: publish FROM TO")
	}
	ts.Check(os.RemoveAll(ts.MkAbs(args[1])))
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(ts.MkAbs(args[0]))))
}

// pack implements "pack FILE": it writes FILE.gz beside FILE, as gzip -k does.
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

// mkfile implements "mkfile NAME TEXT…", for files that cannot be written in a txtar archive. NAME
// and TEXT are words or quoted Go strings. N*"TEXT" repeats TEXT N times and replaces %d with the
// number of the repetition.
func mkfile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: mkfile NAME TEXT...")
	}
	name := ts.MkAbs(unquote(ts, args[0]))
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o755))
	f, err := os.Create(name)
	ts.Check(err)
	w := bufio.NewWriter(f)
	for _, arg := range args[1:] {
		n, text, ok := strings.Cut(arg, `*"`)
		times, err := strconv.Atoi(n)
		if !ok || err != nil {
			w.WriteString(unquote(ts, arg))
			continue
		}
		text = unquote(ts, `"`+text)
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

// unquote returns the value of an argument that may be a quoted Go string.
func unquote(ts *testscript.TestScript, arg string) string {
	if !strings.HasPrefix(arg, `"`) {
		return arg
	}
	s, err := strconv.Unquote(arg)
	ts.Check(err)
	return s
}
