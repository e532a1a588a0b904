package scripts

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sitewalk/sitewalk/internal/cli"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

// isolatedTests runs the tests with a temporary folder for the scripts, without the network, and
// without the git settings of the user. It removes the folder at the end, because testscript
// does not do so if only some scripts of a folder are run.
type isolatedTests struct{ *testing.M }

func (m isolatedTests) Run() int {
	testsite.SpeedUp()
	dir, err := os.MkdirTemp("", "sitewalk-scripts")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv("GOTMPDIR", dir)
	for name, value := range map[string]string{
		"HTTP_PROXY": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9", // nothing listens on this port
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
	} {
		os.Setenv(name, value)
	}
	// Scripts spend time waiting for processes and servers, so run two per processor.
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	return m.M.Run()
}

// runCommand runs a command line of sitewalk in a folder, without environment variables, and
// returns its exit code.
func runCommand(t *testing.T, dir string, stdout, stderr io.Writer, args ...string) int {
	return cli.Run(t.Context(), cli.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: stdout, Stderr: stderr,
		Getenv: func(string) string { return "" }, Dir: dir, Now: time.Now,
	})
}

// run runs a command line of sitewalk in a folder and returns its standard output. A failing
// command ends the test.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := runCommand(t, dir, &stdout, &stderr, args...); code != 0 {
		t.Fatalf("sitewalk %s: exit code %d\n%s", strings.Join(args, " "), code, &stderr)
	}
	return stdout.String()
}

// processEnv matches a command that sets a variable of the whole process. After this command,
// sitewalk must be a process of its own, because cli.Run gets no such variable.
var processEnv = regexp.MustCompile(`(?m)^(\[.*\] )?env (GIT_DIR|GIT_TEST|GOMAXPROCS|HOME|PATH|TZ)`)

// foregroundRun matches a line that runs sitewalk in the foreground, and a stdin line before it.
var foregroundRun = regexp.MustCompile(`(?m)^(stdin .*\n)?(! )?exec sitewalk((?: .*[^&\n])?)$`)

// rewriteForProcess replaces "exec sitewalk" with "here" before the first line that sets a variable
// of the process. It leaves lines with standard input alone, and scripts about shallow clones, whose
// message depends on the folder of the process.
func rewriteForProcess(script []byte) []byte {
	if bytes.Contains(script, []byte("git-shallow")) {
		return script
	}
	end := len(script)
	if at := processEnv.FindIndex(script); at != nil {
		end = at[0]
	}
	inProcess := foregroundRun.ReplaceAllFunc(script[:end], func(line []byte) []byte {
		m := foregroundRun.FindSubmatch(line)
		if len(m[1]) > 0 {
			return line
		}
		return fmt.Appendf(nil, "%shere%s", m[2], m[3])
	})
	return append(inProcess, script[end:]...)
}

// scriptFiles returns the names of the scripts in a folder. In a quick run, they are copies that
// run sitewalk in the process of the test, because starting a process takes longer than most of
// these builds. A thorough run starts every process.
func scriptFiles(t *testing.T, dir string) []string {
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no scripts: %v", dir, err)
	}
	if testsite.IsUpdating() || testsite.Repeat(0, 1) == 1 {
		return files
	}
	tmp := t.TempDir()
	for i, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		a.Comment = rewriteForProcess(a.Comment)
		files[i] = filepath.Join(tmp, filepath.Base(file))
		if err := os.WriteFile(files[i], txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// runInProcess implements "here ARG…": it runs sitewalk in the process of the test.
func runInProcess(ts *testscript.TestScript, neg bool, args []string) {
	code := cli.Run(context.Background(), cli.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: ts.Stdout(), Stderr: ts.Stderr(),
		Getenv: ts.Getenv, Dir: ts.MkAbs("."), Now: time.Now, Cache: filepath.Join(ts.Getenv("HOME"), ".cache"),
		Client: &http.Client{Transport: &http.Transport{Proxy: scriptProxy(ts), DisableKeepAlives: true}},
	})
	switch {
	case code != 0 && !neg:
		ts.Fatalf("[exit status %d]", code)
	case code == 0 && neg:
		ts.Fatalf("unexpected command success")
	}
}

// scriptProxy returns a function that selects the proxy of a script. A separate process would read
// the proxy from its environment.
func scriptProxy(ts *testscript.TestScript) func(*http.Request) (*url.URL, error) {
	return func(r *http.Request) (*url.URL, error) {
		if r.URL.Hostname() == "127.0.0.1" { // as http.ProxyFromEnvironment does
			return nil, nil
		}
		return url.Parse(ts.Getenv("HTTP_PROXY"))
	}
}
