// Package follow keeps a sitemap equal to what a fresh build would write,
// whatever happens to the files: it takes batches of changes, learns those
// again, and folds and writes as a build does.
//
// It refuses to talk to a person, and to find out itself what changed.
package follow

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/sitewalk/sitewalk/internal/build"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/watch"
)

// Batches tell what changed, as a watch.Watcher does.
type Batches interface {
	// Next returns the next batch, an empty one when nothing changed until the
	// limit. The error is that of ctx.
	Next(ctx context.Context, limit time.Duration) (watch.Batch, error)
	// Add watches one more tree from now on.
	Add(t watch.Tree)
	// Close ends them.
	Close() error
}

// A Teller is told what happens. It is called by one goroutine, that of Run.
type Teller interface {
	// Settings is told the first settings, and why there are none.
	Settings(b *build.Build, err error)
	// Build is told of files that are right now.
	Build(b *build.Build, c Changes)
	// Trouble is told once why the files stay as they are until something
	// changes; before the first build, first is true.
	Trouble(err error, findings []diag.Kind, first bool)
	// Note is told something about following itself.
	Note(text string)
}

// Changes are what a build changed of the list.
type Changes struct {
	First                   bool     // there was no build before
	Added, Removed, Redated []string // URLs, sorted
}

// Options say what to follow, and how.
type Options struct {
	Build  build.Options
	Input  config.Input // what settings are resolved from, whenever they are
	Now    func() time.Time
	Quiet  time.Duration               // as in watch.Options
	Poll   time.Duration               // as in watch.Options
	Watch  func(watch.Options) Batches // nil: watch.New
	Exec   string                      // a command to run after each build that changed what a file says; "" is none
	Output io.Writer                   // of that command
	Tell   Teller
}

// Run builds, and builds again until ctx ends. An error means that the first
// settings are of no use.
func Run(ctx context.Context, o Options) error {
	s := newSession(o)
	if err := s.begin(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	defer func() { _ = s.batches.Close() }()
	for ctx.Err() == nil {
		s.step(ctx)
	}
	return nil
}

// begin resolves the settings, which must be good at the start, and builds.
func (s *session) begin(ctx context.Context) error {
	b, err := s.load(ctx)
	s.o.Tell.Settings(b, err)
	if err != nil {
		return err
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
		return s.o.Quiet
	}
	if s.failed() {
		return min(firstRetry<<s.tries, lastRetry)
	}
	limit := clockCheck
	if next := s.build.Result.Next; !next.IsZero() {
		limit = min(limit, next.Sub(s.clock(s.build)))
	}
	if s.outdated() {
		limit = 0
	}
	return max(s.untilUnbuilt(limit), time.Millisecond)
}

// mostWaits is how many batches in a row may end at the ceiling, with a file of
// ours missing, before anything is rebuilt: somebody is wiping the folder, and
// finds it not empty when we write into it.
const mostWaits = 5

// step waits for one batch and does what it asks.
func (s *session) step(ctx context.Context) {
	batch, err := s.batches.Next(ctx, s.patience())
	if err != nil {
		return // that of ctx
	}
	for _, note := range batch.Notes {
		s.o.Tell.Note(note)
	}
	batch.Rescan = batch.Rescan || s.waits > 0
	if s.waits++; batch.Busy && s.waits < mostWaits && len(s.own.missing()) > 0 {
		return
	}
	s.waits = 0
	batches := s.batches
	newDay := s.newDay() // also when other settings come with it
	if (newDay || s.unsettled || s.decides(batch)) && s.reload(ctx) {
		return
	}
	if s.batches != batches { // settings became good, and then broken: the batch is of other trees
		s.rebuild(ctx, nil)
		return
	}
	s.heed(ctx, batch)
}

// heed does what a batch asks that does not change the settings.
func (s *session) heed(ctx context.Context, batch watch.Batch) {
	change, committed := s.change(batch), s.committed(batch)
	s.noteEdits(change)
	s.lookUnbuilt()
	all := batch.Rescan || s.unread || batch.Linked && len(change.Pages)+len(change.Content) > 0
	switch {
	case all:
		s.rebuild(ctx, nil)
	case committed || s.unwritten || s.outdated() || s.facts.Concerns(change):
		s.rebuild(ctx, &change)
	case s.own.firstSpoiled() != "":
		s.repair(ctx, &change)
	}
}

// outdated reports whether a fresh build may say something else now, though no
// file changed: a moment has come at which an answer changes, or the clock was set
// back.
func (s *session) outdated() bool {
	now, next := s.clock(s.build), s.build.Result.Next
	return now.Before(s.folded) || !next.IsZero() && !now.Before(next)
}

// Repairs that follow each other closer than closeRepairs are counted, and from
// manyRepairs on there is a ceiling between them: another watch in the same
// folder does not give in either.
const (
	closeRepairs = 5 * time.Second
	manyRepairs  = 5
)

// repair writes our files again over what another program made of them.
func (s *session) repair(ctx context.Context, change *facts.Change) {
	if s.repairs++; s.o.Now().Sub(s.repaired) > closeRepairs {
		s.repairs = 0
	}
	if s.repairs == manyRepairs {
		name := build.UserPath(s.o.Build.Dir, s.own.firstSpoiled())
		s.o.Tell.Note(fmt.Sprintf("another program writes over %s again and again; it is put right every %v", name, watch.Ceiling))
	}
	if s.repairs >= manyRepairs {
		pause(ctx, watch.Ceiling)
	}
	s.rebuild(ctx, change)
	s.repaired = s.o.Now()
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
