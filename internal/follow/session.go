package follow

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/internal/build"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/watch"
)

// A session is one run of watch: the last good settings, what was learned of
// the site, and what was written last.
type session struct {
	o        Options
	build    *build.Build
	options  site.Options     // of the last good settings
	facts    *facts.Set       // nil before they are learned
	git      *site.GitAnswers // nil before it was asked
	folded   time.Time        // when the site was folded last
	batches  Batches
	roots    []string                // the folders of pages and of content files
	flat     []string                // folders of which only single files matter; batches call them so
	memories map[string]build.Memory // by where the ledger is read
	day      sitemap.Date            // of the last good settings
	reads    digests                 // of the files that decide
	commits  paths                   // the files that decide what git says
	outputs  []string                // folders that are written into
	ledger   string                  // the file that is written
	own      ownFiles                // as they were left
	sums     digests                 // of those, when a command waits for them to change
	before   site.List               // of the last build

	repairs     int       // of our files, one close after the other
	repaired    time.Time // when the last one was
	waits       int       // batches in a row of which nothing was made
	unsettled   bool      // the settings on disk are broken
	unread      bool      // the site could not be learned
	begun       bool      // there was a build
	unwritten   bool      // it could not be written
	tries       int       // failed attempts in a row
	lastTrouble string    // so that the same trouble is told once

	unbuilt    time.Time // when content changed of which nothing was built since
	serverTold bool      // it was said why that may be
}

func newSession(o Options) *session {
	if o.Watch == nil {
		o.Watch = func(w watch.Options) Batches { return watch.New(w) }
	}
	return &session{o: o, memories: map[string]build.Memory{}, sums: digests{}}
}

func (s *session) failed() bool { return s.unsettled || s.unread || s.unwritten }

// load makes the settings on disk those of the session. What decides may change
// until the watch for it has begun.
func (s *session) load(ctx context.Context) (*build.Build, error) {
	for {
		r, o, err := s.settle(ctx)
		if err != nil {
			return r, err
		}
		s.adopt(r, o)
		if !s.reads.any() {
			return r, nil
		}
	}
}

// settle resolves the settings as they are now. A ledger is read when it is
// first named, and stays as it was then.
func (s *session) settle(ctx context.Context) (*build.Build, site.Options, error) {
	r, err := s.resolve(ctx)
	if err != nil {
		return r, site.Options{}, err
	}
	r.Memory = s.memories[r.Settings.LedgerFrom]
	o, err := r.Options(ctx)
	if err != nil {
		return r, o, err
	}
	s.memories[r.Settings.LedgerFrom] = r.Memory
	o.Remember = true
	return r, o, writable(r.Settings)
}

// resolve resolves the settings until the files that decide stay the same
// meanwhile.
func (s *session) resolve(ctx context.Context) (*build.Build, error) {
	for {
		r := build.New(s.o.Build)
		in := s.o.Input
		in.Now, in.Await = s.o.Now(), true
		err := r.Resolve(ctx, in)
		r.Settings.Reads = append(r.Settings.Reads, targets(r.Settings.Reads)...)
		before := s.reads
		s.reads = digestsOf(r.Settings.Reads)
		if maps.Equal(before, s.reads) || ctx.Err() != nil {
			return r, err
		}
	}
}

// targets returns what the symbolic links among files lead to, link by link.
func targets(files []string) (all []string) {
	const mostLinks = 40 // as many as Linux follows; see path_resolution(7)
	for _, name := range files {
		for range mostLinks {
			to, err := os.Readlink(name)
			if err != nil {
				break
			}
			if !filepath.IsAbs(to) {
				to = filepath.Join(filepath.Dir(name), to)
			}
			name = to
			all = append(all, name)
		}
	}
	return all
}

// writable returns an error when there is no folder to keep a sitemap in.
func writable(c *config.Settings) error {
	switch {
	case c.Stdout:
		return errors.New("watch cannot print the sitemap; name a folder with -o")
	case c.Writer.Dir == "":
		return errors.New("there is no publish directory to write into; name a folder with -o")
	}
	return nil
}

