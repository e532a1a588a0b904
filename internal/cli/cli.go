// Package cli implements the command line: commands, flags, the lines that a person
// reads, and the completion of shells.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/internal/submit"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The exit codes of every command.
const (
	exitOK       = 0
	exitFindings = 1 // check, diff, submit or --strict found something
	exitFailed   = 2 // the command could not do its job, or its output was not written
)

// An Env is the environment of a command.
type Env struct {
	Args           []string // without the program's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Dir            string // working directory
	Cache          string // cache folder of the user; "" for none
	Now            func() time.Time
	Client         *http.Client // client for submit; nil means the default
	Page, Messages Screen       // behind Stdout and Stderr
}

// errFindings makes a command exit with exitFindings.
var errFindings = errors.New("there are findings")

// Run runs one command line and returns its exit code.
func Run(ctx context.Context, env Env) int {
	out, messages := &Output{To: env.Stdout, Name: "standard output"}, &Output{To: env.Stderr, Name: "standard error"}
	env.Stdout, env.Stderr = out, messages
	p := &Printer{Out: out, Err: messages, Page: env.Page, Messages: env.Messages}
	if slices.Contains(env.Args, "--gzip") {
		env.Args = joinGzip(env.Args)
	}
	root := newRoot(env, p)
	root.SetArgs(append([]string{}, env.Args...)) // for nil, cobra takes what the process was given
	err := checkCommandName(env, root)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if err == nil || errors.Is(err, errFindings) { // an error of its own is worse
		err = cmp.Or(out.Err(), messages.Err(), err)
	}
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFindings):
		return exitFindings
	case ctx.Err() == nil:
		p.PrintError(err)
		return exitFailed
	case isInterrupted(err):
		p.PrintError(err)
	default:
		p.PrintError(errors.New("interrupted; what was there before is untouched"))
	}
	return interruptCode(ctx, env.Args)
}

// checkCommandName returns an error if the first word is no folder and probably a typo of a
// command. The first letter must be right: "dist" is no typo of "list".
func checkCommandName(env Env, root *cobra.Command) error {
	cmd, args, _ := root.Find(env.Args)
	if cmd != root || len(args) == 0 || engine.Exists(filepath.Join(env.Dir, args[0])) {
		return nil
	}
	if guess := suggestCommand(args[0]); guess != "" {
		return usageError(root, fmt.Errorf("unknown command %q%s", args[0], guess))
	}
	return nil
}

// suggestCommand suggests the command that word is probably a typo of, or returns "".
func suggestCommand(word string) string {
	var names []string
	for i := range commands {
		if name, _, _ := strings.Cut(commands[i].use, " "); strings.HasPrefix(word, name[:1]) {
			names = append(names, name)
		}
	}
	if guess := strict.NearestWord(word, names); guess != "" {
		return "; did you mean " + guess + "?"
	}
	return ""
}

// flagError returns the error for an unknown flag or a wrong value, with a suggestion.
func flagError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if guess := strict.NearestWord(unknown.GetSpecifiedName(), names); guess != "" {
			err = fmt.Errorf("%w; did you mean --%s?", err, guess)
		}
	}
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok && errors.Is(err, errTime) {
		err = fmt.Errorf("--%s %q %w", wrong.GetFlag().Name, wrong.GetValue(), errTime)
	}
	return usageError(cmd, err)
}

// cacheFolder returns the user's cache folder, or "" if the user has none. CI machines start
// empty, so CI has a cache folder only if SITEWALK_CACHE names one.
func cacheFolder() string {
	if dir := os.Getenv("SITEWALK_CACHE"); dir != "" {
		return dir
	}
	dir, err := files.UserCacheDir()
	if err != nil || os.Getenv("CI") != "" {
		return ""
	}
	return dir
}

// isInterrupted reports whether an interrupt ended a command that had done part of its work.
func isInterrupted(err error) bool {
	_, ok := errors.AsType[submit.StoppedError](err)
	return ok
}

// joinGzip joins "--gzip" and a mode that follows it after a space. Since the
// flag may stand alone, it takes a value behind "=" only, and the mode would be
// read as a folder.
func joinGzip(args []string) []string {
	var out []string
	for i, arg := range args {
		if arg == "--" {
			return append(out, args[i:]...)
		}
		if i > 0 && args[i-1] == "--gzip" && (arg == "also" || arg == "only") {
			out[len(out)-1] += "=" + arg
			continue
		}
		out = append(out, arg)
	}
	return out
}

// A command describes one command of the command line.
type command struct {
	use, short, long, example string

	minArgs, maxArgs int                                           // number of arguments; maxArgs < 0 means no limit
	prepare          func(env Env, p *Printer, cmd *cobra.Command) // adds the flags and the function to run
}

// commands lists all commands in the order of the help. "sitewalk [DIR]" runs the first.
var commands = []command{
	buildCommand, checkCommand, diffCommand, submitCommand, watchCommand,
	explainCommand, listCommand, initCommand, versionCommand, completionCommand,
}

