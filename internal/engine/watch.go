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

// Batches delivers changed files, like watch.Watcher.
type Batches interface {
	// Next returns the next batch, or an empty batch after limit without changes. It returns an
	// error if ctx ends.
	Next(ctx context.Context, limit time.Duration) (watch.Batch, error)
	// Add watches one more tree.
	Add(t watch.Tree)
	// Close stops watching.
	Close() error
}

// A Teller receives the events of a watch. All calls come from the goroutine that called Watch.
type Teller interface {
	// Settings is called with the first settings, or with the error of reading them.
	Settings(b *Build, err error)
	// Build is called after the files of a build were written.
	Build(b *Build, c Changes)
	// Trouble is called once for each new error. The files stay unchanged until the next
	// change. first is true before the first successful build.
	Trouble(err error, findings []diag.Kind, first bool)
	// Note is called with a message about the watch.
	Note(text string)
}

// Changes lists the URLs that a build added, removed or re-dated.
type Changes struct {
	First                   bool     // true for the first build
	Added, Removed, Redated []string // sorted URLs
}

// WatchOptions configure Watch.
type WatchOptions struct {
	Build  Options
	Input  config.Input // resolved again after each change of a settings file
	Now    func() time.Time
	Quiet  time.Duration               // as in watch.Options
	Poll   time.Duration               // as in watch.Options
	Watch  func(watch.Options) Batches // nil means watch.New
	Exec   string                      // command to run after each build that changed a file; "" for no command
	Output io.Writer                   // receives the output of Exec
	Tell   Teller
}

// Watch builds the site, and builds again after each change until ctx ends. After each build,
// the files equal the files of a fresh build. Watch returns an error only if the first settings
// are invalid.
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

	options  site.Options      // of the last valid settings
	memories map[string]Memory // by location of the ledger
	day      sitemap.Date      // date when the settings were last applied
	reads    digests           // hashes of the files that the settings depend on
	batches  Batches
	wants    func(dir, file string) bool // reports whether a file of a flat folder matters
	flat     paths                       // folders in which only single files matter
	commits  paths                       // files that git's answers depend on

	facts     *facts.Set // nil if all files must be read
	git       *git.Answers
	unwritten bool      // the last build could not write its files
	begun     bool      // a build was written
	folded    time.Time // time of the last decision about the list
	due       time.Time // time at which the list changes without a file change; zero for never
	build     *Build    // the last written build, or a build with new settings
	before    site.List // list of the last build
	own       ownFiles  // written files as sitewalk left them
	sums      digests   // hashes of the written files after the last build, for Exec

	broken  string    // reported error of the settings on disk; "" if the settings are valid
	trouble string    // reported error of the last build
	repairs int       // builds in a row that only restored written files
	edited  time.Time // time of a content change without a page change since; zero for none
	blamed  bool      // the user was told about the generator's server
}

func newSession(o WatchOptions) *session {
	if o.Watch == nil {
		o.Watch = func(w watch.Options) Batches { return watch.New(w) }
	}
	return &session{o: o, memories: map[string]Memory{}, sums: digests{}}
}

// begin resolves the first settings and builds. It returns an error if the settings are
// invalid.
func (s *session) begin(ctx context.Context) error {
	b, err := s.load(ctx)
	s.o.Tell.Settings(b, err)
	if err != nil {
		return err
	}
	s.followSettings(ctx)
	return nil
}

// followSettings builds with new settings, unless they disable the output.
func (s *session) followSettings(ctx context.Context) {
	if skip := s.build.Settings.Skip; skip != "" {
		s.o.Tell.Note("nothing written: " + skip)
		return
	}
	s.rebuild(ctx, facts.Change{})
}

const (
	// maxDelays is the maximum number of batches to wait for while changes continue and a
	// written file is missing. A program is probably deleting the folder, and fails if a new
	// file appears in it.
	maxDelays = 5
	// maxRepairs is the maximum number of repairs in a row without a pause.
	maxRepairs = 5
	// retryDelay is the time between two attempts after an error. A full disk sends no event
	// when it has space again.
	retryDelay = 5 * time.Second
	// clockCheck is the maximum time between two checks of the clock. The clock may be set, and
	// timers stop while a machine sleeps.
	clockCheck = time.Minute
	// unbuiltAfter is the time after which content without a new page is blamed on the
	// generator's server, which may keep pages in memory.
	unbuiltAfter = 10 * time.Second
)

// turn waits for changes and handles them.
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

// next returns the next batch. It waits longer while a program deletes written files.
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

// patience returns the time limit for the next wait.
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

// apply builds if a batch or the time changes the list, or if a written file was changed or
// deleted.
func (s *session) apply(ctx context.Context, b watch.Batch) {
	change := s.changeOf(b)
	s.awaitPages(change)
	commits := b.Rescan || s.names(b, s.commits)
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

// pauseRepairs waits if the spoiled file was restored too often in a row. Another watch may
// write to the same folder.
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

// awaitPages blames the generator's server if content changed and no page changed within
// unbuiltAfter.
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

// changeOf returns the changed files of the site in a batch, without the written files.
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

// rebuild writes the files of a fresh build. It reports each error once.
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
	// Without this collection, the garbage collector runs in the middle of every other rebuild
	// of a large site. Such a rebuild takes 50 % longer.
	runtime.GC()
}

func isMissing(err error) bool {
	_, missing := errors.AsType[*facts.MissingError](err)
	return missing
}

// report reports an error unless it equals *last, and reports whether it did. It updates *last.
func (s *session) report(b *Build, err error, last *string) bool {
	if err.Error() == *last {
		return false
	}
	*last = err.Error()
	s.o.Tell.Trouble(err, b.Findings.Kinds(), !s.begun)
	return true
}

// write reads the changed files, decides about the list, and writes the files.
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

// learn reads the changed files, or all files, and relates the facts.
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

// relate relates the facts. It queries git only for missing answers.
func (s *session) relate(ctx context.Context) (*site.World, error) {
	o := s.options
	o.Now, o.Git.Known = s.clock(), s.git
	world, err := site.Relate(ctx, s.facts, o)
	if err == nil {
		s.git = world.Git
	}
	return world, err
}

// put writes the files unless too much would be lost, and records their state. It compares the
// first build with the sitemap of an earlier run.
func (s *session) put(ctx context.Context, b *Build) error {
	err := b.Enough()
	if err == nil && !s.begun {
		err = b.Guard(ctx)
	}
	if err != nil {
		return err
	}
	err = b.Write(ctx)
	s.memories[b.Settings.LedgerFrom], s.options.Ledger = b.Memory, b.Memory.Ledger // another build may have changed the ledger
	s.own = s.own.with(b, err == nil)
	s.reads.accept(s.own)
	s.unwritten = err != nil
	return err
}

// announce reports the changes of a build, and runs the user's command.
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

// isNewDay reports whether the date has changed since the settings were last applied. The date
// matters only for a ledger.
func (s *session) isNewDay() bool { return s.build.Result.Ledger != nil && s.today() != s.day }

func (s *session) today() sitemap.Date {
	return sitemap.DayOf(s.clock().In(s.build.Settings.Site.Zone))
}

// clock returns the time that a fresh build would use.
func (s *session) clock() time.Time {
	if s.o.Input.Getenv("SOURCE_DATE_EPOCH") != "" {
		return s.build.Settings.Site.Now
	}
	return s.o.Now()
}

// isOutdated reports whether the time alone may change the list: a due time has passed, or the
// clock was set back.
func (s *session) isOutdated() bool {
	now := s.clock()
	return now.Before(s.folded) || !s.due.IsZero() && !now.Before(s.due)
}
