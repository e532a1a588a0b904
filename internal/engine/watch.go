package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/watch"
	"github.com/sitewalk/sitewalk/writer"
)

// Batches delivers batches of changed files. A watch.Watcher implements it.
type Batches interface {
	// Next waits for changes and returns them. If nothing changes within limit, it returns an empty
	// batch. It returns an error if ctx ends.
	Next(ctx context.Context, limit time.Duration) (watch.Batch, error)
	// Close stops watching.
	Close() error
}

// A Teller receives the events of a watch, for example to print them. All calls come from the
// goroutine that called Watch.
type Teller interface {
	// HandleSettings is called once, with the first settings in b. err is not nil if the watch
	// cannot start with these settings.
	HandleSettings(b *Build, err error)
	// HandleBuild is called after the files of b were written. c contains the changes since the
	// previous build.
	HandleBuild(b *Build, c Changes)
	// HandleError is called for an error that differs from the previous error. findings are the
	// findings of the failed build, grouped by code. The files stay as they are until a later build
	// succeeds. first is true before the first successful build.
	HandleError(err error, findings []diag.Kind, first bool)
	// HandleNote is called with a message about the watch itself.
	HandleNote(text string)
}

// Changes contains the URLs that a build added or removed, or whose dates it changed.
type Changes struct {
	First                   bool     // true for the first build
	Added, Removed, Redated []string // sorted URLs
}

// WatchOptions are the options of Watch.
type WatchOptions struct {
	Build Options
	Input config.Input // source of the settings; resolved again when a settings file changes
	// Now returns the current time.
	Now    func() time.Time
	Quiet  time.Duration               // time without changes after which a batch ends, as in watch.Options
	Poll   time.Duration               // interval of polling where the system reports no changes, as in watch.Options
	Watch  func(watch.Options) Batches // starts to watch files; nil means watch.New
	Exec   string                      // shell command to run after each build that changed a file; "" for none
	Output io.Writer                   // receives the output of Exec
	Tell   Teller
}

