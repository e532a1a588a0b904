package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/watch"
)

// Batches reports changes, as a watch.Watcher does.
type Batches interface {
	// Next returns the next batch, and an empty one after limit without changes.
	// The error is that of ctx.
	Next(ctx context.Context, limit time.Duration) (watch.Batch, error)
	// Add watches one more tree.
	Add(t watch.Tree)
	// Close ends the watch.
	Close() error
}

// A Teller receives the events of a watch. The goroutine of Watch calls it.
type Teller interface {
	// Settings receives the first settings, or the reason why there are none.
	Settings(b *Build, err error)
	// Build receives a build whose files are written.
	Build(b *Build, c Changes)
	// Trouble receives an error once. The files stay until something changes.
	// Before the first build, first is true.
	Trouble(err error, findings []diag.Kind, first bool)
	// Note receives a message about the watch itself.
	Note(text string)
}

// Changes lists what a build changed in the list.
type Changes struct {
	First                   bool     // it is the first build
	Added, Removed, Redated []string // URLs, sorted
}

// WatchOptions configure Watch.
type WatchOptions struct {
	Build  Options
	Input  config.Input // from which the settings are resolved, again and again
	Now    func() time.Time
	Quiet  time.Duration               // as in watch.Options
	Poll   time.Duration               // as in watch.Options
	Watch  func(watch.Options) Batches // nil: watch.New
	Exec   string                      // a command to run after each build that changed a file; "" is none
	Output io.Writer                   // of that command
	Tell   Teller
}

// Watch builds, and builds again at each change until ctx ends. After each build
// the files equal those of a fresh build. The error is about the first settings.
func Watch(ctx context.Context, o WatchOptions) error {
	s := newSession(o)
	err := s.begin(ctx)
	if s.batches != nil {
		defer func() { _ = s.batches.Close() }()
	}
	if ctx.Err() != nil {
		return nil
	}
	for err == nil && ctx.Err() == nil {
		s.turn(ctx)
	}
	return err
}

// A session is one run of Watch.
type session struct {
	o WatchOptions

	options  site.Options      // of the last good settings
	memories map[string]Memory // by where the ledger is read
	day      sitemap.Date      // of the last good settings
	reads    digests           // of the files that the settings depend on
	batches  Batches
	wants    func(dir, file string) bool // whether a file of a flat folder matters
	flat     paths                       // folders of which only single files matter
	commits  paths                       // files that git's answers depend on

	facts     *facts.Set // nil: all files have to be read
	git       *git.Answers
	gitNext   time.Time // when to ask a git again that failed
	unwritten bool      // the last build could not be written
	begun     bool      // a build was written
	folded    time.Time // when the list was decided last
	due       time.Time // when the time alone changes the list; zero is never
	build     *Build    // the last one that was written, or one with new settings
	before    site.List // of the last build
	own       ownFiles  // as they were left
	sums      digests   // of the own files after the last build, for Exec

	broken  string    // the reported error of the settings on disk; "": they are good
	trouble string    // the reported error of the last build
	repairs int       // builds in a row that only restored own files
	edited  time.Time // when content changed of which nothing was built since
	blamed  bool      // a note named the generator's server
}

func newSession(o WatchOptions) *session {
	if o.Watch == nil {
		o.Watch = func(w watch.Options) Batches { return watch.New(w) }
	}
	return &session{o: o, memories: map[string]Memory{}, sums: digests{}}
}

// begin resolves the first settings, which have to be good, and builds.
func (s *session) begin(ctx context.Context) error {
	b, err := s.load(ctx)
	s.o.Tell.Settings(b, err)
	if err != nil {
		return err
	}
	s.followSettings(ctx)
	return nil
}

// followSettings builds with new settings, unless they say that nothing is written.
func (s *session) followSettings(ctx context.Context) {
	if skip := s.build.Settings.Skip; skip != "" {
		s.o.Tell.Note("nothing written: " + skip)
		return
	}
	s.rebuild(ctx, facts.Change{})
}

const (
	// maxDelays is how many batches are waited for if changes go on and a file of
	// ours is missing: a program is deleting the folder, and fails if we write into it.
	maxDelays = 5
	// maxRepairs is the number of repairs in a row without a pause.
	maxRepairs = 5
	// retryDelay is the time between two attempts after an error: a full disk
	// sends no event when it has room again.
	retryDelay = 5 * time.Second
	// clockCheck is the longest time between two looks at the clock: it may be set,
	// and timers stop while a machine sleeps.
	clockCheck = time.Minute
	// unbuiltAfter is how long a generator may take to build a changed content
	// file before its server, which may keep pages in memory, is blamed.
	unbuiltAfter = 10 * time.Second
)

