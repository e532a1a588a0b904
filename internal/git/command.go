package git

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

var (
	errTimeout = errors.New("git did not finish in time")
	errGarbage = errors.New("git printed something that git does not print")
	errEnough  = errors.New("enough read")
)

// maxName is the maximum length of a path in the output of git, in bytes.
const maxName = 1 << 20

// maxObject limits what git allocates at once, in bytes. Git loads a commit as a whole, however
// long its message is.
const maxObject = 512 << 20

// A git runs git in one work tree.
type git struct {
	program string
	dir     string
}

// A startError reports that git could not be started.
type startError struct{ cause error }

func (e *startError) Error() string { return e.cause.Error() }

func (e *startError) Unwrap() error { return e.cause }

// An exitError reports that git ended with an error.
type exitError struct{ stderr string }

// Error returns the first line of git that names the cause.
func (e *exitError) Error() string {
	for line := range strings.Lines(e.stderr) {
		if _, message, ok := strings.Cut(line, "fatal: "); ok {
			return strings.TrimSpace(message)
		}
	}
	line, _, _ := strings.Cut(strings.TrimSpace(e.stderr), "\n")
	if line == "" {
		return "git ended with an error and did not say why"
	}
	return line
}

// run runs git and passes its output to read as it comes. A read that returns errEnough ends
// git without waiting for the rest.
func (g git) run(ctx context.Context, read func(io.Reader) error, args ...string) error {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(running, g.program, append(settings(), args...)...)
	cmd.Dir = g.dir
	cmd.Env = environment(os.Environ())
	cmd.WaitDelay = time.Second
	stderr := &head{max: 4096}
	cmd.Stderr = stderr
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	switch {
	case ctx.Err() != nil && err != nil:
		return context.Cause(ctx)
	case err != nil:
		return &startError{err}
	}
	defer context.AfterFunc(running, func() { stdout.Close() })() // a child of git may keep it open
	err = read(stdout)
	if err != nil {
		cancel()
	}
	failed := cmd.Wait()
	switch {
	case errors.Is(err, errEnough):
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case strings.Contains(stderr.String(), "fatal: ") || err == nil && failed != nil:
		return &exitError{stderr.String()}
	}
	return err
}

// settings returns the arguments before every command. The settings of a repository are not
// the user's own: none of them may start a program, use the network, or change what is listed
// or how. docs/dates.md links here. See git-config(1).
func settings() []string {
	return []string{
		"--no-pager",
		"-c", "core.fsmonitor=", // "false" is the name of a hook before git 2.36
		"-c", "core.hooksPath=" + os.DevNull,
		"-c", "fetch.bundleURI=",
		"-c", "log.showSignature=false",
		"-c", "log.showRoot=true",
		"-c", "log.follow=false",
		"-c", "log.mailmap=false",
		"-c", "diff.renames=false",
		"-c", "color.ui=false",
	}
}

// environment returns the environment for git. It keeps the variables that configure git and
// drops git's others, because a hook that runs a build sets them to its own repository. See
// git(1).
//
// A clone that lacks objects makes git fetch them. GIT_NO_LAZY_FETCH prevents this since git
// 2.45. For older versions, GIT_ALLOW_PROTOCOL allows only a protocol that does not exist. Its
// name is random, because a repository could name a program after a known one.
func environment(env []string) []string {
	kept := make([]string, 0, len(env)+6)
	for _, e := range env {
		name, _, _ := strings.Cut(e, "=")
		isGit := strings.HasPrefix(name, "GIT_")
		if !isGit || strings.HasPrefix(name, "GIT_CONFIG") || strings.HasPrefix(name, "GIT_TEST_") || name == "GIT_EXEC_PATH" {
			kept = append(kept, e)
		}
	}
	return append(kept, "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL="+rand.Text(),
		fmt.Sprint("GIT_ALLOC_LIMIT=", maxObject), "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
}

// A head keeps the first max bytes that are written to it.
type head struct {
	bytes.Buffer
	max int
}

func (h *head) Write(p []byte) (int, error) {
	h.Buffer.Write(p[:min(len(p), max(0, h.max-h.Len()))])
	return len(p), nil
}
