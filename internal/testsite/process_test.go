//go:build linux

package testsite

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRunAndReapEndsWhatIsLeft starts a process in a session of its own that writes to
// the folder of the test for as long as it lives.
func TestRunAndReapEndsWhatIsLeft(t *testing.T) {
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

func TestRunAndReapReturnsTheError(t *testing.T) {
	err := RunAndReap(exec.Command("sh", "-c", "exit 3"))
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 3 {
		t.Errorf("it returns %v", err)
	}
}
