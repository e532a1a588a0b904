// Package leftover runs programs for tests and ends the processes that they leave
// running, so that no process writes into a test's folder while it is removed.
//
// Node programs start helpers in sessions of their own (Vercel's command line looks
// for updates that way), which no signal to a process group reaches. A variable in
// the environment marks them instead. It reads /proc and needs Linux.
package leftover

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

const variable = "SITEWALK_LEFTOVER"

var runs atomic.Int64

// Run runs cmd to its end, as cmd.Run does, then kills every process that cmd
// started and that still runs, and waits until all of them are gone.
func Run(cmd *exec.Cmd) error {
	mark := fmt.Sprintf("%s=%d-%d", variable, os.Getpid(), runs.Add(1))
	cmd.Env = append(cmd.Environ(), mark)
	cmd.WaitDelay = time.Second // for helpers that keep the standard streams open
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	for end := time.Now().Add(time.Minute); kill(mark) > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			return fmt.Errorf("%s left processes that cannot be ended: %w", cmd.Path, err)
		}
	}
	return err
}

// kill kills the marked processes and returns how many there were.
func kill(mark string) (found int) {
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