// newCobra returns the command without its flags. cobra lists only commands with a Run
// function in the help.
func (c *command) newCobra() *cobra.Command {
	return &cobra.Command{
		Use: c.use, Short: c.short, Long: c.long, Example: c.example, Args: arguments(c.minArgs, c.maxArgs),
		Run: func(*cobra.Command, []string) {},
	}
}

// Commands returns the commands with their flags, for programs that generate manual pages and
// completion scripts.
func Commands() *cobra.Command {
	return newRoot(Env{Stdout: io.Discard, Stderr: io.Discard, Getenv: os.Getenv, Now: time.Now}, &Printer{Out: io.Discard, Err: io.Discard})
}

// newRoot returns the root command with all commands and flags.
func newRoot(env Env, p *Printer) *cobra.Command {
	root := buildCommand.newCobra()
	root.Use = "sitewalk [DIR]"
	root.Short = "write the sitemap of a built site that a crawler can trust"
	root.Long = rootHelp
	root.Version = version()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { printHelp(cmd.OutOrStdout(), p.Page, cmd) })
	prepareBuild(env, p, root)
	for _, c := range commands {
		cmd := c.newCobra()
		c.prepare(env, p, cmd)
		root.AddCommand(cmd)
	}
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Use, help.Short, help.Long, help.RunE = "help [COMMAND]", "explain a command and its flags", "Explains a command and its flags.", showHelp
	registerCompletion(root)
	root.InitDefaultVersionFlag()
	root.Flags().Lookup("version").Usage = "print the version"
	for _, cmd := range append(root.Commands(), root) {
		cmd.InitDefaultHelpFlag()
		cmd.Flags().Lookup("help").Usage = "show this help"
	}
	return root
}

// showHelp prints the help of a command. cobra's own help command ignores unknown words.
func showHelp(help *cobra.Command, args []string) error {
	cmd, rest, err := help.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return usageError(help.Root(), fmt.Errorf("there is no command %q%s", strings.Join(args, " "), suggestCommand(args[0])))
	}
	cmd.InitDefaultHelpFlag()
	return cmd.Help()
}

// usageError adds a hint to the command's help to err.
func usageError(cmd *cobra.Command, err error) error {
	return diag.Hinted{Err: err, Hint: cmd.CommandPath() + " --help lists its arguments and flags"}
}

// arguments returns a check for at least minArgs and at most maxArgs arguments. maxArgs < 0
// means no limit.
func arguments(minArgs, maxArgs int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < minArgs:
			return usageError(cmd, fmt.Errorf("%s needs an argument", cmd.CommandPath()))
		case maxArgs == 0 && len(args) > 0:
			return usageError(cmd, fmt.Errorf("unexpected argument %q: %s takes none", args[0], cmd.CommandPath()))
		case maxArgs >= 0 && len(args) > maxArgs:
			return usageError(cmd, fmt.Errorf("unexpected argument %q: %s takes %s", args[maxArgs], cmd.CommandPath(), diag.Count(maxArgs, "argument")))
		}
		return nil
	}
}

const rootHelp = `sitewalk reads the site that a generator has built and writes the sitemap that
a crawler can trust: every page that may be indexed, once, under the URL that
the host serves, with true dates.

If it knows your generator, sitewalk needs no arguments. Otherwise
name the folder of the built site and its address:

  sitewalk build public -b https://example.com/

"sitewalk [DIR]" is "sitewalk build [DIR]".`

// gracePeriod is the time a command has to end after a signal. docs/command-line.md promises two
// seconds.
const gracePeriod = 1500 * time.Millisecond

// Main runs the command line of the process and returns its exit code. After a signal it waits
// for the command for at most gracePeriod: a system call or a large page may take longer. Files are
// written under a temporary name first, and the next run removes temporary files. After a
// second signal it does not wait.
func Main() int {
	log.SetOutput(io.Discard) // net/http logs unexpected answers of servers
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	env := Env{
		Args: os.Args[1:], Cache: cacheFolder(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Dir: dir, Now: time.Now,
		Page: ScreenOf(os.Stdout, os.Getenv), Messages: ScreenOf(os.Stderr, os.Getenv),
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
		cancel(signalError{s})
	}
	select {
	case code := <-done:
		return code
	case <-signals:
	case <-time.After(gracePeriod):
	}
	return interruptCode(ctx, env.Args)
}

// signalError is the cause of a context that a signal canceled.
type signalError struct{ os.Signal }

func (s signalError) Error() string { return "interrupted" }

// interruptCode returns the exit code of an interrupted command: 128 plus the number of the
// signal, as in shells. A signal is the usual end of watch, so watch exits with 0.
func interruptCode(ctx context.Context, args []string) int {
	if cmd, _, err := Commands().Find(args); err == nil && cmd.Name() == "watch" {
		return exitOK
	}
	if by, ok := context.Cause(ctx).(signalError); ok {
		if n, ok := by.Signal.(syscall.Signal); ok {
			return 128 + int(n)
		}
	}
	return exitFailed
}
