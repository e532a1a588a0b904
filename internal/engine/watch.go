package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/watch"
	"github.com/sitewalk/sitewalk/writer"
)

// Batches delivers changed files, like watch.Watcher.
type Batches interface {
	// Next returns the next batch, or an empty batch after limit without changes. It returns an
	// error if ctx ends.
	Next(ctx context.Context, limit time.Duration) (watch.Batch, error)
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

// A session is one run of Watch. The system reports changes in the trees of the site. The
// session itself looks at the few other files: settings, git's files and the written files.
type session struct {
	o       WatchOptions
	batches Batches

	build    *Build                    // the last written build, or a build with new settings
	options  site.Options              // of the last valid settings
	ledgers  map[string]*ledger.Ledger // by location
	day      sitemap.Date              // date when the settings were last applied
	settings digests                   // the files that the settings depend on
	gitFiles map[string]stamp          // the files that git's answers depend on

	facts  *facts.Set // nil if all files must be read
	git    *git.Answers
	begun  bool      // a build was written
	folded time.Time // time of the last decision about the list
	due    time.Time // time at which the list changes without a file change; zero for never
	listed site.List // list of the last build
	own    ownFiles  // written files as sitewalk left them
	sums   digests   // the written files after the last build, for Exec

	retry    time.Time // time of the next attempt after an error; zero after a success
	broken   string    // reported error of the settings on disk; "" if the settings are valid
	trouble  string    // reported error of the last build
	restored time.Time // time of the last build that only restored written files
	delays   int       // delayed batches in a row
	edited   time.Time // time of a content change without a page change since; zero for none
	blamed   bool      // the user was told about the generator's server
}

func newSession(o WatchOptions) *session {
	if o.Watch == nil {
		o.Watch = func(w watch.Options) Batches { return watch.New(w) }
	}
	return &session{o: o, ledgers: map[string]*ledger.Ledger{}, sums: digests{}}
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
	if skip := s.build.Settings.SkipReason; skip != "" {
		s.o.Tell.Note("nothing written: " + skip)
		return
	}
	s.rebuild(ctx, facts.Change{})
}

const (
	// lookInterval is the time between two looks at the files outside of the trees and at the
	// clock. The clock may be set, and timers stop while a machine sleeps.
	lookInterval = 500 * time.Millisecond
	// retryDelay is the time between two attempts after an error. A full disk sends no event
	// when it has space again.
	retryDelay = 5 * time.Second
	// maxDelays is the maximum number of batches to wait for while changes continue and a
	// written file is missing. A program is probably deleting the folder, and fails if a new
	// file appears in it.
	maxDelays = 4
	// unbuiltAfter is the time after which content without a new page is blamed on the
	// generator's server, which may keep pages in memory.
	unbuiltAfter = 10 * time.Second
)

// turn waits for changes and handles them.
func (s *session) turn(ctx context.Context) {
	b, err := s.batches.Next(ctx, s.patience())
	if err != nil {
		return
	}
	for _, text := range b.Notes {
		s.o.Tell.Note(text)
	}
	changed := s.settings.haveChanged()
	if changed { // an editor may be writing
		pause(ctx, s.o.Quiet)
	}
	loaded := s.build
	if changed || s.isNewDay() || s.broken != "" && s.isTimeToRetry() {
		s.reload(ctx)
	}
	switch {
	case ctx.Err() != nil, s.build.Settings.SkipReason != "" && s.build == loaded:
	case s.build != loaded:
		s.followSettings(ctx)
	default:
		s.apply(ctx, b)
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// patience returns the time limit for the next wait.
func (s *session) patience() time.Duration {
	limit := lookInterval
	if !s.due.IsZero() {
		limit = min(limit, s.due.Sub(s.clock()))
	}
	return max(limit, time.Millisecond)
}

// apply builds if a batch or the time changes the list, or if a written file was changed or
// deleted.
func (s *session) apply(ctx context.Context, b watch.Batch) {
	change := s.changeOf(b)
	s.awaitPages(change)
	commits := s.gitHasChanged()
	if commits || b.Rescan {
		s.git = s.git.DropResults()
	}
	if b.Rescan || b.Linked && !isEmpty(change) {
		s.facts = nil
	}
	if b.Busy && s.delays < maxDelays && s.own.missing() {
		s.delays++
		s.facts, s.retry = nil, s.o.Now()
		return
	}
	s.delays = 0
	switch {
	case !s.retry.IsZero():
		if b.Rescan || !isEmpty(change) || s.isTimeToRetry() {
			s.rebuild(ctx, change)
		}
	case s.facts == nil, commits, s.isOutdated(), s.facts.Concerns(change), s.build.LinksCopies() && len(change.Pages) > 0:
		s.rebuild(ctx, change)
	case s.mustRestore():
		s.restored = s.o.Now()
		s.rebuild(ctx, change)
	}
}

func isEmpty(c facts.Change) bool { return len(c.Pages)+len(c.Content) == 0 }

func (s *session) isTimeToRetry() bool { return !s.o.Now().Before(s.retry) }

// mustRestore reports whether a written file was changed or deleted. If another program, such
// as a second watch, writes to the same folder, a file is restored once in watch.Ceiling.
func (s *session) mustRestore() bool {
	return s.o.Now().Sub(s.restored).Abs() >= watch.Ceiling && s.own.spoiled()
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
		s.blame(fmt.Sprintf("content changed %v ago, and nothing in %s has; %s", unbuiltAfter, files.DisplayPath(s.o.Build.Dir, c.Site.Pages.Dir), c.Server))
	}
}

// blame prints once why the generator may have built nothing.
func (s *session) blame(server string) {
	if server != "" && !s.blamed {
		s.blamed = true
		s.o.Tell.Note(server)
	}
}

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
	err := s.runBuild(ctx, b, change)
	b.Took = s.o.Now().Sub(start)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		_, missing := errors.AsType[*facts.MissingError](err)
		if s.report(b, err, &s.trouble) && missing && !s.begun {
			s.blame(b.Settings.Server)
		}
	default:
		s.reportBuild(ctx, b)
	}
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

// runBuild reads the changed files, decides about the list, and writes the files. The first build
// is compared with the sitemap of an earlier run.
func (s *session) runBuild(ctx context.Context, b *Build, change facts.Change) error {
	s.retry = s.o.Now().Add(retryDelay)
	world, err := s.readWorld(ctx, change)
	if err != nil {
		s.facts = nil
		return err
	}
	s.folded = s.clock()
	b.Fold(ctx, world, s.folded)
	s.due = b.Result.Next
	if s.begun {
		err = b.CheckEnough()
	} else {
		err = b.Guard(ctx)
	}
	if err != nil { // only a change can help
		s.retry = time.Time{}
		return err
	}
	err = b.Write(ctx)
	s.own = s.own.with(b, err == nil)
	s.settings.accept(s.own)
	if err == nil {
		s.retry = time.Time{}
	}
	return err
}

// readWorld reads the changed files, or all files, and relates the facts.
func (s *session) readWorld(ctx context.Context, change facts.Change) (*site.World, error) {
	var err error
	if s.facts == nil {
		s.git = s.git.DropResults()
		s.facts, err = facts.Learn(ctx, s.options.FactsOptions())
	} else if s.facts, err = s.facts.Again(ctx, change); err == nil {
		s.git = s.git.Without(s.facts.Files(change))
	}
	if err != nil {
		return nil, err
	}
	if len(s.git.Trouble) > 0 {
		s.git = s.git.DropResults()
	}
	return s.relate(ctx)
}

// reportBuild reports the changes of a build, and runs the user's command.
func (s *session) reportBuild(ctx context.Context, b *Build) {
	since := b.compare(s.listed)
	c := Changes{First: !s.begun, Added: since.Added(), Removed: urls(since.Removed), Redated: urls(since.Redated)}
	s.listed, s.build, s.begun, s.trouble = b.Result.List, b, true, ""
	s.o.Tell.Build(b, c)
	s.runExec(ctx, b.Files.Files)
}

func urls(pages []Earlier) (all []string) {
	for _, p := range pages {
		all = append(all, p.URL)
	}
	return all
}

// runExec runs the user's command and waits for it, if the content of a file differs from the
// last build. A restored file does not count: a command that edits written files would
// otherwise run forever.
func (s *session) runExec(ctx context.Context, written []writer.File) {
	if s.o.Exec == "" || !s.haveNewBytes(written) {
		return
	}
	cmd := shell(ctx, s.o.Exec)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.o.Build.Dir, s.o.Output, s.o.Output
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		kill(cmd)
	case err != nil:
		s.o.Tell.Note(fmt.Sprintf("--exec: %v", err))
	}
}

// haveNewBytes reports whether the content of any file changed, and stores the new hashes.
func (s *session) haveNewBytes(written []writer.File) (fresh bool) {
	for _, f := range written {
		name := filepath.Join(s.build.Settings.Writer.Dir, filepath.FromSlash(f.Name))
		now := digestOf(name)
		fresh = fresh || f.State != writer.Unchanged && now.sum != s.sums[name].sum
		s.sums[name] = now
	}
	return fresh
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
