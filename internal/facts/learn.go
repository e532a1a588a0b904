package facts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync/atomic"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/walker"
)

// A Set contains the facts of all files of a site. It is immutable.
type Set struct {
	o        Options
	Parts    Parts        // the site and its separate sites; Page.Part is an index in Parts
	Pages    []*Page      // sorted by file
	Contents []*Content   // sorted by file
	Findings *diag.Report // findings about files, except those stored with the facts of a file

	PageListing, ContentListing diag.List // findings from listing the two trees

	editLinks, linkPaths *bodyCache
}

// Learn reads all files of a site. Problems with single files become findings. Learn returns an
// error if a tree cannot be listed, or if ctx ends. The error is a MissingError if the folder of a
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
		l := s.newLearner(!s.o.Remember)
		l.pool = pool
		return l.learnPage
	}, filePathOfPage}
}

func (s *Set) contentReader() treeReader[Content] {
	return treeReader[Content]{s.o.Content, &s.ContentListing, func() func(*walker.File) *Content { return s.newContentLearner().learnContent }, filePathOfContent}
}

// learnTree reads all files of a tree, and returns the facts of each file, sorted by file.
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

// learnPage returns the facts of the page file f. It returns nil for the HTML page that sitewalk
// itself wrote; see Options.SitewalkPage.
func (l *learner) learnPage(f *walker.File) *Page {
	p := new(Page)
	o := &l.s.o
	ds := l.readFile(p, f)
	if _, below := l.s.Parts.FindByFile(p.File); below == o.SitewalkPage && o.IsSitewalkPage(l.reader.FirstBytes()) {
		return nil
	}
	if o.Bodies != nil && p.OwnReason != page.InvalidURL && p.OwnReason != page.Unreadable {
		o.Bodies(Body{p.File, p.FileLoc, l.body})
	}
	switch ds = setDisplayNames(o.Pages, p.File, ds); {
	case len(ds) > 0 && o.Remember:
		p.ensureScarce().Diags = ds
	case len(ds) > 0:
		l.s.Findings.Add(ds...)
	}
	return p
}

// readFile sets *p to the facts of the page file f, and returns the findings about the file. If the
// file itself excludes the page, p.OwnReason is the reason. For example, the file cannot be read, or
// no valid URL follows from its name.
func (l *learner) readFile(p *Page, f *walker.File) diag.List {
	p.File = f.Path
	if err := l.s.Parts.setLocationFromFile(p); err != nil {
		p.OwnReason = page.InvalidURL
		return newInvalidURLFinding(err)
	}
	mayBeTool := page.MayBeToolPage(f.Path)
	var err error
	if l.s.o.Bodies != nil || mayBeTool {
		l.body, err = l.reader.ReadWhole(f, &l.facts)
	} else {
		err = l.reader.ReadHTML(f, &l.facts)
	}
	if err != nil {
		p.OwnReason = page.Unreadable
		return newUnreadableFinding(err)
	}
	head := l.reader.FirstBytes()
	switch content := page.DescribeNonHTML(f.Path, head); {
	case page.IsErrorPage(f.Path, head), slices.Contains(l.s.o.ErrorPages, f.Path):
		p.OwnReason = page.ErrorPage
	case page.IsVerificationFile(f.Path, head):
		p.OwnReason = page.Verification
	case content != "":
		p.OwnReason = page.NotHTML
		l.facts.Skips.Add(page.NotHTML, diag.Pos{}, content)
	case mayBeTool && page.IsToolPage(f.Path, l.body):
		p.OwnReason = page.Tool
	case page.IsFragment(f.Path, head):
		p.OwnReason = page.Fragment
		p.ensureScarce().IsFragmentByName = true
	default:
		l.storeFacts(p)
		if o := l.s.o.MTimes; o == AllMTimes || o == MTimesOfUndated && p.LastMod.IsZero() {
			p.MTime = unixModTime(f)
		}
		return l.facts.Diags
	}
	return nil
}

// NewPage returns a Page with the facts that follow from the name of a file, such as the URL. It
// does not read the file. If no valid URL follows from the name, FileLoc is "", and OwnReason is
// page.InvalidURL.
func (ps Parts) NewPage(file string) (p Page) {
	p.File = file
	if ps.setLocationFromFile(&p) != nil {
		p.OwnReason = page.InvalidURL
	}
	return p
}

// setLocationFromFile sets the part, the URL, the URL path and the ending of the page p, which
// follow from p.File. It returns an error if no valid URL follows.
func (ps Parts) setLocationFromFile(p *Page) error {
	index, below := ps.FindByFile(p.File)
	part := &ps[index]
	urlPath, loc, err := part.Base.FileURL(part.Style, below)
	p.Part, p.Path, p.FileLoc, p.Ending = index, urlPath, loc, part.Style.Ending(below)
	return err
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
