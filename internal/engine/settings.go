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

// reload replaces the settings by those on disk if these are valid. Otherwise it reports the error,
// and the old settings remain. On a new day, the ledger of the last build becomes the earlier
// ledger, so that a page that changed yesterday keeps yesterday's date.
func (s *session) reload(ctx context.Context) {
	if s.isNewDay() {
		s.ledgers[s.build.Settings.LedgerFrom] = s.build.Result.Ledger
	}
	b, err := s.loadSettings(ctx)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		s.retry = s.o.Now().Add(retryDelay)
		s.report(b, fmt.Errorf("%w; the last good settings stay", err), &s.broken)
	default:
		s.broken = ""
	}
}

// loadSettings resolves the settings on disk and applies them to s. If a settings file changes
// meanwhile, it starts again.
func (s *session) loadSettings(ctx context.Context) (*Build, error) {
	for {
		b := New(s.o.Build)
		in := s.o.Input
		in.Now, in.Watch, in.SkipsPreviews = s.o.Now(), true, true
		err := b.Resolve(in)
		before := s.settings
		if s.settings = digestsOf(b.Settings.ReadFiles); !before.equal(s.settings) && ctx.Err() == nil {
			continue
		}
		if err == nil {
			err = s.adopt(ctx, b)
		}
		if err != nil || !s.settings.haveChanged() {
			return b, err
		}
	}
}

const (
	pagesTree   = "pages"   // name of the tree of the publish directory in watch batches
	contentTree = "content" // name of the tree of content files in watch batches
)

// adopt applies the settings of b to s, or returns an error if watch cannot use them. It starts to
// watch before any file is read, so no change is missed. Each ledger is read only once per session.
func (s *session) adopt(ctx context.Context, b *Build) error {
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

// gitHasChanged reports whether the state of a git repository has changed since the last query, for
// example by a commit, so that dates from git may be different.
func (s *session) gitHasChanged() bool {
	return s.gitFiles != nil && !maps.Equal(s.gitFiles, stampsOf(s.gitPaths()))
}

// gitPaths returns the files that the dates from git depend on, or nil if git is not a source of
// dates. Repositories of submodules are included after the first query of git.
func (s *session) gitPaths() (paths []string) {
	if !site.AnySourceNeeds(site.NeedsGit, s.options.LastMod...) {
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

// relate computes the site from the facts in its files. It queries git only for dates that are not
// yet known.
func (s *session) relate(ctx context.Context) (*site.World, error) {
	before := stampsOf(s.gitPaths())
	o := s.options
	o.Now, o.Git.Known = s.clock(), s.git
	world, err := site.Relate(ctx, s.facts, o)
	if err != nil {
		return nil, err
	}
	s.git = world.Git
	s.gitFiles = stampsOf(s.gitPaths())
	maps.Copy(s.gitFiles, before) // keep the earlier stamps to notice changes during the query
	return world, nil
}
