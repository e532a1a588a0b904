package git_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sitewalk/sitewalk/internal/git"
)

// TestMemoryIsBounded has a git that says how much memory it may use, which is
// told to it just after it has begun, and then does not get as much as it wants.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	r := history(t, 1)
	said := filepath.Join(realDir(t), "said")
	program := script(t, `n=0
while [ "$(ulimit -d)" = unlimited ] && [ $n -lt 10000 ]; do n=$((n+1)); done
echo "$(ulimit -d) $GIT_ALLOC_LIMIT" >'`+said+`'
echo 'fatal: Out of memory, malloc failed (tried to allocate 250000115 bytes)' >&2
exit 128
`)
	diags := r.expect(git.Options{Git: program}, map[string]string{"1.md": "git could not be asked"})
	if got, err := os.ReadFile(said); string(got) != "1048576 536870912\n" {
		t.Errorf("git may use %q KiB and bytes (%v), want 1 GiB and 512 MiB", got, err)
	}
	one(t, diags, "git-failed", "is as large")
}

// TestKilledLeavesNoGit kills a process that waits for git, which keeps a FIFO open
// and would write into it later.
func TestKilledLeavesNoGit(t *testing.T) {
	t.Parallel()
	const child = "GITDATES_TEST_CHILD"
	if both := os.Getenv(child); both != "" {
		dir, program, _ := strings.Cut(both, "\n")
		git.Read(context.Background(), []string{"1.md"}, git.Options{Dir: dir, Git: program})
		return
	}
	r := history(t, 1)
	fifo := filepath.Join(realDir(t), "FIFO")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	killed := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	killed.Env = append(os.Environ(),
		fmt.Sprintf("%s=%s\n%s", child, r.dir, script(t, "exec 3>'"+fifo+"'\nsleep 10 3>&-\necho late >&3\n")),
		"TMPDIR="+t.TempDir()) // where the killed process leaves the folder of TestMain
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(fifo) // waits for git
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_ = killed.Process.Kill()
	_ = killed.Wait()
	late, err := io.ReadAll(f) // waits for git's end
	if err != nil || len(late) > 0 {
		t.Errorf("git went on after its parent: %q %v", late, err)
	}
}
