// Package cli implements the command line: commands, flags, messages for people, and shell
// completion.
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

// The exit codes of commands. A command that a signal ends has another exit code; see
// interruptCode.
const (
	exitOK       = 0
	exitFindings = 1 // check, diff, submit or --strict found something
	exitFailed   = 2 // the command could not do its job, or its output was not written
)

// An Env is the environment that a command runs in: arguments, streams, and folders.
type Env struct {
	Args                       []string // without the program's name
	Stdin                      io.Reader
	Stdout, Stderr             io.Writer
	Getenv                     func(string) string
	Dir                        string // working directory
	Cache                      string // cache folder of the user; "" for none
	Now                        func() time.Time
	Client                     *http.Client // HTTP client of check, diff and submit; nil means the default client
	StdoutScreen, StderrScreen Screen       // terminals of Stdout and Stderr
}

// errFindings makes a command exit with exitFindings.
var errFindings = errors.New("there are findings")

// Run runs the command line in env.Args and returns its exit code. It prints errors on env.Stderr.
func Run(ctx context.Context, env Env) int {
	out, messages := &Output{To: env.Stdout, Name: "standard output"}, &Output{To: env.Stderr, Name: "standard error"}
	env.Stdout, env.Stderr = out, messages
	p := &Printer{Out: out, Err: messages, OutScreen: env.StdoutScreen, ErrScreen: env.StderrScreen}
	root := newRoot(env, p)
	root.SetArgs(append([]string{}, env.Args...)) // with nil, cobra would use os.Args
	err := checkCommandName(env, root)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if err == nil || errors.Is(err, errFindings) { // other errors are more important than a failed write
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
	case isSubmissionInterrupted(err):
		p.PrintError(err)
	default:
		p.PrintError(errors.New("interrupted; nothing was changed"))
	}
	return interruptCode(ctx, env.Args)
}

// checkCommandName returns an error if the first argument is probably a misspelled command. It
// returns nil if the argument is an existing folder or file. The first letter must be correct:
// "dist" is not a misspelled "list".
func checkCommandName(env Env, root *cobra.Command) error {
	cmd, args, _ := root.Find(env.Args)
	if cmd != root || len(args) == 0 || engine.FileExists(filepath.Join(env.Dir, args[0])) {
		return nil
	}
	if guess := suggestCommand(root, args[0]); guess != "" {
		return newUsageError(root, fmt.Errorf("unknown command %q%s", args[0], guess))
	}
	return nil
}

// suggestCommand returns text such as "; did you mean build?" if word is probably a misspelled
// command, and otherwise "".
func suggestCommand(root *cobra.Command, word string) string {
	var names []string
	for _, cmd := range root.Commands() {
		if strings.HasPrefix(word, cmd.Name()[:1]) {
			names = append(names, cmd.Name())
		}
	}
	if guess := strict.NearestWord(word, names); guess != "" {
		return "; did you mean " + guess + "?"
	}
	return ""
}

// newFlagError returns err, an error of cobra about flags, with the hint of newUsageError. For an
// unknown flag, it also suggests a similar flag.
func newFlagError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if guess := strict.NearestWord(unknown.GetSpecifiedName(), names); guess != "" {
			err = fmt.Errorf("%w; did you mean --%s?", err, guess)
		}
	}
	return newUsageError(cmd, err)
}

// cacheFolder returns the folder for caches, or "" to use no cache. In CI, it returns a folder only
// if SITEWALK_CACHE is set, because a CI machine starts without a cache.
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

// isSubmissionInterrupted reports whether err means that an interrupt or a timeout stopped the
// sending of URLs. Some URLs may have been sent.
func isSubmissionInterrupted(err error) bool {
	_, ok := errors.AsType[submit.StoppedError](err)
	return ok
}

// RootCommand returns the command sitewalk with all subcommands and flags, for programs that
// generate manual pages and completion scripts.
func RootCommand() *cobra.Command {
	return newRoot(Env{Stdout: io.Discard, Stderr: io.Discard, Getenv: os.Getenv, Now: time.Now}, &Printer{Out: io.Discard, Err: io.Discard})
}

