package cli

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// grace is how long a command may take to end after a signal. It is below the two
// seconds that docs/command-line.md promises.
const grace = 1500 * time.Millisecond

// Main runs the command line of the process and returns its exit code. After a signal
// it does not wait longer than grace for the command, which may hang in a system call
// or be busy with one page: what was being written has another name until it is
// whole, and the next run removes that. It does not wait at all after a second signal.
func Main() int {
	delayCollection(os.Getenv, firstCollection)
	log.SetOutput(io.Discard) // net/http tells it of a server that sends more than was asked for
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	env := Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Dir: dir, Now: time.Now,
		Terminal: isTerminal(os.Stderr), Page: isTerminal(os.Stdout), Width: func() int { return widthOf(os.Stderr) },
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	done := make(chan int, 1)
	go func() { done <- Run(ctx, env) }()
	select {
	case code := <-done:
		return code
	case s := <-signals:
		cancel(interrupted{s})
	}
	select {
	case code := <-done:
		return code
	case <-signals:
	case <-time.After(grace):
	}
	return interruptCode(ctx, env.Args)
}

// interrupted is why a context ends that a signal ends.
type interrupted struct{ os.Signal }

func (s interrupted) Error() string { return "interrupted" }

// interruptCode is the exit code of a command that did not end in its own way: as
// shells have it, 128 and the number of the signal. watch is ended by a signal only.
func interruptCode(ctx context.Context, args []string) int {
	if cmd, _, err := Commands().Find(args); err == nil && cmd.Name() == "watch" {
		return exitOK
	}
	if by, ok := context.Cause(ctx).(interrupted); ok {
		if n, ok := by.Signal.(syscall.Signal); ok {
			return 128 + int(n)
		}
	}
	return exitFailed
}
