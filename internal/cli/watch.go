package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/sitewalk/sitewalk/config"
	"github.com/sitewalk/sitewalk/internal/build"
	"github.com/sitewalk/sitewalk/site"
	"github.com/sitewalk/sitewalk/watch"
	"github.com/sitewalk/sitewalk/writer"
)

const watchHelp = `Builds, then keeps the sitemap equal to what a fresh build would write, whatever
a generator does to the publish directory. It watches the publish directory, the
content directory, sitemap.yaml and the files of the host and the generator. A
publish directory that is not there yet is waited for.

With a ledger, "a fresh build" is one that starts from the ledger as it was when
watch started. An interrupt ends it with exit code 0.`

type watchFlags struct {
	buildFlags
	quietPeriod time.Duration
	poll        time.Duration
	exec        string
}

func newWatch(env Env, p *printer) *cobra.Command {
	var w watchFlags
	cmd := &cobra.Command{
		Use:   "watch [DIR]",
		Short: "build, then rebuild whenever the site changes",
		Long:  watchHelp,
		Example: `  hugo --watch & sitewalk watch
  sitewalk watch public -b http://localhost:1313/ --exec 'echo changed'`,
		Args: arguments(0, 1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return w.run(cmd.Context(), env, p, w.input(env, cmd, args))
	}
	w.siteFlags(cmd)
	w.outputFlags(cmd)
	f := cmd.Flags()
	f.DurationVar(&w.quietPeriod, "quiet-period", watch.Quiet, "rebuild when nothing has happened for this `TIME`, and after 2s at the latest")
	f.DurationVar(&w.poll, "poll", 0, "look for changes every `TIME` instead of asking the system for events")
	f.StringVar(&w.exec, "exec", "", "run `COMMAND` in a shell after each rebuild that changed a file")
	w.talkFlags(cmd)
	f.Lookup("json").Usage = "print one JSON event per line on standard output"
	return cmd
}

func (w *watchFlags) run(ctx context.Context, env Env, p *printer, in config.Input) error {
	p.quiet = w.quiet
	if w.quietPeriod <= 0 || w.quietPeriod > watch.Ceiling {
		return fmt.Errorf("--quiet-period %v is not above 0s and at most %v", w.quietPeriod, watch.Ceiling)
	}
	if w.poll < 0 {
		return fmt.Errorf("--poll %v is negative; write 2s, or leave it out", w.poll)
	}
	s := newSession(w, env, p, in)
	if err := s.begin(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	defer func() { _ = s.watcher.Close() }()
	for ctx.Err() == nil {
		s.step(ctx)
	}
	return nil
}

// begin resolves the settings, which must be good at the start, and builds.
func (s *session) begin(ctx context.Context) error {
	r, err := s.load(ctx)
	if err != nil {
		s.p.findings(r.Findings.Kinds(), s.verbose)
		return err
	}
	if s.verbose && !s.json {
		s.p.origins(r.Settings)
	}
	s.rebuild(ctx, nil)
	return nil
}

// The waits after failed attempts: a full disk gives no sign when it has room
// again.
const (
	firstRetry = time.Second
	lastRetry  = 16 * time.Second
)

// clockCheck is how often the clock is looked at while nothing happens: it may be
// set, and timers do not count while a machine sleeps.
const clockCheck = time.Minute

// patience is how long to wait for changes: until a new attempt, or until time
// alone makes a difference.
func (s *session) patience() time.Duration {
	if s.waits > 0 {
		return s.quietPeriod
	}
	if s.failed() {
		return min(firstRetry<<s.tries, lastRetry)
	}
	limit := clockCheck
	if until := s.built.Result.Span.Until; !until.IsZero() {
		limit = min(limit, until.Sub(s.clock(s.built)))
	}
	if s.outdated() {
		limit = 0
	}
	return max(limit, time.Millisecond)
}

// mostWaits is how many batches in a row may end at the ceiling, with a file of
// ours missing, before anything is rebuilt: somebody is wiping the folder, and
// finds it not empty when we write into it.
const mostWaits = 5

// step waits for one batch and does what it asks.
func (s *session) step(ctx context.Context) {
	batch, err := s.watcher.Next(ctx, s.patience())
	if err != nil {
		return // that of ctx
	}
	for _, note := range batch.Notes {
		s.note(note)
	}
	batch.Rescan = batch.Rescan || s.waits > 0
	if s.waits++; batch.Busy && s.waits < mostWaits && len(s.own.missing()) > 0 {
		return
	}
	s.waits = 0
	watcher := s.watcher
	if (s.unsettled || s.decides(batch) || s.newDay()) && s.reload(ctx) {
		return
	}
	if s.watcher != watcher { // settings became good, and then broken: the batch is of other trees
		s.rebuild(ctx, nil)
		return
	}
	change, committed := s.change(batch), s.committed(batch)
	all := batch.Rescan || s.unread || batch.Linked && len(change.Pages)+len(change.Content) > 0
	switch {
	case all:
		s.rebuild(ctx, nil)
	case committed || s.unwritten || s.outdated() || s.site.Concerns(change):
		s.rebuild(ctx, &change)
	case s.own.spoiled():
		s.repair(ctx, &change)
	}
}

// outdated reports whether a fresh build would say something else now, though no
// file changed.
func (s *session) outdated() bool { return !s.built.Result.Span.Holds(s.clock(s.built)) }

// Repairs that follow each other closer than closeRepairs are counted, and from
// manyRepairs on there is a ceiling between them: another watch in the same
// folder does not give in either.
const (
	closeRepairs = 5 * time.Second
	manyRepairs  = 5
)

// repair writes our files again over what another program made of them.
func (s *session) repair(ctx context.Context, change *site.Change) {
	if s.repairs++; s.env.Now().Sub(s.repaired) > closeRepairs {
		s.repairs = 0
	}
	if s.repairs == manyRepairs {
		s.note(fmt.Sprintf("another program writes over %s again and again; it is put right every %v", build.Typed(s.env.Dir, s.own.firstSpoiled()), watch.Ceiling))
	}
	if s.repairs >= manyRepairs {
		pause(ctx, watch.Ceiling)
	}
	s.rebuild(ctx, change)
	s.repaired = s.env.Now()
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// runExec runs the user's command when a file became another one than after the
// last build, and waits for it. What only had to be repaired is the same: a
// command that edits our files would start itself for ever.
func (s *session) runExec(ctx context.Context, files []writer.File) {
	if s.exec == "" || !s.fresh(files) {
		return
	}
	cmd := shell(ctx, s.exec)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.env.Dir, s.p.err, s.p.err
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		kill(cmd)
	case err != nil:
		s.note(fmt.Sprintf("--exec: %v", err))
	}
}

// fresh reports whether files changed, and remembers what they hold.
func (s *session) fresh(files []writer.File) (fresh bool) {
	for _, f := range files {
		name := filepath.Join(s.built.Settings.Writer.Dir, filepath.FromSlash(f.Name))
		sum := digest(name)
		fresh = fresh || f.State != writer.Unchanged && sum != s.sums[name]
		s.sums[name] = sum
	}
	return fresh
}
