package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/watch"
)

// reloadSettings replaces the settings by those on disk, if these are valid. Otherwise it reports
// the error and keeps the old settings. If a new day has begun, the ledger of the last build
// becomes the ledger of the session, so that a page that changed yesterday keeps yesterday's date.
func (s *session) reloadSettings(ctx context.Context) {
	if s.isNewDay() {
		s.ledgers[s.build.Settings.LedgerFrom] = s.build.Result.Ledger
	}
	b, err := s.loadSettings(ctx)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		s.retry = s.o.Now().Add(retryDelay)
		s.reportNewError(b, fmt.Errorf("%w; the last good settings stay", err), &s.broken)
	default:
		s.broken = ""
	}
}

// loadSettings resolves the settings on disk and restarts s with them. If a settings file changes
// during this, it starts again.
func (s *session) loadSettings(ctx context.Context) (*Build, error) {
	for {
		b := New(s.o.Build)
		in := s.o.Input
		in.Now, in.Watch, in.SkipsPreviews = s.o.Now(), true, true
		before := readDigests(slices.Collect(maps.Keys(s.settings)))
		err := b.Resolve(in)
		if s.settings = readDigests(b.Settings.ReadFiles); !before.equal(s.settings) && ctx.Err() == nil {
			continue
		}
		if err == nil {
			err = s.restartWith(ctx, b)
		}
		if err != nil || !s.settings.haveFilesChanged() {
			return b, err
		}
	}
}

const (
	pagesTree   = "pages"   // name of the tree of the publish directory in watch batches
	contentTree = "content" // name of the tree of content files in watch batches
)

// restartWith makes b the build of the session. It closes the watch of the earlier build and starts
// a new one before any file is read, so that no change is missed. It returns an error if the
// settings print the sitemap, or if there is no folder to write into. It reads each ledger only
// once per session.
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
	if s.batches != nil {
		_ = s.batches.Close()
	}
	w := watch.Options{Quiet: s.o.Quiet, Poll: s.o.Poll}
	for i, t := range []*facts.Tree{o.Pages, o.Content} {
		if t != nil {
			w.Trees = append(w.Trees, watch.Tree{Dir: t.Dir, Name: []string{pagesTree, contentTree}[i], Enters: t.Filter.Enters})
		}
	}
	s.batches = s.o.Watch(w)
	s.build, s.options, s.facts, s.git, s.gitFiles = b, o, nil, &git.Answers{}, nil
	s.day, s.due, s.folded, s.retry = s.today(), time.Time{}, time.Time{}, time.Time{}
	return nil
}

// gitHasChanged reports whether a git repository has changed since the last query, for example by a
// commit. Dates from git may then be different.
func (s *session) gitHasChanged() bool {
	return s.gitFiles != nil && !maps.Equal(s.gitFiles, readStamps(s.gitStatePaths()))
}

// gitStatePaths returns the files in .git folders that the dates from git depend on. It returns nil
// if git is not a date source. After the first query, it includes the repositories of submodules.
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

// relateSite finds out how the site's files relate to each other, such as the content file and the
// date of each page. It asks git only for dates that are not yet known.
func (s *session) relateSite(ctx context.Context) (*site.World, error) {
	before := readStamps(s.gitStatePaths())
	o := s.options
	o.Now, o.Git.Known = s.buildTime(), s.git
	world, err := site.Relate(ctx, s.facts, o)
	if err != nil {
		return nil, err
	}
	s.git = world.Git
	s.gitFiles = readStamps(s.gitStatePaths())
	maps.Copy(s.gitFiles, before) // keep the earlier stamps to notice changes during the query
	return world, nil
}
