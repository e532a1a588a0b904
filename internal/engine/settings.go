package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/gitdates"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/watch"
)

// reload makes the settings on disk those of the session, or finds out what is wrong
// with them. On a new day a page that changed yesterday keeps that day: what was
// remembered then is the memory.
func (s *session) reload(ctx context.Context) {
	if s.newDay() {
		m := s.build.Memory
		m.Ledger = s.build.Result.Ledger
		s.memories[s.build.Settings.LedgerFrom] = m
	}
	e, batches := loaded{batch: s.batch}, s.batches
	if err := s.load(ctx); err != nil {
		s.wrong = fmt.Errorf("%w; the last good settings stay", err)
		e.trouble, e.replaced = s.wrong.Error(), s.batches != batches
	}
	if e.skip = s.build.Settings.Skip; ctx.Err() == nil {
		s.handle(ctx, e)
	}
}

// load adopts the settings on disk. What decides may change while they are read, and
// until the watch for it has begun.
func (s *session) load(ctx context.Context) error {
	for {
		r := New(s.o.Build)
		in := s.o.Input
		in.Now, in.Watch, in.Skips = s.o.Now(), true, true
		err := r.Resolve(ctx, in)
		r.Settings.Reads = append(r.Settings.Reads, targets(r.Settings.Reads)...)
		before := s.reads
		if s.reads = digestsOf(r.Settings.Reads); !maps.Equal(before, s.reads) && ctx.Err() == nil {
			continue
		}
		var o site.Options
		if err == nil {
			o, err = s.siteOptions(ctx, r)
		}
		if s.tried = r; err != nil {
			return err
		}
		s.adopt(r, o)
		if !s.reads.any() {
			return nil
		}
	}
}

// siteOptions returns the options of good settings, or says why watch cannot follow them.
// A ledger is read when it is first named, and stays as it was then.
func (s *session) siteOptions(ctx context.Context, r *Build) (site.Options, error) {
	r.Memory = s.memories[r.Settings.LedgerFrom]
	o, err := r.Options(ctx)
	o.Remember, s.memories[r.Settings.LedgerFrom] = true, r.Memory
	switch {
	case err != nil:
		return o, err
	case r.Settings.Stdout:
		return o, errors.New("watch cannot print the sitemap; name a folder with -o")
	case r.Settings.Writer.Dir == "":
		return o, errors.New("there is no publish directory to write into; name a folder with -o")
	}
	return o, nil
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

// The trees of a batch whose files are pages and content files. The others are
// called by their folders.
const (
	pagesTree   = "pages"
	contentTree = "content"
)

// adopt makes the settings those of the session. The watch begins before
// anything is read, so that no change falls between.
func (s *session) adopt(r *Build, o site.Options) {
	if s.batches != nil {
		_ = s.batches.Close()
	}
	w := watch.Options{Quiet: s.o.Quiet, Poll: s.o.Poll}
	var others []string // further files and folders that matter
	if r.Settings.LedgerTo != "" {
		others = append(others, r.Settings.LedgerTo)
	}
	for i, t := range []*facts.Tree{o.Pages, o.Content} {
		if t != nil {
			w.Trees = append(w.Trees, watch.Tree{Dir: t.Dir, Name: []string{pagesTree, contentTree}[i], Enters: t.Filter.Enters})
			others = append(others, t.Dir) // where it comes and goes
		}
	}
	outputs, histories := outputs(r.Settings), histories(o)
	s.commits = pathsOf(histories)
	s.wants = func(dir, file string) bool {
		_, decides := s.reads[file]
		return decides || s.commits.has(file) || slices.Contains(others, file) || slices.Contains(outputs, dir)
	}
	s.flat = pathsOf(outputs)
	for _, name := range slices.Concat(r.Settings.Reads, histories, others) {
		s.flat[filepath.Dir(name)] = true
	}
	for _, dir := range slices.Sorted(maps.Keys(s.flat)) {
		w.Trees = append(w.Trees, s.flatTree(dir))
	}
	s.batches = s.o.Watch(w)
	s.build, s.options, s.facts, s.git, s.day = r, o, nil, &gitdates.Answers{}, s.today(r)
}

// flatTree is a folder of which only what decides and what is written matters: a
// log in the project's folder must not keep a rebuild waiting for quiet.
func (s *session) flatTree(dir string) watch.Tree {
	return watch.Tree{Dir: dir, Flat: true, Wants: func(name string) bool { return s.wants(dir, filepath.Join(dir, name)) }}
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

// names reports whether a batch names a file outside the site's trees for which holds
// is true.
func (s *session) names(b watch.Batch, holds func(file string) bool) bool {
	for dir := range s.flat {
		if slices.ContainsFunc(b.Paths[dir], func(p string) bool { return holds(filepath.Join(dir, p)) }) {
			return true
		}
	}
	return false
}
