package engine

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/files"
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
	Settings(b *Build, err error)
	// Build is told of files that are right now.
	Build(b *Build, c Changes)
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
type WatchOptions struct {
	Build  Options
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
func Watch(ctx context.Context, o WatchOptions) error {
	s := newSession(o)
	if err := s.begin(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	defer func() { _ = s.batches.Close() }()
	for ctx.Err() == nil {
		s.turn(ctx)
	}
	return nil
}

// begin resolves the settings, which must be good at the start, and builds.
func (s *session) begin(ctx context.Context) error {
	err := s.load(ctx)
	s.o.Tell.Settings(s.tried, err)
	if err != nil {
		return err
	}
	s.handle(ctx, loaded{skip: s.build.Settings.Skip})
	return nil
}

// turn waits for one batch and does what it asks.
func (s *session) turn(ctx context.Context) {
	next := clockCheck
	if s.outdated() {
		next = 0
	} else if at := s.build.Result.Next; !at.IsZero() {
		next = at.Sub(s.clock(s.build))
	}
	batch, err := s.batches.Next(ctx, s.state.patience(s.o.Now(), s.o.Quiet, next))
	if err != nil {
		return // that of ctx
	}
	for _, text := range batch.Notes {
		s.o.Tell.Note(text)
	}
	batch.Rescan = batch.Rescan || s.state.delays > 0
	s.batch = s.look(ctx, batch)
	s.handle(ctx, s.batch)
}

// look finds out what a batch means.
func (s *session) look(ctx context.Context, b watch.Batch) seen {
	s.change = s.changeOf(b)
	e := seen{
		at: s.o.Now(), busy: b.Busy && s.own.missing() > 0, spoiled: s.shown(s.own.firstSpoiled()),
		pages: len(s.change.Pages) > 0, content: len(s.change.Content) > 0,
		settings: s.newDay() || s.decides(b),
		commits:  b.Rescan || s.names(b, s.commits.has) || s.gitRecovered(ctx),
		differs:  s.outdated() || s.facts != nil && s.facts.Concerns(s.change),
	}
	e.all = b.Rescan || b.Linked && (e.pages || e.content)
	if c := s.build.Settings; c.Site.Pages != nil && c.Server != "" {
		e.server = fmt.Sprintf("content changed %v ago, and nothing in %s has; %s", unbuiltAfter, s.shown(c.Site.Pages.Dir), c.Server)
	}
	return e
}

// shown returns a path as the user would type it; "" stays.
func (s *session) shown(name string) string { return files.Shown(s.o.Build.Dir, name) }

// handle makes the step of an event, and does what follows from it. An attempt to read the
// settings or to build ends in an event of its own, which it handles before it returns.
func (s *session) handle(ctx context.Context, e event) {
	var p plan
	first := !s.state.begun
	s.state, p = step(s.state, e)
	if p.report {
		s.o.Tell.Trouble(s.wrong, s.tried.Findings.Kinds(), first)
	}
	if p.announce {
		s.announce(ctx, first)
	}
	for _, text := range p.notes {
		s.o.Tell.Note(text)
	}
	if p.askGit {
		s.commits, s.git = pathsOf(s.histories()), s.git.Forget()
	}
	if p.load {
		s.reload(ctx)
	}
	if p.pause {
		select {
		case <-ctx.Done():
		case <-time.After(watch.Ceiling):
		}
	}
	if p.write {
		s.attempt(ctx, p)
	}
}
