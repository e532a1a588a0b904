package facts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/walker"
)

// A Set contains the facts of all files of a site. It is immutable.
type Set struct {
	o        Options
	Parts    Parts        // the site itself, then the folders that are separate sites; Page.Part is an index in Parts
	Pages    []*Page      // sorted by file
	Contents []*Content   // sorted by file
	Findings *diag.Report // findings about files, except those stored with the facts of a file

	PageListing, ContentListing diag.List // findings from listing the two trees

	editLinks, linkPaths *bodyCache
}

// Learn reads all files of a site. Problems with single files become findings. Learn returns an
// error if a tree cannot be listed, or if ctx ends. The error is a *MissingError if the folder of a
// tree does not exist.
func Learn(ctx context.Context, o Options) (*Set, error) {
	o.Page.EditLinks = false // EditLinks reads edit links on demand
	o.Front.NoSummary = !o.Page.Titles
	o.Front.NoTitle = !o.Page.Titles && !o.Front.TitleInURL
	s := &Set{o: o, Parts: o.Parts(), Findings: &diag.Report{MaxKept: o.MaxKept}, editLinks: new(bodyCache), linkPaths: new(bodyCache)}
	var err error
	if o.Content != nil {
		if s.Contents, err = learnTree(ctx, s, s.contentReader()); err != nil {
			return nil, err
		}
	}
	if o.Pages != nil {
		if s.Pages, err = learnTree(ctx, s, s.pageReader()); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// A treeReader reads the files of one of the two trees of a site, pages or content files.
type treeReader[T any] struct {
	*Tree
	listing *diag.List // findings from listing the tree; a field of Set
	// newRead returns the function with which one worker reads the facts of files. That function
	// returns nil for a file that is not part of the site.
	newRead func() func(*walker.File) *T
	// name returns the path of the file that has the given facts.
	name func(*T) string
}

func (s *Set) pageReader() treeReader[Page] {
	pool := new(altPool)
	return treeReader[Page]{s.o.Pages, &s.PageListing, func() func(*walker.File) *Page {
		l := s.newLearner()
		l.pool = pool
		return l.learnPage
	}, filePathOfPage}
}

func (s *Set) contentReader() treeReader[Content] {
	return treeReader[Content]{s.o.Content, &s.ContentListing, func() func(*walker.File) *Content { return s.newContentLearner().learnContent }, filePathOfContent}
}

// learnTree reads all files of a tree that the filter selects, and returns the facts of each file,
// sorted by file. It adds the findings from listing the tree to reader.listing.
func learnTree[T any](ctx context.Context, s *Set, reader treeReader[T]) ([]*T, error) {
	o := walker.Options{Filter: reader.Filter, Jobs: s.o.Jobs}
	workers := walker.NumWorkers(o)
	read, lists := make([]func(*walker.File) *T, workers), make([][]*T, workers)
	var files atomic.Int64
	ds, err := reader.Files.Walk(ctx, o, func(w int, f *walker.File) {
		if read[w] == nil { // few sites need all workers
			read[w] = reader.newRead()
		}
		if v := read[w](f); v != nil {
			lists[w] = append(lists[w], v)
		}
		if s.o.Progress != nil {
			s.o.Progress(int(files.Add(1)))
		}
	})
	if err != nil {
		return nil, newWalkError(reader.Tree, err)
	}
	*reader.listing = append(*reader.listing, setDisplayNames(reader.Tree, "", ds)...)
	all := slices.Concat(lists...)
	sortByFile(all, reader.name)
	return all, nil
}

// sortByFile sorts list by file path. file returns the file path of an element.
func sortByFile[T any](list []T, file func(T) string) {
	slices.SortFunc(list, func(a, b T) int { return strings.Compare(file(a), file(b)) })
}

func filePathOfPage(p *Page) string { return p.File }

func filePathOfContent(c *Content) string { return c.File }

// setDisplayNames replaces the file of each finding in ds, a path in the tree t, by its display
// name. A finding without a file gets the display name of file. setDisplayNames modifies ds and
// returns it.
func setDisplayNames(t *Tree, file string, ds diag.List) diag.List {
	for i := range ds {
		if ds[i].Pos.File == "" {
			ds[i].Pos.File = file
		}
		ds[i].Pos.File = t.DisplayName(ds[i].Pos.File)
	}
	return ds
}

func newWalkError(t *Tree, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &MissingError{cmp.Or(t.Name, ".")}
	}
	return fmt.Errorf("%s: %w", cmp.Or(t.Name, "."), err)
}

// A MissingError reports that the folder of a tree does not exist. Dir names the folder as the user
// would type it.
type MissingError struct{ Dir string }

// Error returns a message with advice for the user.
func (e *MissingError) Error() string {
	return e.Dir + " does not exist; build the site first, or name the folder of the built site"
}

// newUnreadableFinding returns the finding that a file cannot be read. err is the cause.
func newUnreadableFinding(err error) diag.List {
	return diag.List{diag.Errorf(diag.Pos{}, "unreadable", "give the file's owner or group the right to read it, or exclude it", "%v; the page is left out", diag.Cause(err))}
}

func newInvalidURLFinding(err error) diag.List {
	return diag.List{diag.Warnf(diag.Pos{}, "invalid-url", "rename the file, or exclude it", "%v; the page is left out", err)}
}
