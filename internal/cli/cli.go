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
	"math"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/engine"
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

// An Env is the world that a command runs in.
type Env struct {
	Args           []string // without the program's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Dir            string // working directory
	Cache          string // where programs of the user remember things; "" is nowhere
	Now            func() time.Time
	Client         *http.Client // by which submit asks and tells; nil is the default
	Page, Messages Screen       // behind Stdout and Stderr
}

// errFindings makes a command that did its job end with exitFindings.
var errFindings = errors.New("there are findings")

// Run runs one command line and returns its exit code.
func Run(ctx context.Context, env Env) int {
	out, messages := &Output{To: env.Stdout, Name: "standard output"}, &Output{To: env.Stderr, Name: "standard error"}
	env.Stdout, env.Stderr = out, messages
	p := &Printer{Out: out, Err: messages, Page: env.Page, Messages: env.Messages}
	if slices.Contains(env.Args, "--gzip") {
		env.Args = joinGzip(env.Args)
	}
	root := newRoot(env, p, false)
	root.SetArgs(append([]string{}, env.Args...)) // for nil, cobra takes what the process was given
	err := misspelled(env, root)
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
		p.Fail(err)
		return exitFailed
	case isStopped(err):
		p.Fail(err)
	default:
		p.Fail(errors.New("interrupted; what was there before is untouched"))
	}
	return interruptCode(ctx, env.Args)
}

// misspelled returns the error of a command line whose first word is nearly a command,
// and no folder either. Its letters but the first may be wrong: "dist" is no "list".
func misspelled(env Env, root *cobra.Command) error {
	cmd, args, _ := root.Find(env.Args)
	if cmd != root || len(args) == 0 || engine.Exists(filepath.Join(env.Dir, args[0])) {
		return nil
	}
	if guess := guessCommand(args[0]); guess != "" {
		return usageError(root, fmt.Errorf("unknown command %q%s", args[0], guess))
	}
	return nil
}

// guessCommand asks whether a word is a slip of a command; "" if it is like none.
func guessCommand(word string) string {
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

// flagError is usageError of a flag that does not exist or takes no such value.
func flagError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if guess := strict.NearestWord(unknown.GetSpecifiedName(), names); guess != "" {
			err = fmt.Errorf("%w; did you mean --%s?", err, guess)
		}
	}
	return usageError(cmd, err)
}

