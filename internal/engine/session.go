package engine

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/gitdates"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/watch"
)

// A session is one run of watch: where it stands, the last good settings, what was
// learned of the site, and what was written last.
type session struct {
	o     WatchOptions
	state state

	options  site.Options      // of the last good settings
	memories map[string]Memory // by where the ledger is read
	day      sitemap.Date      // of the last good settings
	reads    digests           // of the files that decide
	batches  Batches
	wants    func(dir, file string) bool // whether a file of a flat folder matters
	flat     paths                       // folders of which only single files matter; batches call them so
	commits  paths                       // the files that decide what git says

	facts   *facts.Set // nil before they are learned
	git     *gitdates.Answers
	askNext time.Time // when a git that failed may be asked again
	folded  time.Time // when the site was folded last
	build   *Build    // the last one that was written, or one with new settings
	before  site.List // of the last build
	own     ownFiles  // as they were left
	sums    digests   // of those, when a command waits for them to change

	batch  seen // that is heeded
	change facts.Change
	tried  *Build // in the last attempt
	wrong  error  // with that
}

func newSession(o WatchOptions) *session {
	if o.Watch == nil {
		o.Watch = func(w watch.Options) Batches { return watch.New(w) }
	}
	return &session{o: o, memories: map[string]Memory{}, sums: digests{}}
}

// newDay reports whether what changes now is dated by another day.
func (s *session) newDay() bool { return s.build.Result.Ledger != nil && s.today(s.build) != s.day }

func (s *session) today(r *Build) sitemap.Date {
	return sitemap.DayOf(s.clock(r).In(r.Settings.Site.Zone))
}

// clock is the time that a fresh build would have.
func (s *session) clock(r *Build) time.Time {
	if s.o.Input.Getenv("SOURCE_DATE_EPOCH") != "" {
		return r.Settings.Site.Now
	}
	return s.o.Now()
}

// outdated reports whether a fresh build may say something else now, though no
// file changed: a moment has come at which an answer changes, or the clock was set
// back.
func (s *session) outdated() bool {
	now, next := s.clock(s.build), s.build.Result.Next
	return now.Before(s.folded) || !next.IsZero() && !now.Before(next)
}

// changeOf is what a batch says of the site's files, but for our own.
func (s *session) changeOf(b watch.Batch) facts.Change {
	theirs := func(name string, t *facts.Tree) []string {
		return slices.DeleteFunc(slices.Clone(b.Paths[name]), func(p string) bool { return s.own.owns(t.Path(p)) })
	}
	return facts.Change{Pages: theirs(pagesTree, s.options.Pages), Content: theirs(contentTree, s.options.Content)}
}

// attempt writes what a fresh build would.
func (s *session) attempt(ctx context.Context, p plan) {
	e := built{phase: unread, repair: p.repair}
	start := s.o.Now()
	now := s.build.Again()
	now.Still = s.own.stay()
	world, err := s.learn(ctx, p.all)
	for err == nil && s.followGit() {
		world, err = s.relate(ctx)
	}
	if err == nil {
		s.folded = s.clock(s.build)
		now.Fold(ctx, world, s.folded)
		e.phase, err = s.put(ctx, now)
	}
	s.tried, s.wrong, e.at = now, err, s.o.Now()
	now.Took = e.at.Sub(start)
	if e.cut = ctx.Err() != nil || errors.Is(err, errWiped); err != nil {
		e.trouble = err.Error()
	}
	if _, absent := errors.AsType[*facts.MissingError](err); absent {
		e.server = now.Settings.Server
	}
	s.handle(ctx, e)
	// Collect the garbage of a rebuild between two rebuilds. Else the collector would
	// run in the middle of every other rebuild of a large site, which then takes half
	// as long again.
	runtime.GC()
}

// learn learns everything, or what changed, and relates it.
func (s *session) learn(ctx context.Context, all bool) (*site.World, error) {
	if all {
		set, err := facts.Learn(ctx, s.options.Options)
		if err != nil {
			return nil, err
		}
		s.facts, s.git = set, &gitdates.Answers{}
		return s.relate(ctx)
	}
	set, err := s.facts.Again(ctx, s.change)
	if err != nil {
		return nil, err
	}
	s.facts, s.git = set, s.git.Without(set.Files(s.change))
	return s.relate(ctx)
}

// relate relates what was learned. Git is asked about what it has not said yet.
func (s *session) relate(ctx context.Context) (*site.World, error) {
	o := s.options
	o.Now, o.Git.Known = s.clock(s.build), s.git
	world, err := site.Relate(ctx, s.facts, o)
	if err == nil {
		s.git = world.Git
	}
	return world, err
}

// put writes the files and remembers how it left them, unless Enough refuses, or at the
// first build Guard.
func (s *session) put(ctx context.Context, r *Build) (phase, error) {
	err := r.Enough()
	if err == nil && !s.state.begun {
		err = r.Guard(ctx) // against what was there before
	}
	if err != nil {
		if s.state.phase == unwritten {
			return unwritten, err
		}
		return idle, err
	}
	err = r.Write(ctx)
	s.memories[r.Settings.LedgerFrom], s.options.Ledger = r.Memory, r.Memory.Ledger // with what another build wrote
	s.own = s.own.with(r, err == nil)
	s.reads.accept(s.own)
	if err != nil {
		return unwritten, err
	}
	return idle, nil
}

// announce tells what a build changed, and runs the command that waits for it.
func (s *session) announce(ctx context.Context, first bool) {
	since := s.tried.Against(s.before)
	s.before, s.build = s.tried.Result.List, s.tried
	s.o.Tell.Build(s.build, Changes{First: first, Added: since.Added(), Removed: urls(since.Removed), Redated: urls(since.Redated)})
	s.runExec(ctx, s.build.Files.Files)
}

func urls(pages []Earlier) (all []string) {
	for _, p := range pages {
		all = append(all, p.URL)
	}
	return all
}
