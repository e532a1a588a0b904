package facts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
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
	return s, nil
}

func (s *Set) learnPages(ctx context.Context) error {
	all, large := new(altPool), new(large)
	ls, err := readTree(ctx, s, s.o.Pages, walker.Options{Others: s.o.Others, Before: s.o.Base.String()}, func(w int) *learner {
		l := s.newLearner(!s.o.Remember)
		l.number, l.shared, l.whole.large = w, all, large
		return l
	}, (*learner).page)
	lists := make([][]*Page, len(ls))
	for i, l := range ls {
		lists[i] = l.pages
	}
	s.Pages = slices.Concat(lists...)
	byFile(s.Pages, pageFile)
	return err
}

func (s *Set) learnContent(ctx context.Context) error {
	ls, err := readTree(ctx, s, s.o.Content, walker.Options{}, func(int) *contentLearner { return s.newContentLearner() }, (*contentLearner).source)
	lists := make([][]*Content, len(ls))
	for i, l := range ls {
		lists[i] = l.contents
	}
	s.Contents = slices.Concat(lists...)
	byFile(s.Contents, contentFile)
	return err
}

// readTree reads the files of a tree, those of each worker by a learner of its own.
func readTree[L any](
	ctx context.Context, s *Set, t *Tree, o walker.Options, newLearner func(worker int) *L, read func(*L, *walker.File),
) (ls []*L, err error) {
	o.Filter, o.Jobs = t.Filter, s.o.Jobs
	ls = make([]*L, walker.Workers(o))
	visit := func(w int, f *walker.File) {
		if ls[w] == nil { // most workers are never needed
			ls[w] = newLearner(w)
		}
		read(ls[w], f)
	}
	walk := visit
	if s.o.Progress != nil {
		p, end := s.o.newProgress(ctx, t, o)
		defer end()
		walk = func(w int, f *walker.File) {
			visit(w, f)
			p.done()
		}
	}
	ds, err := t.Files.Walk(ctx, o, walk)
	if err != nil {
		return nil, walkError(t, err)
	}
	s.Listing = append(s.Listing, inTree(t, "", ds)...)
	return slices.DeleteFunc(ls, func(l *L) bool { return l == nil }), nil
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
