package facts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/walker"
)

// A Set is what all files of a site say, each on its own. It is never changed: its
// fields are for reading.
type Set struct {
	o        Options
	Parts    Parts        // that Page.Part counts
	Pages    []*Page      // sorted by file
	Contents []*Content   // sorted by file
	Findings *diag.Report // what went wrong with files, but for what facts remember
	Listing  diag.List    // what went wrong while listing the trees

	editLinks, linkPaths *bodyCache
}

// Learn reads the whole site. What is wrong with single files is part of the
// set, and of the findings of each fold; an error means that a tree could not be
// listed at all or that ctx ended.
func Learn(ctx context.Context, o Options) (*Set, error) {
	o.Page.EditLinks = false // first find out which pages need it
	o.Front.NoSummary = !o.Page.Titles
	o.Front.NoTitle = !o.Page.Titles && !o.Front.Titles
	s := &Set{o: o, Parts: o.Parts(), Findings: &diag.Report{Keep: o.Findings}, editLinks: new(bodyCache), linkPaths: new(bodyCache)}
	if o.Content != nil {
		if err := s.learnContent(ctx); err != nil {
			return nil, err
		}
	}
	if o.Pages != nil {
		if err := s.learnPages(ctx); err != nil {
			return nil, err
		}
	}
	sortPages(s.Pages)
	sortContents(s.Contents)
	return s, nil
}

func (s *Set) learnPages(ctx context.Context) error {
	o := s.o.walkOptions(s.o.Pages)
	o.Others, o.Before = s.o.Others, s.o.Base.String()
	ls, all, large := make([]*learner, walker.Workers(o)), newAltPool(), new(large)
	p, end := s.o.newProgress(ctx, s.o.Pages, o)
	ds, err := s.o.Pages.Files.Walk(ctx, o, func(w int, f *walker.File) {
		if ls[w] == nil { // most workers are never needed
			ls[w] = s.newLearner(!s.o.Remember)
			ls[w].number, ls[w].shared, ls[w].whole.large = w, all, large
		}
		ls[w].page(f)
		p.done(w)
	})
	end()
	if err != nil {
		return walkError(s.o.Pages, err)
	}
	s.Listing = append(s.Listing, inTree(s.o.Pages, "", ds)...)
	s.Pages = make([]*Page, 0, p.count())
	for _, l := range ls {
		if l != nil {
			s.Pages = append(s.Pages, l.pages...)
		}
	}
	return nil
}

func (s *Set) learnContent(ctx context.Context) error {
	o := s.o.walkOptions(s.o.Content)
	ls := make([]*contentLearner, walker.Workers(o))
	p, end := s.o.newProgress(ctx, s.o.Content, o)
	ds, err := s.o.Content.Files.Walk(ctx, o, func(w int, f *walker.File) {
		if ls[w] == nil { // most workers are never needed
			ls[w] = s.newContentLearner()
		}
		ls[w].source(f)
		p.done(w)
	})
	end()
	if err != nil {
		return walkError(s.o.Content, err)
	}
	s.Listing = append(s.Listing, inTree(s.o.Content, "", ds)...)
	s.Contents = make([]*Content, 0, p.count())
	for _, l := range ls {
		if l != nil {
			s.Contents = append(s.Contents, l.contents...)
		}
	}
	return nil
}

func (o *Options) walkOptions(t *Tree) walker.Options {
	return walker.Options{Filter: t.Filter, Jobs: o.Jobs}
}

// inTree gives findings that name no file, or a file below the tree, the name
// that the user would type.
func inTree(t *Tree, file string, ds diag.List) diag.List {
	for i := range ds {
		if ds[i].Pos.File == "" {
			ds[i].Pos.File = file
		}
		ds[i].Pos.File = t.Show(ds[i].Pos.File)
	}
	return ds
}

func walkError(t *Tree, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &MissingError{cmp.Or(t.Name, ".")}
	}
	return fmt.Errorf("%s: %w", cmp.Or(t.Name, "."), err)
}

// A MissingError says that the folder of a tree is not there, as the user would
// type it.
type MissingError struct{ Dir string }

// Error names the folder and the next step.
func (e *MissingError) Error() string {
	return e.Dir + " does not exist; build the site first, or name the folder that holds the built site"
}

// unreadable is the finding for a file that is there and cannot be read.
func unreadable(err error) diag.List {
	var ds diag.List
	ds.Errorf(diag.Pos{}, "unreadable", "give the file's owner or group the right to read it, or exclude it", "%v; the page is left out", diag.Cause(err))
	return ds
}
