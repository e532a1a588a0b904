package site

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sync"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/walker"
)

// Learn reads the whole site anew. What is wrong with single files is part of
// the next Fold's findings; an error means that a tree could not be listed at
// all or that ctx ended.
func (s *Site) Learn(ctx context.Context) error {
	s.said = &diag.Report{Keep: s.o.Findings}
	s.pages, s.sources, s.listing, s.git, s.gitSaid = nil, nil, nil, nil, nil
	if s.o.Content != nil {
		if err := s.learnContent(ctx); err != nil {
			return err
		}
	}
	if s.o.Pages != nil {
		if err := s.learnPages(ctx); err != nil {
			return err
		}
	}
	var sorting sync.WaitGroup
	sorting.Go(func() { sortRecords(s.pages) })
	sortSources(s.sources)
	s.place()
	sorting.Wait()
	return s.relate(ctx, false)
}

// relate does what needs all records, once sources have their places: it makes
// the list of a site that has no pages tree, tells each page its source unless
// they are paired as they were, and asks git about the sources.
func (s *Site) relate(ctx context.Context, paired bool) error {
	s.related = nil
	if s.o.Pages == nil {
		s.pages = s.listSources()
	}
	if !paired {
		s.pair()
	}
	s.mtime = cmp.Or(s.o.QuietMTime, buildStamp(s.pages))
	if err := s.followEdits(ctx); err != nil {
		return err
	}
	if err := s.followLinks(ctx); err != nil {
		return err
	}
	s.spell()
	s.findStamps(ctx)
	if err := s.askGit(ctx); err != nil {
		return err
	}
	s.findDeploys()
	return nil
}

func (s *Site) learnPages(ctx context.Context) error {
	o := s.walkOptions(s.o.Pages)
	ls := make([]*learner, walker.Workers(o))
	for i := range ls {
		ls[i] = s.newLearner(!s.o.Remember)
	}
	p, end := s.newProgress(ctx, s.o.Pages, o)
	ds, err := s.o.Pages.Files.Walk(ctx, o, func(w int, f *walker.File) {
		ls[w].page(f)
		p.done(w)
	})
	end()
	if err != nil {
		return walkError(s.o.Pages, err)
	}
	s.listing = append(s.listing, inTree(s.o.Pages, "", ds)...)
	s.pages = make([]*record, 0, p.count())
	for _, l := range ls {
		s.pages = l.records.appendTo(s.pages)
	}
	return nil
}

func (s *Site) learnContent(ctx context.Context) error {
	o := s.walkOptions(s.o.Content)
	ls := make([]*sourceLearner, walker.Workers(o))
	for i := range ls {
		ls[i] = s.newSourceLearner()
	}
	p, end := s.newProgress(ctx, s.o.Content, o)
	ds, err := s.o.Content.Files.Walk(ctx, o, func(w int, f *walker.File) {
		ls[w].source(f)
		p.done(w)
	})
	end()
	if err != nil {
		return walkError(s.o.Content, err)
	}
	s.listing = append(s.listing, inTree(s.o.Content, "", ds)...)
	s.sources = make([]*source, 0, p.count())
	for _, l := range ls {
		s.sources = l.sources.appendTo(s.sources)
	}
	return nil
}

func (s *Site) walkOptions(t *Tree) walker.Options {
	return walker.Options{Filter: t.Filter, Jobs: s.o.Jobs}
}

// inTree gives findings that name no file, or a file below the tree, the name
// that the user would type.
func inTree(t *Tree, file string, ds diag.List) diag.List {
	for i := range ds {
		if ds[i].Pos.File == "" {
			ds[i].Pos.File = file
		}
		ds[i].Pos.File = path.Join(t.Name, ds[i].Pos.File)
	}
	return ds
}

func walkError(t *Tree, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &MissingError{nameOf(t)}
	}
	return fmt.Errorf("%s: %w", nameOf(t), err)
}

// A MissingError says that the folder of a tree is not there, as the user would
// type it.
type MissingError struct{ Dir string }

// Error names the folder and the next step.
func (e *MissingError) Error() string {
	return e.Dir + " does not exist; build the site first, or name the folder that holds the built site"
}

func nameOf(t *Tree) string {
	if t.Name == "" {
		return "."
	}
	return t.Name
}

// unreadable is the finding for a file that is there and cannot be read.
func unreadable(err error) diag.List {
	var ds diag.List
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	ds.Errorf(diag.Pos{}, "unreadable", "give the file's owner or group the right to read it, or exclude it", "%v; the page is left out", err)
	return ds
}