// adopt makes the settings those of the session. The watch begins before
// anything is read, so that no change falls between.
func (s *session) adopt(r *build.Build, o site.Options) {
	if s.batches != nil {
		_ = s.batches.Close()
	}
	histories := histories(o)
	s.flat = flatFolders(r.Settings, histories)
	w := watch.Options{Quiet: s.o.Quiet, Poll: s.o.Poll}
	s.roots = nil
	follow := func(name string, t *facts.Tree) {
		if t != nil {
			s.roots = append(s.roots, t.Dir)
			w.Trees = append(w.Trees, watch.Tree{Dir: t.Dir, Name: name, Enters: t.Filter.Enters})
		}
	}
	follow(pagesTree, o.Pages)
	follow(contentTree, o.Content)
	s.outputs, s.commits = outputs(r.Settings), pathsOf(histories)
	s.ledger = r.Settings.LedgerTo
	for _, dir := range s.flat {
		w.Trees = append(w.Trees, s.flatTree(dir))
	}
	s.batches = s.o.Watch(w)
	s.build, s.options, s.facts, s.git, s.day = r, o, nil, nil, s.today(r)
	s.unread = true
}

// The trees of a batch whose files are pages and content files. The others are
// called by their folders.
const (
	pagesTree   = "pages"
	contentTree = "content"
)

// flatTree is a folder of which only what decides and what is written matters: a
// log in the project's folder must not keep a rebuild waiting for quiet.
func (s *session) flatTree(dir string) watch.Tree {
	return watch.Tree{Dir: dir, Flat: true, Wants: func(name string) bool {
		file := filepath.Join(dir, name)
		_, decides := s.reads[file]
		return decides || s.commits.has(file) || file == s.ledger || slices.Contains(s.outputs, dir) ||
			slices.Contains(s.roots, file)
	}}
}