// Watch builds the site, and builds it again after each change until ctx ends. After each build,
// the files are the same as after a fresh build. Watch returns an error only if it cannot start
// with the first settings.
func Watch(ctx context.Context, o WatchOptions) error {
	s := newSession(o)
	defer s.closeBatches()
	if err := s.loadAndBuild(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	for ctx.Err() == nil {
		s.handleNextBatch(ctx)
	}
	return nil
}

// A session is the state of one call of Watch. It receives changes in the publish directory and in
// the content folder in batches. At regular intervals, it also checks a few other files: settings,
// files of git, and the files that it wrote.
//
// A session is in one of these states:
//
//   - Up to date: the written files belong to the last build, and retryAt is zero. The session builds
//     again if isBuildOutdated or mustRestore returns true.
//   - Failed: buildError is set. The session builds again after a change, and at retryAt unless it is
//     zero.
//   - Delayed: delays is not 0, because a written file is missing while changes continue. The session
//     builds when the changes pause, or after maxDelays batches.
//   - Skipping: the settings have a SkipReason. The session builds nothing until the settings change.
//
// In each state, settingsError may be set. The session then keeps the last valid settings, and
// reads the settings again after a change of their files, and at retryAt.
type session struct {
	o       WatchOptions
	batches Batches

	// The settings.
	build    *Build                    // last written build, or a build that only has new settings
	options  site.Options              // options of the last valid settings
	day      sitemap.Date              // date on which the settings were applied
	ledgers  map[string]*ledger.Ledger // ledgers read so far, by file or URL
	settings digests                   // files that the settings depend on, when loadSettings last read them

	// The site. readWorld sets these fields, and restartWith resets them.
	facts    *facts.Set       // facts of all files; nil if the next build must read all files, not only the changed files
	git      *git.Dates       // dates that git has returned
	gitFiles map[string]stamp // files that the dates from git depend on; nil before the first query with the settings

	// The last list and the files written from it.
	hasBuilt   bool      // at least one build was written
	listedAt   time.Time // build time for which the list was last computed, see buildTime
	nextChange time.Time // time at which the list may change even if no file changes; zero if never
	listed     site.List // list of the last written build
	own        ownFiles  // files that sitewalk wrote
	// writtenDigests contains the digests of the output files after the last build. runExec
	// compares the files with these digests to find out whether their contents have changed.
	writtenDigests digests

	// Errors and delays.
	retryAt       time.Time // time of the next attempt after an error or a delayed build; zero if none is planned
	settingsError string    // last reported error of the settings; "" if they are valid
	buildError    string    // last reported error of a build; "" after a success
	restoredAt    time.Time // time of the last build whose only reason was a changed or deleted written file
	delays        int       // number of batches in a row that did not cause a build, see maxDelays
}

// newSession returns a session before its first build.
func newSession(o WatchOptions) *session {
	if o.Watch == nil {
		o.Watch = func(w watch.Options) Batches { return watch.New(w) }
	}
	return &session{o: o, ledgers: map[string]*ledger.Ledger{}, writtenDigests: digests{}}
}

// loadAndBuild resolves the first settings and builds the site. It returns an error if the session
// cannot start with these settings.
func (s *session) loadAndBuild(ctx context.Context) error {
	b, err := s.loadSettings(ctx)
	s.o.Tell.HandleSettings(b, err)
	if err != nil {
		return err
	}
	s.buildWithNewSettings(ctx)
	return nil
}

// buildWithNewSettings builds the site with new settings. If the settings say to skip this
// deployment, it only sends a note.
func (s *session) buildWithNewSettings(ctx context.Context) {
	if skip := s.build.Settings.SkipReason; skip != "" {
		s.o.Tell.HandleNote("nothing written: " + skip)
		return
	}
	s.rebuild(ctx, facts.Change{})
}

const (
	// lookInterval is the time between two checks of the clock and of the files outside of the
	// watched trees. One long timer is not enough, because timers stop while a machine sleeps, and
	// because the clock may be set.
	lookInterval = 500 * time.Millisecond
	// retryDelay is the time between two attempts after an error. The session must try again
	// because some causes end without an event, for example when a full disk has space again.
	retryDelay = 5 * time.Second
	// maxDelays is the maximum number of batches in a row for which the session does not build
	// because a written file is missing. The generator is then probably deleting the publish
	// directory, and might fail if a new file appeared there.
	maxDelays = 4
)

// handleNextBatch waits for the next batch, or for a short time, and handles all changes that have
// occurred.
func (s *session) handleNextBatch(ctx context.Context) {
	b, err := s.batches.Next(ctx, s.waitLimit())
	if err != nil {
		return
	}
	for _, text := range b.Notes {
		s.o.Tell.HandleNote(text)
	}
	changed := s.settings.haveFilesChanged()
	if changed { // an editor may still be writing the file
		sleep(ctx, s.o.Quiet)
	}
	needsReload := changed || s.isNewDay() || s.settingsError != "" && s.isTimeToRetry()
	reloaded := needsReload && s.reloadSettings(ctx)
	switch {
	case ctx.Err() != nil:
	case reloaded:
		s.buildWithNewSettings(ctx)
	case s.build.Settings.SkipReason == "":
		s.applyBatch(ctx, b)
	}
}

// reloadSettings reads the settings on disk again. If they are valid, it uses them and returns
// true. Otherwise it reports the error, keeps the old settings, sets s.retryAt and returns false.
// If a new day has begun, the ledger of the last build becomes the ledger of the session, so that a
// page that changed yesterday keeps yesterday's date.
func (s *session) reloadSettings(ctx context.Context) (reloaded bool) {
	if s.isNewDay() {
		s.ledgers[s.build.Settings.LedgerFrom] = s.build.Result.Ledger
	}
	b, err := s.loadSettings(ctx)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		s.retryAt = s.o.Now().Add(retryDelay)
		s.reportNewError(b, fmt.Errorf("%w; the last good settings stay", err), &s.settingsError)
	default:
		s.settingsError = ""
	}
	return err == nil
}

