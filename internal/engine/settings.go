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

// reload applies the settings on disk if they are valid. On a new day, the last ledger becomes
// the memory, so a page that changed yesterday keeps yesterday's date.
func (s *session) reload(ctx context.Context) {
	if s.isNewDay() {
		s.ledgers[s.build.Settings.LedgerFrom] = s.build.Result.Ledger
	}
	b, err := s.load(ctx)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		s.retry = s.o.Now().Add(retryDelay)
		s.report(b, fmt.Errorf("%w; the last good settings stay", err), &s.broken)
	default:
		s.broken = ""
	}
}

// load applies the settings on disk. It reads the settings again if their files change
// meanwhile.
func (s *session) load(ctx context.Context) (*Build, error) {
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

// Names of the site's trees in batches.
const (
	pagesTree   = "pages"
	contentTree = "content"
)

// adopt applies valid settings, or returns the reason why watch cannot use them. It starts to
// watch before it reads any file. It reads each ledger only once.
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

// gitHasChanged reports whether a file changed that git's answers depend on.
func (s *session) gitHasChanged() bool {
	return s.gitFiles != nil && !maps.Equal(s.gitFiles, stampsOf(s.gitPaths()))
}

// gitPaths returns the files that git's answers depend on. The repositories of submodules are
// known after git was queried.
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

// relate relates the facts. It queries git only for missing answers.
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
	maps.Copy(s.gitFiles, before) // the next look finds changes since the query
	return world, nil
}