// newRoot returns the root command with all commands and flags.
func newRoot(env Env, p *Printer) *cobra.Command {
	root := newBuildCommand(env, p)
	root.Use = "sitewalk [DIR]"
	root.Short = "write the sitemap of a built site that a crawler can trust"
	root.Long = rootHelp
	root.Version = version()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableNoDescFlag = true
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	root.SetFlagErrorFunc(newFlagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { printHelp(cmd.OutOrStdout(), cmd) })
	root.AddCommand(newBuildCommand(env, p), newCheckCommand(env, p), newDiffCommand(env, p), newSubmitCommand(env, p), newWatchCommand(env, p),
		newExplainCommand(env, p), newListCommand(env, p), newInitCommand(env, p), newVersionCommand(env))
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Use, help.Short, help.Long, help.RunE = "help [COMMAND]", "explain a command and its flags", "Explains a command and its flags.", showHelp
	root.InitDefaultCompletionCmd()
	completion, _, _ := root.Find([]string{"completion"})
	completion.Short, completion.Example = "print a shell's completion script", "  source <(sitewalk completion bash)"
	completion.Args = cobra.ArbitraryArgs
	completion.RunE = func(cmd *cobra.Command, _ []string) error {
		return newUsageError(cmd, errors.New("name a shell: bash, zsh, fish or powershell"))
	}
	registerCompletion(root)
	root.InitDefaultVersionFlag()
	root.Flags().Lookup("version").Usage = "print the version"
	for _, cmd := range append(root.Commands(), root) {
		cmd.InitDefaultHelpFlag()
		cmd.Flags().Lookup("help").Usage = "show this help"
	}
	return root
}

// showHelp prints the help of the command that args name. Unlike cobra's own help command, it
// returns an error for an unknown command.
func showHelp(help *cobra.Command, args []string) error {
	cmd, rest, err := help.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return newUsageError(help.Root(), fmt.Errorf("unknown command %q%s", strings.Join(args, " "), suggestCommand(help.Root(), args[0])))
	}
	cmd.InitDefaultHelpFlag()
	return cmd.Help()
}

// newUsageError returns err with the hint to call the command with --help.
func newUsageError(cmd *cobra.Command, err error) error {
	return diag.Hinted{Err: err, Hint: cmd.CommandPath() + " --help lists its arguments and flags"}
}

// limitArguments returns a function that rejects fewer than minArgs or more than maxArgs arguments.
func limitArguments(minArgs, maxArgs int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < minArgs:
			return newUsageError(cmd, fmt.Errorf("%s needs an argument", cmd.CommandPath()))
		case len(args) > maxArgs:
			return newUsageError(cmd, fmt.Errorf("unexpected argument %q", args[maxArgs]))
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

// gracePeriod is the maximum time from a signal to the end of the process. docs/command-line.md
// promises two seconds.
const gracePeriod = 1500 * time.Millisecond

// Main runs the command line of the process and returns the exit code. After a signal, it cancels
// the command and waits at most gracePeriod for its end. After a second signal, it does not wait.
// An interrupted command leaves complete files: it writes each file under a temporary name, and the
// next run removes temporary files.
func Main() int {
	log.SetOutput(io.Discard) // net/http logs unexpected answers of servers
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	env := Env{
		Args: os.Args[1:], Cache: cacheFolder(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Dir: dir, Now: time.Now,
		StdoutScreen: ScreenOf(os.Stdout, os.Getenv), StderrScreen: ScreenOf(os.Stderr, os.Getenv),
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

// interruptCode returns the exit code of a command that a signal ended: 128 plus the number of the
// signal, as in shells. For the command watch it returns 0, because a signal is its usual end. If
// the signal is unknown or has no number, it returns exitFailed.
func interruptCode(ctx context.Context, args []string) int {
	if cmd, _, err := RootCommand().Find(args); err == nil && cmd.Name() == "watch" {
		return exitOK
	}
	if by, ok := context.Cause(ctx).(signalError); ok {
		if n, ok := by.Signal.(syscall.Signal); ok {
			return 128 + int(n)
		}
	}
	return exitFailed
}