// cacheFolder returns the user's cache; "" where none is, and in CI, whose machines
// start empty, unless SITEWALK_CACHE names a folder that they keep.
func cacheFolder() string {
	if dir := os.Getenv("SITEWALK_CACHE"); dir != "" {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil || os.Getenv("CI") != "" {
		return ""
	}
	return dir
}

// isStopped reports whether an interrupt left a part of the work done.
func isStopped(err error) bool {
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

// A command is what a command says of itself, and how it is made ready to run.
type command struct {
	use, short, long, example string

	least, most int // arguments; most below 0 is no limit
	// prepare adds the flags, and what runs. Only the command that runs is prepared,
	// or all for help and completion.
	prepare func(env Env, p *Printer, cmd *cobra.Command)
}

// commands are all, in the order of the help; "sitewalk [DIR]" is the first.
var commands = []command{
	buildCommand, checkCommand, diffCommand, submitCommand, watchCommand,
	explainCommand, listCommand, initCommand, versionCommand, completionCommand,
}

// cobra returns the command as cobra has it, not prepared. One that runs nothing would
// not stand in the help.
func (c *command) cobra() *cobra.Command {
	return &cobra.Command{
		Use: c.use, Short: c.short, Long: c.long, Example: c.example, Args: arguments(c.least, c.most),
		Run: func(*cobra.Command, []string) {},
	}
}

// Commands returns the commands and their flags for those who describe them: the
// makers of manual pages and completion scripts.
func Commands() *cobra.Command {
	return newRoot(Env{Stdout: io.Discard, Stderr: io.Discard, Getenv: os.Getenv, Now: time.Now}, &Printer{Out: io.Discard, Err: io.Discard}, true)
}

// newRoot returns sitewalk with its commands, of which the one that runs is prepared.
func newRoot(env Env, p *Printer, all bool) *cobra.Command {
	root := buildCommand.cobra()
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
	prepare := map[*cobra.Command]func(Env, *Printer, *cobra.Command){}
	for i := range commands {
		cmd := commands[i].cobra()
		root.AddCommand(cmd)
		prepare[cmd] = commands[i].prepare
	}
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Use, help.Short, help.Long, help.RunE = "help [COMMAND]", "explain a command and its flags", "", showHelp
	asked, _, _ := root.Find(env.Args)
	completing := len(env.Args) > 0 && strings.HasPrefix(env.Args[0], cobra.ShellCompRequestCmd)
	all = all || asked == help || completing
	for cmd, do := range prepare {
		if all || cmd == asked {
			do(env, p, cmd)
		}
	}
	if all {
		registerCompletion(root)
	}
	return root
}

// showHelp shows the help of a command. Cobra's own ignores a word that it does not know.
func showHelp(help *cobra.Command, args []string) error {
	cmd, rest, err := help.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return usageError(help.Root(), fmt.Errorf("there is no command %q%s", strings.Join(args, " "), guessCommand(args[0])))
	}
	cmd.InitDefaultHelpFlag()
	return cmd.Help()
}

// usageError returns the error of a command line that the command does not
// take.
func usageError(cmd *cobra.Command, err error) error {
	return diag.Hinted{Err: err, Hint: cmd.CommandPath() + " --help says what it takes"}
}

// arguments accepts between least and most arguments; most below 0 is no limit.
func arguments(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usageError(cmd, fmt.Errorf("%s needs an argument", cmd.CommandPath()))
		case most == 0 && len(args) > 0:
			return usageError(cmd, fmt.Errorf("%s takes no argument, so what is %q?", cmd.CommandPath(), args[0]))
		case most >= 0 && len(args) > most:
			return usageError(cmd, fmt.Errorf("%s takes %s, so what is %q?", cmd.CommandPath(), diag.Count(most, "argument"), args[most]))
		}
		return nil
	}
}

const rootHelp = `sitewalk reads the site that a generator has built and writes the sitemap that
a crawler can trust: every page that may be indexed, once, under the URL that
the host serves, with true dates.

In a project of a known generator, "sitewalk" alone finds everything. Otherwise
name the folder of the built site and its address:

  sitewalk build public -b https://example.com/

"sitewalk [DIR]" is "sitewalk build [DIR]".`

// grace is how long a command may take to end after a signal. It is below the two
// seconds that docs/command-line.md promises.
const grace = 1500 * time.Millisecond

// The first garbage collection waits for firstHeap bytes. In a build and in a check of
// links it waits for buildHeap, which a build of 100,000 pages does not need: to collect
// while they are read takes a tenth more processor time, and frees little. Each later collection waits until the heap has grown by
// heapPercent: Go's own 100 takes a tenth more memory, and saves no time.
const (
	firstHeap   = 32 << 20
	buildHeap   = 144 << 20
	heapPercent = 50
)

// delayCollection sets when garbage is collected, unless the user's environment does.
func delayCollection() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(firstHeap)
	runtime.AddCleanup(new([64]byte), func(int) { // after the first one
		debug.SetGCPercent(heapPercent)
		debug.SetMemoryLimit(math.MaxInt64)
	}, 0)
}

// delayLonger lets the first collection wait for buildHeap if delayCollection has delayed it.
func delayLonger() {
	if debug.SetMemoryLimit(-1) == firstHeap {
		debug.SetMemoryLimit(buildHeap)
	}
}

// Main runs the command line of the process and returns its exit code. After a signal
// it does not wait longer than grace for the command, which may hang in a system call
// or be busy with one page: what was being written has another name until it is
// whole, and the next run removes that. It does not wait at all after a second signal.
func Main() int {
	delayCollection()
	log.SetOutput(io.Discard) // net/http tells it of a server that sends more than was asked for
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
