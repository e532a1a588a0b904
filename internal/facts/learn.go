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

	PageListing, ContentListing diag.List // what went wrong while listing the trees

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
	var err error
	if o.Content != nil {
		if s.Contents, err = learnAll(ctx, s, s.content()); err != nil {
			return nil, err
		}
	}
	if o.Pages != nil {
		if s.Pages, err = learnAll(ctx, s, s.pages()); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// A half is one of the two trees of a site, and how its files are read.
type half[T any] struct {
	*Tree
	listing *diag.List // what went wrong while it was listed
	walk    walker.Options
	reader  func(worker int) func(*walker.File) *T // for one goroutine; it returns nil for what is not of the site
	name    func(*T) string
}

func (s *Set) pages() half[Page] {
	all, large := new(altPool), new(large)
	return half[Page]{s.o.Pages, &s.PageListing, walker.Options{Before: s.o.Base.String()}, func(worker int) func(*walker.File) *Page {
		l := s.newLearner(!s.o.Remember)
		l.number, l.shared, l.whole.large = worker, all, large
		return l.page
	}, pageFile}
}

func (s *Set) content() half[Content] {
	return half[Content]{s.o.Content, &s.ContentListing, walker.Options{}, func(int) func(*walker.File) *Content { return s.newContentLearner().read }, contentFile}
}

// learnAll reads the files of a tree, and returns what they say, sorted by file.
func learnAll[T any](ctx context.Context, s *Set, h half[T]) ([]*T, error) {
	o := h.walk
	o.Filter, o.Jobs = h.Filter, s.o.Jobs
	workers := walker.Workers(o)
	read, lists := make([]func(*walker.File) *T, workers), make([][]*T, workers)
	visit := func(w int, f *walker.File) {
		if read[w] == nil { // most workers are never needed
			read[w] = h.reader(w)
		}
		if v := read[w](f); v != nil {
			lists[w] = append(lists[w], v)
		}
	}
	walk := visit
	if s.o.Progress != nil {
		p, end := s.o.newProgress(ctx, h.Tree, o)
		defer end()
		walk = func(w int, f *walker.File) {
			visit(w, f)
			p.done()
		}
	}
	ds, err := h.Files.Walk(ctx, o, walk)
	if err != nil {
		return nil, walkError(h.Tree, err)
	}
	*h.listing = append(*h.listing, inTree(h.Tree, "", ds)...)
	all := slices.Concat(lists...)
	byFile(all, h.name)
	return all, nil
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
	return diag.List{diag.Errorf(diag.Pos{}, "unreadable", "give the file's owner or group the right to read it, or exclude it", "%v; the page is left out", diag.Cause(err))}
}
