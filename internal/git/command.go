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
	errGarbage = errors.New("git printed unexpected output")
	errEnough  = errors.New("enough read")
)

// maxName is the maximum length in bytes of a path in the output of git.
const maxName = 1 << 20

// maxObject is the maximum number of bytes that git may allocate at once. The limit is necessary
// because git loads a commit with its whole message into memory.
const maxObject = 512 << 20

// A git value runs git commands in the folder dir.
type git struct {
	program string
	dir     string
}

// A startError reports that the git program could not be started.
type startError struct{ cause error }

func (e *startError) Error() string { return e.cause.Error() }

func (e *startError) Unwrap() error { return e.cause }

// An exitError reports that git exited with an error. It contains the beginning of git's standard
// error output.
type exitError struct{ stderr string }

// Error returns the message of the first line with "fatal: " in git's error output. If there is
// none, it returns the first line, or a fixed text if the output is empty.
func (e *exitError) Error() string {
	for line := range strings.Lines(e.stderr) {
		if _, message, ok := strings.Cut(line, "fatal: "); ok {
			return strings.TrimSpace(message)
		}
	}
	line, _, _ := strings.Cut(strings.TrimSpace(e.stderr), "\n")
	if line == "" {
		return "git failed without a message"
	}
	return line
}

// run runs a git command and passes its standard output to read while git is running. It returns a
// *startError, an *exitError, context.Cause(ctx), or the error of read. If read returns errEnough,
// run stops git and returns nil.
func (g git) run(ctx context.Context, read func(io.Reader) error, args ...string) error {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(running, g.program, append(configArgs(), args...)...)
	cmd.Dir = g.dir
	cmd.Env = gitEnvironment(os.Environ())
	cmd.WaitDelay = time.Second
	stderr := &limitedBuffer{max: 4096}
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
	defer context.AfterFunc(running, func() { stdout.Close() })() // a child process of git may keep the pipe open
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

// configArgs returns the arguments that precede each git command. They override the configuration
// of the repository, which may come from a stranger: it must not start programs, use the network or
// change the output of git. SECURITY.md links to this file. See git-config(1).
func configArgs() []string {
	return []string{
		"--no-pager",
		"-c", "core.fsmonitor=", // before git 2.36, "false" would be the name of a hook
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

// gitEnvironment returns the environment variables for git, derived from env. It keeps variables
// that configure git, such as GIT_CONFIG_GLOBAL. It drops the other GIT_ variables: if a git hook
// runs the build, these variables refer to the repository of the hook.
//
// git fetches missing objects of a partial clone from the network. GIT_NO_LAZY_FETCH prevents this
// since git 2.45. For older versions, GIT_ALLOW_PROTOCOL permits only a protocol that does not
// exist. The name of the protocol is random, because a repository could provide a program for a
// known name. See git(1).
func gitEnvironment(env []string) []string {
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

// A limitedBuffer is a writer that keeps the first max bytes, and discards the rest.
type limitedBuffer struct {
	bytes.Buffer
	max int
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	b.Buffer.Write(p[:min(len(p), max(0, b.max-b.Len()))])
	return len(p), nil
}
