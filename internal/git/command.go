package git

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/files"
)

var (
	errTimeout = errors.New("git did not finish in time")
	errGarbage = errors.New("git printed something that git does not print")
	errEnough  = errors.New("enough read")
)

// maxName is the maximum length of a path in the output of git, in bytes.
const maxName = 1 << 20

// The memory limits of git, in bytes. Git loads a commit as a whole, however long its message
// is. It refuses to allocate more than maxObject at once. The system limits all memory of the
// process to maxMemory where it can.
const (
	maxObject = 512 << 20
	maxMemory = 1 << 30
)

// A git runs git in one work tree.
type git struct {
	program string
	dir     string
	stdin   io.Reader // of one command; nil is nothing
}

// An exitError is a git that ended with an error of its own.
type exitError struct{ stderr string }

// Error returns the last line that git wrote, which names the trouble.
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

// A startError is a git that could not be started.
type startError struct{ cause error }

func (e *startError) Error() string { return e.cause.Error() }

// hint is what to do. A program of the working folder is never started.
func (e *startError) hint() string {
	if errors.Is(e.cause, exec.ErrDot) {
		return "remove the working folder (\".\" or an empty entry) from PATH, or put it last; or leave git out of lastmod"
	}
	return "install git, or leave git out of lastmod"
}

// stream runs git and hands its output to read as it comes. A read that
// returns errEnough ends git without waiting for the rest.
func (g git) stream(ctx context.Context, read func(io.Reader) error, args ...string) error {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(running, g.program, append(settings(), args...)...)
	cmd.Dir = g.dir
	cmd.Env = environment(os.Environ())
	cmd.Stdin = g.stdin
	cmd.WaitDelay = time.Second
	stderr := &head{max: 4096}
	cmd.Stderr = stderr
	stdout, write, err := os.Pipe()
	if err != nil {
		return &startError{err}
	}
	defer stdout.Close()
	cmd.Stdout = write
	end, err := start(cmd)
	write.Close()
	switch {
	case ctx.Err() != nil && err != nil:
		return context.Cause(ctx)
	case err != nil:
		return &startError{err}
	}
	// What git has started and left behind can hold the pipe open.
	ended := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		end()
		ended <- err
	}()
	defer context.AfterFunc(running, func() { stdout.Close() })()
	err = read(stdout)
	if err != nil {
		cancel()
	}
	failed := <-ended
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

// mostOutput bounds what is kept of what git prints: what it says of some hundred
// thousand files.
const mostOutput = 64 << 20

// output runs git and returns all that it prints.
func (g git) output(ctx context.Context, args ...string) (out string, err error) {
	err = g.stream(ctx, func(r io.Reader) error {
		all, err := io.ReadAll(io.LimitReader(r, mostOutput))
		if out = string(all); len(all) == mostOutput {
			return errGarbage
		}
		return err
	}, args...)
	return out, err
}

// settings returns what stands before every command. The settings of a
// repository are not the user's own: none of them may start a program, reach
// out, change what is listed, or how. docs/dates.md leads here. See
// git-config(1).
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

// environment returns the environment for git: of git's own variables only
// those that configure it, since a hook that runs a build sets others that
// point at its repository. See git(1).
//
// A clone that lacks objects makes git fetch them. GIT_NO_LAZY_FETCH, which
// prevents it, is of git 2.45. Before that GIT_ALLOW_PROTOCOL has to allow a
// protocol that does not exist. Its name is secret, because a repository that knew
// it could name a program after it: alias.remote-NAME with remote.X.vcs = NAME.
func environment(env []string) []string {
	kept := make([]string, 0, len(env)+5)
	for _, e := range env {
		name, _, _ := strings.Cut(e, "=")
		own := strings.HasPrefix(name, "GIT_")
		if !own || strings.HasPrefix(name, "GIT_CONFIG") || strings.HasPrefix(name, "GIT_TEST_") || name == "GIT_EXEC_PATH" {
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

// mostBoundary bounds the list of a shallow clone's boundary: a million commits.
const mostBoundary = 64 << 20

// readBoundary returns the commits of a shallow clone whose parents are missing, none of
// a whole one. The file that lists them has one object name a line. See
// gitrepository-layout(5).
func readBoundary(root string) (map[string]bool, error) {
	data, err := files.Read(filepath.Join(commonDir(gitDir(root)), "shallow"), mostBoundary)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("the list of a shallow clone's boundary: %w", err)
	}
	boundary := make(map[string]bool)
	for line := range strings.Lines(string(data)) {
		boundary[strings.TrimSpace(line)] = true
	}
	return boundary, nil
}
