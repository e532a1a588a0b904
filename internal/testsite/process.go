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

// reapVariable is an environment variable that marks the processes of one command.
// Signals to a process group do not reach helpers in sessions of their own, such as
// the update check of Vercel's command line.
const reapVariable = "SITEWALK_LEFTOVER"

var runs atomic.Int64

// RunAndReap runs cmd as cmd.Run does. It then kills every process that cmd started and
// that still runs, and waits until all are gone. It reads /proc and requires Linux.
func RunAndReap(cmd *exec.Cmd) error {
	mark := fmt.Sprintf("%s=%d-%d", reapVariable, os.Getpid(), runs.Add(1))
	cmd.Env = append(cmd.Environ(), mark)
	cmd.WaitDelay = time.Second // for helpers that keep the standard streams open
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	for end := time.Now().Add(time.Minute); killMarked(mark) > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			return fmt.Errorf("%s left processes that cannot be ended: %w", cmd.Path, err)
		}
	}
	return err
}

// killMarked kills the marked processes and returns how many there were.
func killMarked(mark string) (found int) {
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