// flatFolders are those of which only single files matter.
func flatFolders(c *config.Settings, histories []string) []string {
	dirs := outputs(c)
	for _, name := range slices.Concat(c.Reads, histories) {
		dirs = append(dirs, filepath.Dir(name))
	}
	for _, t := range []*facts.Tree{c.Site.Pages, c.Site.Content} {
		if t != nil {
			dirs = append(dirs, filepath.Dir(t.Dir)) // where it comes and goes
		}
	}
	if c.LedgerTo != "" {
		dirs = append(dirs, filepath.Dir(c.LedgerTo))
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// outputs are the folders that are written into, but for the ledger's.
func outputs(c *config.Settings) []string {
	o := c.Writer
	dirs := []string{o.Dir}
	for _, name := range []string{o.Name, o.Page} {
		dirs = append(dirs, filepath.Join(o.Dir, filepath.Dir(filepath.FromSlash(name)))) // of "" it is Dir
	}
	for _, p := range c.Parts {
		dirs = append(dirs, p.Dir)
	}
	return dirs
}

// decides reports whether a file that settings are read from says something
// else now.
func (s *session) decides(b watch.Batch) bool {
	if b.Rescan {
		return s.reads.any()
	}
	return s.names(b, s.reads.differs)
}

// names reports whether a batch names a file of which this holds, besides those
// of the site's trees.
func (s *session) names(b watch.Batch, holds func(file string) bool) bool {
	for _, dir := range s.flat {
		for _, p := range b.Paths[dir] {
			if holds(filepath.Join(dir, p)) {
				return true
			}
		}
	}
	return false
}

// newDay reports whether what changes now is dated by another day. A page that
// changed yesterday keeps that day: what was remembered then is the memory.
func (s *session) newDay() bool {
	l := s.build.Result.Ledger
	if l == nil || s.today(s.build) == s.day {
		return false
	}
	now := s.build.Memory
	now.Ledger = l
	s.memories[s.build.Settings.LedgerFrom] = now
	return true
}

func (s *session) today(r *build.Build) sitemap.Date {
	return sitemap.DayOf(s.clock(r).In(r.Settings.Site.Zone))
}

// clock is the time that a fresh build would have.
func (s *session) clock(r *build.Build) time.Time {
	if s.o.Input.Getenv("SOURCE_DATE_EPOCH") != "" {
		return r.Settings.Site.Now
	}
	return s.o.Now()
}

// change is what a batch says of the site's files, but for our own.
func (s *session) change(b watch.Batch) facts.Change {
	own := func(t *facts.Tree) func(string) bool {
		return func(p string) bool { return s.own.owns(t.Path(p)) }
	}
	return facts.Change{
		Pages:   slices.DeleteFunc(slices.Clone(b.Paths[pagesTree]), own(s.options.Pages)),
		Content: slices.DeleteFunc(slices.Clone(b.Paths[contentTree]), own(s.options.Content)),
	}
}

// reload builds with the settings as they are now. Broken ones are reported,
// and the last good ones stay.
func (s *session) reload(ctx context.Context) (good bool) {
	r, err := s.load(ctx)
	if s.unsettled = err != nil; err != nil {
		if ctx.Err() == nil {
			s.trouble(fmt.Errorf("%w; the last good settings stay", err), r.Findings.Kinds())
		}
		return false
	}
	s.rebuild(ctx, nil)
	return true
}

// rebuild learns what changed, or everything without a change, and writes what
// a fresh build would.
func (s *session) rebuild(ctx context.Context, change *facts.Change) {
	if skip := s.build.Settings.Skip; skip != "" {
		s.o.Tell.Note("nothing written: " + skip)
		return
	}
	start := s.o.Now()
	now := s.build.Again()
	now.Still = s.own.stay()
	world, err := s.learn(ctx, change)
	for err == nil && s.followGit() {
		world, err = s.relate(ctx)
	}
	s.unread = err != nil
	if err == nil {
		s.folded = s.clock(s.build)
		now.Fold(world, s.folded)
		err = s.put(ctx, now)
	}
	now.Took = s.o.Now().Sub(start)
	switch {
	case ctx.Err() != nil, errors.Is(err, errWiped): // a batch tells of it
	case err != nil:
		s.trouble(err, now.Findings.Kinds())
	default:
		s.tries, s.lastTrouble = 0, ""
		s.tell(now)
		s.runExec(ctx, now.Files.Files)
	}
	s.rest()
}

// rest collects the garbage of a rebuild while nobody waits. Else the collector
// would run in the middle of every other rebuild of a large site, which then
// takes half as long again.
func (s *session) rest() { runtime.GC() }

// learn learns what changed, or everything without a change, and relates it.
func (s *session) learn(ctx context.Context, change *facts.Change) (*site.World, error) {
	before := s.facts
	if change == nil {
		set, err := facts.Learn(ctx, s.options.Options)
		if err != nil {
			return nil, err
		}
		s.facts, s.git = set, nil
		return s.relate(ctx)
	}
	set, err := before.Again(ctx, *change)
	if err != nil {
		return nil, err
	}
	s.facts = set
	if s.git != nil {
		s.git = s.git.Without(set.Replaced(before))
	}
	return s.relate(ctx)
}

// relate relates what was learned. Git is asked about what it has not said yet.
func (s *session) relate(ctx context.Context) (*site.World, error) {
	o := s.options
	o.Now, o.Git.Known = s.clock(s.build), s.git
	world, err := site.Relate(ctx, s.facts, o)
	if err == nil {
		s.git = world.Git()
	}
	return world, err
}

// put writes the files and remembers how it left them.
func (s *session) put(ctx context.Context, r *build.Build) error {
	guard := r.Guard // against what was there before
	if s.begun {
		guard = func(context.Context) error { return r.Enough() }
	}
	if err := guard(ctx); err != nil {
		return err
	}
	err := r.Write(ctx)
	s.unwritten = err != nil
	s.memories[r.Settings.LedgerFrom], s.options.Ledger = r.Memory, r.Memory.Ledger // with what another build wrote
	s.own = s.own.with(r, err == nil)
	s.reads.follow(s.own)
	return err
}

// tell says what a build changed.
func (s *session) tell(now *build.Build) {
	c := Changes{First: !s.begun}
	c.Added, c.Removed, c.Redated = now.Result.List.Compare(s.before)
	s.before, s.build, s.begun = now.Result.List, now, true
	s.o.Tell.Build(now, c)
}

// trouble says once what is wrong; the loop goes on.
func (s *session) trouble(err error, findings []diag.Kind) {
	s.tries = min(s.tries+1, 10)
	if s.lastTrouble == err.Error() {
		return
	}
	s.lastTrouble, s.tries = err.Error(), 0
	s.o.Tell.Trouble(err, findings, !s.begun)
	if _, missing := errors.AsType[*facts.MissingError](err); missing && !s.begun {
		s.tellServer("")
	}
}