// loadSettings resolves the settings on disk and restarts s with them. The returned Build contains
// the settings, even if there is an error.
//
// If a file that the settings depend on changes meanwhile, loadSettings resolves the settings
// again. Only resolved settings tell which files these are. The first call therefore has no earlier
// digests to compare, and resolves the settings twice.
func (s *session) loadSettings(ctx context.Context) (*Build, error) {
	for {
		b := New(s.o.Build)
		in := s.o.Input
		in.Now, in.Watch, in.SkipsPreviews = s.o.Now(), true, true
		before := readDigests(maps.Keys(s.settings))
		err := b.Resolve(in)
		s.settings = readDigests(maps.Keys(b.Settings.ReadFiles))
		switch {
		case !before.equal(s.settings) && ctx.Err() == nil:
			continue
		case err != nil:
			return b, err
		}
		return b, s.restartWith(ctx, b)
	}
}

const (
	pagesTree   = "pages"   // name of the publish directory in watch.Batch.Paths
	contentTree = "content" // name of the content tree in watch.Batch.Paths
)

// restartWith makes b the build of the session. It closes the watch of the earlier build and starts
// a new one before any page or content file is read, so that no change is missed. It reads each
// ledger only once per session. It returns an error if the ledger or a sitemap in --from cannot be
// read, if the settings print the sitemap, or if there is no folder to write into.
func (s *session) restartWith(ctx context.Context, b *Build) error {
	b.Ledger = s.ledgers[b.Settings.LedgerFrom]
	o, err := b.siteOptions(ctx)
	o.Remember, s.ledgers[b.Settings.LedgerFrom] = true, b.Ledger
	switch {
	case err != nil:
		return err
	case b.Settings.Stdout:
		return errors.New("watch cannot print the sitemap; name a folder with -o")
	case b.Settings.Writer.Dir == "":
		return errors.New("there is no publish directory to write into; name a folder with -o")
	}
	s.closeBatches()
	w := watch.Options{Quiet: s.o.Quiet, Poll: s.o.Poll}
	for i, t := range []*facts.Tree{o.Pages, o.Content} {
		if t != nil {
			w.Trees = append(w.Trees, watch.Tree{Dir: t.Dir, Name: []string{pagesTree, contentTree}[i], Enters: t.Filter.Enters})
		}
	}
	s.batches = s.o.Watch(w)
	s.build, s.options, s.facts, s.git, s.gitFiles = b, o, nil, &git.Dates{}, nil
	s.day, s.nextChange, s.listedAt, s.retryAt = s.today(), time.Time{}, time.Time{}, time.Time{}
	return nil
}

// closeBatches stops watching files.
func (s *session) closeBatches() {
	if s.batches != nil {
		_ = s.batches.Close()
	}
}

// gitHasChanged reports whether a git repository has changed, for example by a commit, since
// readWorld last queried git. Dates from git may then be different. now contains the current stamps
// of the files in gitStatePaths. gitHasChanged returns false if git has not been queried with the
// present settings.
func (s *session) gitHasChanged(now map[string]stamp) bool {
	return s.gitFiles != nil && !maps.Equal(s.gitFiles, now)
}

// gitStatePaths returns the files in .git folders that determine the dates from git. It returns nil
// if git is not a date source. The files of submodules are included only after readWorld has
// queried git, because the submodules are not known before.
func (s *session) gitStatePaths() (paths []string) {
	if !slices.Contains(s.options.LastMod, site.SourceGit) {
		return nil
	}
	roots := s.git.Repositories
	for _, t := range []*facts.Tree{s.options.Pages, s.options.Content} {
		if t == nil || t.Dir == "" {
			continue
		}
		if root := git.FindWorkTree(t.Dir); root != "" {
			roots = append(slices.Clip(roots), root)
		}
	}
	for _, root := range roots {
		paths = append(paths, git.StateFiles(root)...)
	}
	return paths
}

// sleep waits for the duration d, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// waitLimit returns how long to wait for the next batch: lookInterval, or the time until
// s.nextChange if that is shorter. The result is at least one millisecond.
func (s *session) waitLimit() time.Duration {
	limit := lookInterval
	if !s.nextChange.IsZero() {
		limit = min(limit, s.nextChange.Sub(s.buildTime()))
	}
	return max(limit, time.Millisecond)
}

