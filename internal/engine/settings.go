package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/watch"
)

// reload applies the settings on disk if they are valid. On a new day, the last ledger becomes
// the memory, so a page that changed yesterday keeps yesterday's date.
func (s *session) reload(ctx context.Context) {
	if s.isNewDay() {
		m := s.build.Memory
		m.Ledger = s.build.Result.Ledger
		s.memories[s.build.Settings.LedgerFrom] = m
	}
	b, err := s.load(ctx)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		s.report(b, fmt.Errorf("%w; the last good settings stay", err), &s.broken)
	default:
		s.broken = ""
	}
}

// load applies the settings on disk. It reads the settings again if their files change
// meanwhile or before they are watched.
func (s *session) load(ctx context.Context) (*Build, error) {
	for {
		b := New(s.o.Build)
		in := s.o.Input
		in.Now, in.Watch, in.Skips = s.o.Now(), true, true
		err := b.Resolve(in)
		b.Settings.Reads = append(b.Settings.Reads, targets(b.Settings.Reads)...)
		before := s.reads
		if s.reads = digestsOf(b.Settings.Reads); !maps.Equal(before, s.reads) && ctx.Err() == nil {
			continue
		}
		var o site.Options
		if err == nil {
			o, err = s.siteOptions(ctx, b)
		}
		if err != nil {
			return b, err
		}
		s.adopt(b, o)
		if !s.reads.haveChanged() {
			return b, nil
		}
	}
}

// siteOptions returns the options of valid settings, or the reason why watch cannot use the
// settings. It reads each ledger only once.
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

// targets returns the targets of the symbolic links among files, including intermediate links.
func targets(files []string) (all []string) {
	const maxLinks = 40 // the limit of Linux; see path_resolution(7)
	for _, name := range files {
		for range maxLinks {
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

// Names of the site's trees in batches. Other trees have the names of their folders.
const (
	pagesTree   = "pages"
	contentTree = "content"
)

// adopt applies new settings. It starts to watch before it reads any file.
func (s *session) adopt(b *Build, o site.Options) {
	if s.batches != nil {
		_ = s.batches.Close()
	}
	w := watch.Options{Quiet: s.o.Quiet, Poll: s.o.Poll}
	var others []string // other files and folders whose changes matter
	if b.Settings.LedgerTo != "" {
		others = append(others, b.Settings.LedgerTo)
	}
	for i, t := range []*facts.Tree{o.Pages, o.Content} {
		if t != nil {
			w.Trees = append(w.Trees, watch.Tree{Dir: t.Dir, Name: []string{pagesTree, contentTree}[i], Enters: t.Filter.Enters})
			others = append(others, t.Dir) // the folder itself may be created or removed
		}
	}
	outputs, histories := outputs(b.Settings), histories(o)
	s.commits = pathsOf(histories)
	s.wants = func(dir, file string) bool {
		_, decides := s.reads[file]
		return decides || s.commits.has(file) || slices.Contains(others, file) || slices.Contains(outputs, dir)
	}
	s.flat = pathsOf(outputs)
	for _, name := range slices.Concat(b.Settings.Reads, histories, others) {
		s.flat[filepath.Dir(name)] = true
	}
	for _, dir := range slices.Sorted(maps.Keys(s.flat)) {
		w.Trees = append(w.Trees, s.flatTree(dir))
	}
	s.batches = s.o.Watch(w)
	s.build, s.options, s.facts, s.git = b, o, nil, &git.Answers{}
	s.day, s.due, s.folded, s.unwritten = s.today(), time.Time{}, time.Time{}, false
}

// flatTree returns a tree without subfolders, in which only settings and written files matter.
// A log in the project folder must not delay a build.
func (s *session) flatTree(dir string) watch.Tree {
	return watch.Tree{Dir: dir, Flat: true, Wants: func(name string) bool { return s.wants(dir, filepath.Join(dir, name)) }}
}

// outputs returns the folders of the written files, except the ledger.
func outputs(c *config.Settings) []string {
	o := c.Writer
	dirs := []string{o.Dir}
	for _, name := range []string{o.Name, o.Page} {
		dirs = append(dirs, filepath.Join(o.Dir, filepath.Dir(filepath.FromSlash(name)))) // Dir if name is ""
	}
	for _, p := range c.Parts {
		dirs = append(dirs, p.Dir)
	}
	return dirs
}

// names reports whether a batch contains one of the files, outside of the site's trees.
func (s *session) names(b watch.Batch, files paths) bool {
	for dir := range s.flat {
		if slices.ContainsFunc(b.Paths[dir], func(p string) bool { return files.has(filepath.Join(dir, p)) }) {
			return true
		}
	}
	return false
}
