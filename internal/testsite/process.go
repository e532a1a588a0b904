package testsite

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"
)

// reapVariable is an environment variable that RunAndReap sets for a command. All processes that
// the command starts inherit it, so RunAndReap can find them. A signal to the process group would
// miss processes in another session, such as the update check of Vercel's command line.
const reapVariable = "SITEWALK_LEFTOVER"

var runs atomic.Int64 // number of calls of RunAndReap

// RunAndReap runs cmd like cmd.Run. Then it kills all processes that cmd started and that are still
// running, and waits until they have ended. If they do not end within a minute, it returns an
// error. It reads /proc, so it requires Linux.
func RunAndReap(cmd *exec.Cmd) error {
	mark := fmt.Sprintf("%s=%d-%d", reapVariable, os.Getpid(), runs.Add(1))
	cmd.Env = append(cmd.Environ(), mark)
	cmd.WaitDelay = time.Second // for child processes that keep the standard streams open
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	for end := time.Now().Add(time.Minute); killProcessesWithVariable(mark) > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			return fmt.Errorf("%s left processes that cannot be ended: %w", cmd.Path, err)
		}
	}
	return err
}

// killProcessesWithVariable kills all processes whose environment contains mark, a variable with
// its value. It returns their number.
func killProcessesWithVariable(mark string) (found int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		environ, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(append([]byte{0}, environ...), []byte("\x00"+mark+"\x00")) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			continue
		}
		if p, err := os.FindProcess(pid); err == nil {
			p.Kill()
			found++
		}
	}
	return found
}
