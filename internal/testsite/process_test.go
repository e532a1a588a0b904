//go:build linux

package testsite

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRunAndReapKillsChildren starts a child process in another session, which writes into the
// folder of the test until it is killed.
func TestRunAndReapKillsChildren(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("there is no setsid(1)")
	}
	dir := t.TempDir()
	cmd := exec.Command("sh", "-c", `setsid sh -c 'echo $$ >pid; while :; do echo >a; rm -f a; done' >/dev/null 2>&1 & until [ -s pid ]; do :; done`)
	cmd.Dir = dir
	if err := RunAndReap(cmd); err != nil {
		t.Fatal(err)
	}
	pid, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	if environ, _ := os.ReadFile(filepath.Join("/proc", strings.TrimSpace(string(pid)), "environ")); len(environ) > 0 {
		t.Error("the process still runs")
	}
}

func TestRunAndReapReturnsError(t *testing.T) {
	err := RunAndReap(exec.Command("sh", "-c", "exit 3"))
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 3 {
		t.Errorf("it returns %v", err)
	}
}
