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

// tidy runs tests with a folder of their own for their scripts, and removes it:
// testscript leaves its own behind where not all scripts of a folder are run.
type tidy struct{ *testing.M }

func (m tidy) Run() int {
	testsite.SpeedUp()
	dir, err := os.MkdirTemp("", "sitewalk-scripts")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv("GOTMPDIR", dir)
	for name, value := range map[string]string{
		"HTTP_PROXY": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9", // nothing that runs here leaves the machine
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", // as in the scripts
	} {
		os.Setenv(name, value)
	}
	// Scripts wait for processes and for servers. "go test -parallel" says another number.
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	return m.M.Run()
}

// command runs a command line in a folder, without the environment's word, and
// returns its exit code.
func command(t *testing.T, dir string, stdout, stderr io.Writer, args ...string) int {
	return cli.Run(t.Context(), cli.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: stdout, Stderr: stderr,
		Getenv: func(string) string { return "" }, Dir: dir, Now: time.Now,
	})
}

// sitewalk is a command that has to succeed.
func sitewalk(t *testing.T, dir string, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, talk bytes.Buffer
	if code := command(t, dir, &out, &talk, args...); code != 0 {
		t.Fatalf("sitewalk %s: exit code %d\n%s", strings.Join(args, " "), code, talk.String())
	}
	return out.String(), talk.String()
}

// processEnv matches a command that sets a variable of the whole process. After this command,
// sitewalk must be a process of its own, because cli.Run gets no such variable.
var processEnv = regexp.MustCompile(`(?m)^(\[.*\] )?env (GIT_DIR|GIT_TEST|GOMAXPROCS|HOME|PATH|TZ)`)

// alone is a line that runs sitewalk, and not in the background; before, what
// it is given.
var alone = regexp.MustCompile(`(?m)^(stdin .*\n)?(! )?exec sitewalk((?: .*[^&\n])?)$`)

// within returns a script in which sitewalk runs in the test's own process where it may. The message
// about a shallow clone depends on the folder of the process.
func within(script []byte) []byte {
	if bytes.Contains(script, []byte("git-shallow")) {
		return script
	}
	end := len(script)
	if at := processEnv.FindIndex(script); at != nil {
		end = at[0]
	}
	inProcess := alone.ReplaceAllFunc(script[:end], func(line []byte) []byte {
		m := alone.FindSubmatch(line)
		if len(m[1]) > 0 {
			return line
		}
		return fmt.Appendf(nil, "%shere%s", m[2], m[3])
	})
	return append(inProcess, script[end:]...)
}

// scripts returns the scripts of a folder. "exec sitewalk" becomes "here" where
// it may, because starting a process takes longer than most of these builds; a
// thorough run starts each.
func scripts(t *testing.T, dir string) []string {
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
		a.Comment = within(a.Comment)
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
		Getenv: ts.Getenv, Dir: ts.MkAbs("."), Now: time.Now, Cache: filepath.Join(ts.Getenv("HOME"), ".cache"),
		Client: &http.Client{Transport: &http.Transport{Proxy: proxyOf(ts), DisableKeepAlives: true}},
	})
	switch {
	case code != 0 && !neg:
		ts.Fatalf("[exit status %d]", code)
	case code == 0 && neg:
		ts.Fatalf("unexpected command success")
	}
}

// proxyOf returns the proxy of a script, which a process would find in its environment.
func proxyOf(ts *testscript.TestScript) func(*http.Request) (*url.URL, error) {
	return func(r *http.Request) (*url.URL, error) {
		if r.URL.Hostname() == "127.0.0.1" { // as http.ProxyFromEnvironment has it
			return nil, nil
		}
		return url.Parse(ts.Getenv("HTTP_PROXY"))
	}
}