// applyBatch builds the site if its files may have to change: because of the batch b, new commits,
// or the time. It also builds the site if a file that sitewalk wrote was changed or deleted, and to
// retry a failed build. It delays the build if such a file is missing while changes continue; see
// maxDelays.
func (s *session) applyBatch(ctx context.Context, b watch.Batch) {
	change := s.foreignChanges(b)
	hasChange := len(change.Pages)+len(change.Content) > 0
	if b.Rescan || b.Linked && hasChange {
		s.facts = nil
	}
	if b.Busy && s.delays < maxDelays && s.own.hasMissingFile() {
		s.delays++
		s.facts, s.retryAt = nil, s.o.Now() // the next batch does not contain change
		return
	}
	s.delays = 0
	isRetry := !s.retryAt.IsZero()
	switch {
	case isRetry && !s.isTimeToRetry() && !b.Rescan && !hasChange:
		return
	case isRetry || s.facts == nil || s.isBuildOutdated(change):
		s.rebuild(ctx, change)
	case s.mustRestore():
		s.restoredAt = s.o.Now()
		s.rebuild(ctx, change)
	}
}

// isBuildOutdated reports whether a new build may write other files than the last build: because of
// change, a change in git, or the time.
func (s *session) isBuildOutdated(change facts.Change) bool {
	return s.facts.IsAffectedBy(change) ||
		s.build.LinksMarkdownCopies() && len(change.Pages) > 0 ||
		s.gitHasChanged(readStamps(s.gitStatePaths())) ||
		s.isListOutdated()
}

// isTimeToRetry reports whether the time of the next attempt after an error has come.
func (s *session) isTimeToRetry() bool { return !s.o.Now().Before(s.retryAt) }

// mustRestore reports whether the site must be built again because a file that sitewalk wrote was
// changed or deleted. For watch.MaxBatchTime after such a build, it returns false. Without this
// pause, two watches that write the same file would react to each other forever.
func (s *session) mustRestore() bool {
	return s.o.Now().Sub(s.restoredAt).Abs() >= watch.MaxBatchTime && s.own.hasChangedFile()
}

// foreignChanges returns the changed files of b that sitewalk itself did not write.
func (s *session) foreignChanges(b watch.Batch) facts.Change {
	theirs := func(name string, t *facts.Tree) []string {
		return slices.DeleteFunc(b.Paths[name], func(p string) bool { return s.own.ownsFile(t.Path(p)) })
	}
	return facts.Change{Pages: theirs(pagesTree, s.options.Pages), Content: theirs(contentTree, s.options.Content)}
}

// rebuild builds the site after change, and writes the same files as a fresh build. It then reports
// the build or its error to the Teller.
func (s *session) rebuild(ctx context.Context, change facts.Change) {
	start := s.o.Now()
	b := s.build.NextBuild()
	err := s.updateFiles(ctx, b, change)
	b.Took = s.o.Now().Sub(start)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		s.reportNewError(b, err, &s.buildError)
	default:
		s.reportBuild(ctx, b)
	}
}

// reportNewError reports err, and stores its text in *last. If *last already contains this text, it
// does nothing.
func (s *session) reportNewError(b *Build, err error, last *string) {
	if err.Error() == *last {
		return
	}
	*last = err.Error()
	s.o.Tell.HandleError(err, b.Findings.Kinds(), !s.hasBuilt)
}

// updateFiles reads the changed files, computes the list, and writes the files of b. Like a fresh
// build, the first build of a session is compared with the existing sitemap. After an error that
// may disappear without a change of a file, such as a full disk, s.retryAt is the time of the next
// attempt. Otherwise s.retryAt is zero.
func (s *session) updateFiles(ctx context.Context, b *Build, change facts.Change) error {
	s.retryAt = s.o.Now().Add(retryDelay)
	world, err := s.readWorld(ctx, change)
	if err != nil {
		s.facts = nil // they may lack change
		return err
	}
	s.listedAt = s.buildTime()
	b.computeResult(world, s.listedAt)
	s.nextChange = b.Result.Next
	if s.hasBuilt {
		err = b.CheckMassProblems()
	} else {
		err = b.CheckLosses(ctx)
	}
	if err != nil { // a retry would not help before a file changes
		s.retryAt = time.Time{}
		return err
	}
	err = b.Write(ctx)
	s.own = s.own.withWritten(b, err == nil)
	s.settings.updateOwnFiles(s.own)
	if err == nil {
		s.retryAt = time.Time{}
	}
	return err
}