// turn waits for changes and does what they ask for.
func (s *session) turn(ctx context.Context) {
	b, err := s.next(ctx)
	if err != nil {
		return
	}
	loaded := s.build
	if s.broken != "" || s.isNewDay() || s.reads.haveChanged() {
		s.reload(ctx)
	}
	switch {
	case ctx.Err() != nil:
	case s.build != loaded:
		s.followSettings(ctx)
	default:
		s.apply(ctx, b)
	}
}

// next returns the next batch. While a program deletes our files, it waits longer.
func (s *session) next(ctx context.Context) (watch.Batch, error) {
	b, err := s.batches.Next(ctx, s.patience())
	for n := 1; err == nil && n < maxDelays && b.Busy && s.own.missing() > 0; n++ {
		s.tellNotes(b)
		b, err = s.batches.Next(ctx, s.o.Quiet)
		b.Rescan = true
	}
	s.tellNotes(b)
	return b, err
}

func (s *session) tellNotes(b watch.Batch) {
	for _, text := range b.Notes {
		s.o.Tell.Note(text)
	}
}

// patience returns how long to wait for changes.
func (s *session) patience() time.Duration {
	next := clockCheck
	switch {
	case s.broken != "":
		return retryDelay
	case s.build.Settings.Skip != "":
		return clockCheck
	case s.unwritten, s.facts == nil:
		return retryDelay
	case s.isOutdated():
		return time.Millisecond
	case !s.due.IsZero():
		next = min(next, s.due.Sub(s.clock()))
	}
	if !s.edited.IsZero() && !s.blamed {
		next = min(next, s.edited.Add(unbuiltAfter).Sub(s.o.Now()))
	}
	return max(next, time.Millisecond)
}

// apply builds if a batch, or the time, changes the list, or if a file of ours is
// not as it was left.
func (s *session) apply(ctx context.Context, b watch.Batch) {
	change := s.changeOf(b)
	s.awaitPages(change)
	commits := b.Rescan || s.names(b, s.commits) || s.hasGitRecovered(ctx)
	if commits {
		s.commits, s.git = pathsOf(s.histories()), s.git.Forget()
	}
	if b.Rescan || b.Linked && len(change.Pages)+len(change.Content) > 0 {
		s.facts = nil
	}
	spoiled := ""
	switch {
	case s.build.Settings.Skip != "":
		return
	case s.facts == nil, s.unwritten, commits, s.isOutdated(), s.facts.Concerns(change):
	default:
		if spoiled = s.own.firstSpoiled(); spoiled == "" {
			s.repairs = 0
			return
		}
	}
	s.pauseRepairs(ctx, spoiled)
	s.rebuild(ctx, change)
}

// pauseRepairs waits if the spoiled file was restored again and again: another
// watch in the same folder does not give in either.
func (s *session) pauseRepairs(ctx context.Context, spoiled string) {
	if spoiled == "" {
		s.repairs = 0
		return
	}
	if s.repairs++; s.repairs == maxRepairs+1 {
		s.o.Tell.Note(fmt.Sprintf("another program writes over %s again and again; it is restored every %v", s.shown(spoiled), watch.Ceiling))
	}
	if s.repairs > maxRepairs {
		select {
		case <-ctx.Done():
		case <-time.After(watch.Ceiling):
		}
	}
}

// awaitPages blames the generator's server if content changed, and no page for some time.
func (s *session) awaitPages(change facts.Change) {
	c := s.build.Settings
	if c.Server == "" || c.Site.Pages == nil {
		return
	}
	switch now := s.o.Now(); {
	case len(change.Pages) > 0:
		s.edited = time.Time{}
	case s.edited.IsZero() && len(change.Content) > 0:
		s.edited = now
	case !s.edited.IsZero() && now.Sub(s.edited) >= unbuiltAfter:
		s.blame(fmt.Sprintf("content changed %v ago, and nothing in %s has; %s", unbuiltAfter, s.shown(c.Site.Pages.Dir), c.Server))
	}
}

// blame prints once why the generator may have built nothing.
func (s *session) blame(server string) {
	if server != "" && !s.blamed {
		s.blamed = true
		s.o.Tell.Note(server)
	}
}

// shown returns a path as the user would type it.
func (s *session) shown(name string) string { return files.Shown(s.o.Build.Dir, name) }

// changeOf returns the changed files of the site in a batch, without our own.
func (s *session) changeOf(b watch.Batch) facts.Change {
	theirs := func(name string, t *facts.Tree) (changed []string) {
		for _, p := range b.Paths[name] {
			if !s.own.owns(t.Path(p)) {
				changed = append(changed, p)
			}
		}
		return changed
	}
	return facts.Change{Pages: theirs(pagesTree, s.options.Pages), Content: theirs(contentTree, s.options.Content)}
}

