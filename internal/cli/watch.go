package cli

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/watch"
	"github.com/sitewalk/sitewalk/writer"
	"github.com/spf13/cobra"
)

type watchFlags struct {
	flags
	quietPeriod time.Duration
	poll        time.Duration
	exec        string
}

func newWatchCommand(env Env, p *Printer) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "watch [DIR]",
		Short: "build, then rebuild whenever the site changes",
		Args:  limitArguments(0, 1),
		Long: `Builds, then keeps the sitemap equal to what a fresh build would write, while
a generator rewrites the publish directory. It watches the publish directory,
the content directory, sitemap.yaml and the files of the host and the
generator. It waits for a publish directory that does not exist yet.

With a ledger, a fresh build is one that starts from the ledger as it was when
watch started. Ctrl+C stops it with exit code 0.`,
		Example: `  hugo --watch & sitewalk watch
  sitewalk watch public -b http://localhost:1313/ --exec 'echo changed'`,
	}
	var w watchFlags
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return w.runWatch(cmd.Context(), env, p, newInput(env, cmd, args))
	}
	w.addSiteFlags(cmd)
	w.addOutputFlags(cmd)
	w.addMaxLossFlag(cmd)
	flagSet := cmd.Flags()
	flagSet.DurationVar(&w.quietPeriod, "quiet-period", watch.DefaultQuiet, "rebuild `TIME` after the last change (default 100ms)")
	flagSet.DurationVar(&w.poll, "poll", 0, "look for changes every `TIME`, use no events")
	flagSet.StringVar(&w.exec, "exec", "", "run `COMMAND` after each rebuild with a change")
	w.addMessageFlags(cmd)
	flagSet.Lookup("output").Usage = "write into `DIR` instead of the publish directory"
	flagSet.Lookup("json").Usage = "print one JSON event per line on standard output"
	return cmd
}

func (w *watchFlags) runWatch(ctx context.Context, env Env, p *Printer, in config.Input) error {
	p.Quiet = w.quiet
	if w.quietPeriod <= 0 || w.quietPeriod > watch.MaxBatchTime {
		return fmt.Errorf("--quiet-period %v is not above 0s and at most %v", w.quietPeriod, watch.MaxBatchTime)
	}
	if w.poll < 0 {
		return fmt.Errorf("--poll %v is below 0s", w.poll)
	}
	w.noCache = true // the previous sitemap stays in the output folder, so no cache is needed
	w.opts.Watch = true
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var teller engine.Teller = &messages{p: p, verbose: w.verbose}
	if w.json {
		teller = &events{p: p, verbose: w.verbose, stop: stop}
	}
	return engine.Watch(ctx, engine.WatchOptions{
		Build: w.buildOptions(env), Input: in, Now: env.Now, Quiet: w.quietPeriod, Poll: w.poll,
		Exec: w.exec, Output: p.Err, Tell: teller,
	})
}

// An event is one line of watch --json; docs/watch.md describes it.
type event struct {
	Version  int           `json:"version"`
	Command  string        `json:"command"`
	Event    string        `json:"event"` // "build", "error" or "note"
	Message  string        `json:"message,omitempty"`
	URLs     int           `json:"urls"`
	Added    int           `json:"added"`
	Removed  int           `json:"removed"`
	Redated  int           `json:"redated"`
	Files    []writer.File `json:"files,omitempty"`
	Findings []diag.Kind   `json:"findings,omitempty"`
	Seconds  float64       `json:"seconds"`
}

// events is an engine.Teller that prints each event as a line of JSON. It omits a build that
// changed neither files nor findings, except the first build and a build after an error. If
// printing fails, it calls stop to end the watch.
type events struct {
	p        *Printer
	verbose  bool
	stop     func()
	failed   bool        // an error was printed after the last build
	findings []diag.Kind // findings of the last build
}

func (t *events) printEvent(e event) {
	e.Version, e.Command = report.Version, "watch"
	if report.NewTerminalSafeEncoder(t.p.Out).Encode(e) != nil {
		t.stop() // Output.Err returns the error
	}
}

func (t *events) HandleSettings(b *engine.Build, err error) {
	if err != nil {
		t.p.PrintFindings(b.Findings.Kinds(), t.verbose)
	}
}