// readWorld reads the files in change, or all files if s.facts is nil, and returns the resulting
// site. It queries git only for dates that are not yet known. It queries git for all dates if all
// files are read, if a repository has changed, or if git had trouble before.
func (s *session) readWorld(ctx context.Context, change facts.Change) (*site.World, error) {
	before := readStamps(s.gitStatePaths())
	if s.facts == nil || s.gitHasChanged(before) || len(s.git.Trouble) > 0 {
		s.git = s.git.WithoutResults()
	}
	var err error
	if s.facts == nil {
		s.facts, err = facts.Learn(ctx, s.options.FactsOptions())
	} else if s.facts, err = s.facts.Relearn(ctx, change); err == nil {
		s.git = s.git.WithoutFiles(s.facts.ChangedFiles(change))
	}
	if err != nil {
		return nil, err
	}
	o := s.options
	o.Now, o.Git.Known = s.buildTime(), s.git
	world, err := site.Relate(ctx, s.facts, o)
	if err != nil {
		return nil, err
	}
	s.git = world.Git
	s.gitFiles = readStamps(s.gitStatePaths())
	maps.Copy(s.gitFiles, before) // the earlier stamps reveal changes that were made while git was queried
	return world, nil
}

// reportBuild sends b and the changes since the previous build to the Teller. It then calls
// runExec.
func (s *session) reportBuild(ctx context.Context, b *Build) {
	since := b.diffWith(s.listed)
	c := Changes{First: !s.hasBuilt, Added: since.AddedURLs(), Removed: urlsOf(since.Removed), Redated: urlsOf(since.Redated)}
	s.listed, s.build, s.hasBuilt, s.buildError = b.Result.List, b, true, ""
	s.o.Tell.HandleBuild(b, c)
	s.runExec(ctx, b.Files)
}

// urlsOf returns the URLs of the given entries.
func urlsOf(pages []EarlierEntry) (all []string) {
	for _, p := range pages {
		all = append(all, p.URL)
	}
	return all
}

// runExec runs the user's command and waits for it, if the content of a written file differs from
// its content after the previous build. It does not run the command for a file that was only
// restored. Otherwise, a command that edits written files would run forever.
func (s *session) runExec(ctx context.Context, written []writer.File) {
	if s.o.Exec == "" || !s.haveContentsChanged(written) {
		return
	}
	cmd := newShellCommand(ctx, s.o.Exec)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.o.Build.Dir, s.o.Output, s.o.Output
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		killProcesses(cmd)
	case err != nil:
		s.o.Tell.HandleNote(fmt.Sprintf("--exec: %v", err))
	}
}

// haveContentsChanged reports whether the content of a written file differs from its content after
// the previous build. It stores the new digests in s.writtenDigests.
func (s *session) haveContentsChanged(written []writer.File) (hasChanged bool) {
	for _, f := range written {
		name := filepath.Join(s.build.Settings.Writer.Dir, filepath.FromSlash(f.Name))
		now := readDigest(name)
		hasChanged = hasChanged || f.State != writer.Unchanged && now.sum != s.writtenDigests[name].sum
		s.writtenDigests[name] = now
	}
	return hasChanged
}

// isNewDay reports whether a new day has begun since the settings were applied. Without a ledger,
// it returns false, because only the dates in a ledger depend on the day.
func (s *session) isNewDay() bool { return s.build.Result.Ledger != nil && s.today() != s.day }

// today returns the current date in the time zone of the site.
func (s *session) today() sitemap.Date {
	return sitemap.DayOf(s.buildTime().In(s.build.Settings.Site.Zone))
}

// buildTime returns the time that a fresh build would use: the time in SOURCE_DATE_EPOCH if the
// settings use it, or the current time.
func (s *session) buildTime() time.Time {
	if s.build.Settings.HasFixedClock {
		return s.build.Settings.Site.Now
	}
	return s.o.Now()
}

// isListOutdated reports whether the list may have changed although no file has changed. Either
// s.nextChange has passed, or the clock was set back.
func (s *session) isListOutdated() bool {
	now := s.buildTime()
	return now.Before(s.listedAt) || !s.nextChange.IsZero() && !now.Before(s.nextChange)
}
