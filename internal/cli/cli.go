// Package cli is the command line: commands, flags and what a person reads.
//
// It refuses to decide anything about a site; it is the only room that prints.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/submit"
	"github.com/spf13/cobra"
)

// The exit codes of every command.
const (
	exitOK       = 0
	exitFindings = 1 // check, diff and --strict found something
	exitFailed   = 2 // the command could not do its job, or its output was not written
)

// An Env is the world that a command runs in.
type Env struct {
	Args           []string // without the program's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Dir            string // working directory
	Now            func() time.Time
	Terminal       bool       // a person watches Stderr
	Page           bool       // and Stdout
	Width          func() int // columns of that terminal; 0 is not known, nil likewise
}

// errFindings makes a command that did its job end with exitFindings.
var errFindings = errors.New("there are findings")

// Run runs one command line and returns its exit code.
func Run(ctx context.Context, env Env) int {
	out, messages := &output{to: env.Stdout, name: "standard output"}, &output{to: env.Stderr, name: "standard error"}
	env.Stdout, env.Stderr = out, messages
	p := &printer{out: env.Stdout, err: env.Stderr, page: screenOf(env, env.Page), tells: screenOf(env, env.Terminal)}
	root := newRoot(env, p)
	root.SetArgs(joinGzip(env.Args))
	err := messages.lost(out.lost(root.ExecuteContext(ctx)))
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFindings):
		return exitFindings
	case ctx.Err() == nil:
		p.fail(err)
		return exitFailed
	case isStopped(err):
		p.fail(err)
	default:
		p.fail(errors.New("interrupted; what was there before is untouched"))
	}
	return interruptCode(ctx, env.Args)
}

// isStopped reports whether an interrupt left a part of the work done.
func isStopped(err error) bool {
	_, ok := errors.AsType[*submit.StoppedError](err)
	return ok
}

// joinGzip joins "--gzip" and a mode that follows it after a space. Since the
// flag may stand alone, it takes a value behind "=" only, and the mode would be
// read as a folder.
func joinGzip(args []string) []string {
	out := make([]string, 0, len(args)) // for nil, cobra takes what the process was given
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

// Commands returns the commands and their flags for those who describe them: the
// makers of manual pages and completion scripts.
func Commands() *cobra.Command {
	return newRoot(Env{Stdout: io.Discard, Stderr: io.Discard, Getenv: os.Getenv, Now: time.Now}, &printer{out: io.Discard, err: io.Discard})
}

func newRoot(env Env, p *printer) *cobra.Command {
	root := newBuild(env, p)
	root.Use = "sitewalk [DIR]"
	root.Short = "write the sitemap of a built site that a crawler can trust"
	root.Long = rootHelp
	root.Version = version()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError(cmd, err) })
	root.SetHelpCommand(newHelp())
	if width := p.page.width; width >= narrowest {
		root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", fmt.Sprintf(".FlagUsagesWrapped %d", width)))
	}
	root.AddCommand(newBuild(env, p), newCheck(env, p), newDiff(env, p), newSubmit(env, p), newWatch(env, p), newExplain(env, p), newList(env, p), newInit(env, p), newVersion(env), newCompletion())
	root.ValidArgsFunction = completeFirst(env.Dir)
	completable(root)
	return root
}

// newHelp replaces cobra's help, which ignores a word that it does not know.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND]",
		Short:             "say what a command does and takes",
		ValidArgsFunction: completeCommand,
		RunE: func(help *cobra.Command, args []string) error {
			cmd, rest, err := help.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usageError(help.Root(), fmt.Errorf("there is no command %q", strings.Join(args, " ")))
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
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
the host serves, with dates that mean something.

In a project of a known generator, "sitewalk" alone finds everything. Otherwise
name the folder of the built site and the address it is published at:

  sitewalk build public -b https://example.com/

"sitewalk [DIR]" is "sitewalk build [DIR]".`