func (t *events) HandleBuild(b *engine.Build, c engine.Changes) {
	findings := b.Findings.Kinds()
	isNews := c.First || t.failed || hasChangedFiles(b) || !reflect.DeepEqual(findings, t.findings)
	t.failed, t.findings = false, findings
	if !isNews {
		return
	}
	t.printEvent(event{
		Event: "build", URLs: len(b.Result.List), Added: len(c.Added), Removed: len(c.Removed), Redated: len(c.Redated),
		Files: b.Files, Findings: findings, Seconds: b.Took.Seconds(),
	})
}

func (t *events) HandleError(err error, findings []diag.Kind, _ bool) {
	t.failed = true
	t.printEvent(event{Event: "error", Message: newWaitingError(err).Error(), Findings: findings})
}

func (t *events) HandleNote(text string) { t.printEvent(event{Event: "note", Message: text}) }

// hasChangedFiles reports whether a build wrote or removed a file.
func hasChangedFiles(b *engine.Build) bool {
	return slices.ContainsFunc(b.Files, func(f writer.File) bool { return f.State != writer.Unchanged })
}

// messages is an engine.Teller that prints messages for people. After a successful build, it prints
// only the findings that filterNewFindings returns.
type messages struct {
	p       *Printer
	verbose bool
	last    map[diag.Identity]bool // findings of the last build
	notes   map[diag.Identity]bool // notes of all builds
}

func (m *messages) HandleSettings(b *engine.Build, err error) {
	switch {
	case err != nil:
		m.p.PrintFindings(b.Findings.Kinds(), m.verbose)
	case m.verbose:
		printOrigins(m.p, b.Origins())
	}
}

func (m *messages) HandleBuild(b *engine.Build, c engine.Changes) {
	m.p.PrintFindings(m.filterNewFindings(b.Findings.Kinds()), m.verbose)
	if c.First {
		printBuild(m.p, b, false, m.verbose)
		return
	}
	if !hasChangedFiles(b) {
		return
	}
	m.printURLs("new", c.Added)
	m.printURLs("gone", c.Removed)
	if m.verbose {
		m.printURLs("changed", c.Redated)
	}
	m.p.Printf("%s new, %s gone, %s changed; %s; %s, in %s", diag.Number(len(c.Added)), diag.Number(len(c.Removed)), diag.Number(len(c.Redated)),
		diag.Count(len(b.Result.List), "URL"), formatFileStates(sortByNameLength(b.Files), b.Dir, false), b.Took.Round(time.Millisecond))
}

func (m *messages) HandleError(err error, findings []diag.Kind, first bool) {
	m.p.PrintFindings(findings, m.verbose)
	if _, missing := errors.AsType[*facts.MissingError](err); missing && first { // the generator has not built the folder yet
		m.p.Printf("%v", newWaitingError(err))
		return
	}
	m.p.PrintError(newWaitingError(err))
}

func (m *messages) HandleNote(text string) { m.p.Printf("%s", text) }

// maxURLs is the maximum number of new URLs, and also of removed URLs, that messages prints after a
// rebuild without -v.
const maxURLs = 5

func (m *messages) printURLs(what string, urls []string) {
	for i, url := range urls {
		if i == maxURLs && !m.verbose {
			m.p.Printf("%s: %s more; -v names all", what, diag.Number(len(urls)-i))
			return
		}
		m.p.Printf("%s: %s", what, url)
	}
}

// newWaitingError returns an error that also tells what watch waits for: "public does not exist;
// waiting for it" for a facts.MissingError, and otherwise the text of err with "; waiting for a
// change".
func newWaitingError(err error) error {
	if missing, ok := errors.AsType[*facts.MissingError](err); ok {
		return fmt.Errorf("%s does not exist; waiting for it", missing.Dir)
	}
	return fmt.Errorf("%w; waiting for a change", err)
}

// filterNewFindings returns the findings that the previous build did not have. A note is left out
// if any earlier build had it. For example, a note may appear again each time the generator
// rewrites its files.
func (m *messages) filterNewFindings(kinds []diag.Kind) (out []diag.Kind) {
	before := m.last
	m.last = map[diag.Identity]bool{}
	if m.notes == nil {
		m.notes = map[diag.Identity]bool{}
	}
	for _, k := range kinds {
		k.List = slices.DeleteFunc(slices.Clone(k.List), func(d diag.Diagnostic) bool {
			id := d.Identity(func(file string) string { return file })
			old := before[id] || m.notes[id]
			m.last[id] = true
			m.notes[id] = m.notes[id] || d.Severity == diag.Note
			return old
		})
		if before != nil {
			k.Count = len(k.List) // findings that are counted but not listed cannot be compared
		}
		if k.Count > 0 {
			out = append(out, k)
		}
	}
	return out
}