// rebuild writes what a fresh build would write. An error is reported once.
func (s *session) rebuild(ctx context.Context, change facts.Change) {
	start := s.o.Now()
	b := s.build.Again()
	b.Still = s.own.stay()
	err := s.write(ctx, b, change)
	b.Took = s.o.Now().Sub(start)
	switch {
	case ctx.Err() != nil, errors.Is(err, errWiped): // the next batch names the deleted files
	case err != nil:
		first := !s.begun
		if s.report(b, err, &s.trouble) && first && isMissing(err) {
			s.blame(b.Settings.Server)
		}
	default:
		s.announce(ctx, b)
	}
	// Without a collection between two rebuilds, one runs in the middle of every
	// other rebuild of a large site, which then takes half as long again.
	runtime.GC()
}

func isMissing(err error) bool {
	_, missing := errors.AsType[*facts.MissingError](err)
	return missing
}

// report reports an error, unless it is the last one that was reported.
func (s *session) report(b *Build, err error, last *string) bool {
	if err.Error() == *last {
		return false
	}
	*last = err.Error()
	s.o.Tell.Trouble(err, b.Findings.Kinds(), !s.begun)
	return true
}

// write learns what changed, decides, and writes the files.
func (s *session) write(ctx context.Context, b *Build, change facts.Change) error {
	world, err := s.learn(ctx, change)
	for err == nil && s.followGit() {
		world, err = s.relate(ctx)
	}
	if err != nil {
		s.facts = nil
		return err
	}
	s.folded = s.clock()
	b.Fold(ctx, world, s.folded)
	s.due = b.Result.Next
	return s.put(ctx, b)
}

// learn learns what changed, or everything, and relates it.
func (s *session) learn(ctx context.Context, change facts.Change) (*site.World, error) {
	var err error
	if s.facts == nil {
		s.git = &git.Answers{}
		s.facts, err = facts.Learn(ctx, s.options.Options)
	} else if s.facts, err = s.facts.Again(ctx, change); err == nil {
		s.git = s.git.Without(s.facts.Files(change))
	}
	if err != nil {
		return nil, err
	}
	return s.relate(ctx)
}

// relate relates the facts. Git is asked about what it has not answered yet.
func (s *session) relate(ctx context.Context) (*site.World, error) {
	o := s.options
	o.Now, o.Git.Known = s.clock(), s.git
	world, err := site.Relate(ctx, s.facts, o)
	if err == nil {
		s.git = world.Git
	}
	return world, err
}

// put writes the files, unless too much would be lost, and remembers how they
// were left. The first build is compared with the files of an earlier run.
func (s *session) put(ctx context.Context, b *Build) error {
	err := b.Enough()
	if err == nil && !s.begun {
		err = b.Guard(ctx)
	}
	if err != nil {
		return err
	}
	err = b.Write(ctx)
	s.memories[b.Settings.LedgerFrom], s.options.Ledger = b.Memory, b.Memory.Ledger // with what another build wrote
	s.own = s.own.with(b, err == nil)
	s.reads.accept(s.own)
	s.unwritten = err != nil
	return err
}

// announce reports what a build changed, and runs the user's command.
func (s *session) announce(ctx context.Context, b *Build) {
	since := b.Against(s.before)
	c := Changes{First: !s.begun, Added: since.Added(), Removed: urls(since.Removed), Redated: urls(since.Redated)}
	s.before, s.build, s.begun, s.trouble = b.Result.List, b, true, ""
	s.o.Tell.Build(b, c)
	s.runExec(ctx, b.Files.Files)
}

func urls(pages []Earlier) (all []string) {
	for _, p := range pages {
		all = append(all, p.URL)
	}
	return all
}

// isNewDay reports whether a change now has another date than at the last reload.
func (s *session) isNewDay() bool { return s.build.Result.Ledger != nil && s.today() != s.day }

func (s *session) today() sitemap.Date {
	return sitemap.DayOf(s.clock().In(s.build.Settings.Site.Zone))
}

// clock returns the time that a fresh build would have.
func (s *session) clock() time.Time {
	if s.o.Input.Getenv("SOURCE_DATE_EPOCH") != "" {
		return s.build.Settings.Site.Now
	}
	return s.o.Now()
}

// isOutdated reports whether the time alone may change the list: a date has come,
// or the clock was set back.
func (s *session) isOutdated() bool {
	now := s.clock()
	return now.Before(s.folded) || !s.due.IsZero() && !now.Before(s.due)
}
