// Package facts reads the facts of each file of a site. The facts of a file depend only on this
// file and on Options, so they remain valid until the file changes. Package site combines the facts
// of several files.
//
// The values that this package returns are immutable. Callers must not modify them.
package facts

import (
	"context"
	"path"
	"path/filepath"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/internal/glob"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/walker"
)

// A Tree is a folder that contains the pages or the content files of a site.
type Tree struct {
	Files  walker.Tree    // the files of the folder
	Filter *walker.Filter // selects the files that belong to the site
	Name   string         // the folder as the user would type it; "" is the working directory
	Dir    string         // operating system path of the folder; "" if its files are not on disk, so that git cannot date them
}

// Path returns the operating system path of a file in the tree.
func (t *Tree) Path(file string) string { return filepath.Join(t.Dir, filepath.FromSlash(file)) }

// DisplayName returns the path of a file in the tree as the user would type it, such as
// "public/a.html" for "a.html" in the tree public.
func (t *Tree) DisplayName(file string) string { return path.Join(t.Name, file) }

// FindByDisplayName is the inverse of DisplayName: in the tree public, it returns "a.html" for
// "public/a.html". If name does not begin with the display name of the tree, it returns name and
// false. In the tree of the working directory, it returns every name and true.
func (t *Tree) FindByDisplayName(name string) (file string, ok bool) {
	return strings.CutPrefix(name, strings.TrimSuffix(t.DisplayName("file"), "file"))
}

// VisitSelectedFile calls visit for the file p if p exists and the filter of the tree selects p.
// found reports whether visit was called. ds contains the findings about p and the folders that
// contain p. It returns an error in the same cases as walker.Tree.Walk.
func (t *Tree) VisitSelectedFile(ctx context.Context, p string, visit func(*walker.File)) (found bool, ds diag.List, err error) {
	return t.Files.VisitFile(ctx, walker.Options{Filter: t.Filter}, p, visit)
}

// VisitFile calls visit for one file, whether the filter selects it or not. It reports whether it
// called visit. It does not call visit for a file that does not exist, or that every walk leaves
// out; see walker.BuiltInExclude.
func (t *Tree) VisitFile(ctx context.Context, file string, visit func(*walker.File)) bool {
	only, err := walker.NewFilter([]string{glob.Quote(file)}, nil)
	if err != nil {
		return false
	}
	there, _, _ := t.Files.VisitFile(ctx, walker.Options{Filter: only}, file, visit)
	return there
}

// A Part is the whole site, or a folder of the publish directory that is served as a separate site,
// such as a domain for each language.
type Part struct {
	Dir   string        // relative to the publish directory, with slashes; "" is the site itself
	Base  mapping.Base  // base URL
	Style mapping.Style // style of the URLs
}

// Below returns the path of file relative to the part's folder. ok is false if file is not in the
// folder.
func (part *Part) Below(file string) (below string, ok bool) {
	if part.Dir == "" {
		return file, true
	}
	return strings.CutPrefix(file, part.Dir+"/")
}

// Parts contains the site itself at index 0, and then the folders that are separate sites.
type Parts []Part

// Parts returns the site itself and the folders in o.Sites as Parts.
func (o *Options) Parts() Parts {
	return append(Parts{{Base: o.Base, Style: o.Style}}, o.Sites...)
}

// FindByFile returns the index of the part to which a file belongs, and the path of the file
// relative to the part's folder. If the folders of several parts contain the file, the part with
// the longest folder name is chosen.
func (ps Parts) FindByFile(file string) (index uint8, below string) {
	below = file
	for i := 1; i < len(ps); i++ {
		part := &ps[i]
		if rest, in := part.Below(file); in && (index == 0 || len(part.Dir) > len(ps[index].Dir)) {
			index, below = uint8(i), rest
		}
	}
	return index, below
}

// FindByURL returns the index of the part whose base URL is a prefix of loc. If the base URLs of
// several parts are prefixes of loc, it returns the part with the longest base URL. If there is no
// such part, index is 0, and ok is false.
func (ps Parts) FindByURL(loc string) (index uint8, ok bool) {
	longest := 0
	for i := range ps {
		if base := ps[i].Base.String(); len(base) > longest && strings.HasPrefix(loc, base) {
			index, longest = uint8(i), len(base)
		}
	}
	return index, longest > 0
}

// ContainsURL reports whether the URL loc is below the base URL of a part.
func (ps Parts) ContainsURL(loc string) bool {
	_, ok := ps.FindByURL(loc)
	return ok
}

// FolderOfURL returns the folder of the part to which the URL loc belongs; see FindByURL. It
// returns "" for the site itself, and for URLs of other sites.
func (ps Parts) FolderOfURL(loc string) string {
	index, _ := ps.FindByURL(loc)
	return ps[index].Dir
}

// FindByHost returns the index of the first part whose base URL has the host of loc. ok is false if
// there is none.
func (ps Parts) FindByHost(loc string) (part uint8, ok bool) {
	for i := range ps {
		if ps[i].Base.HasSameHost(loc) {
			return uint8(i), true
		}
	}
	return 0, false
}

// Options configure Learn.
type Options struct {
	Pages   *Tree // the built pages; nil if the pages follow from Content
	Content *Tree // the content files of the pages; may be nil

	Base  mapping.Base  // base URL of the site
	Style mapping.Style // style of the URLs
	Sites []Part        // folders that are separate sites, at most 255

	Front frontmatter.Options // facts to read from content files
	Page  page.Options        // facts to read from pages

	MTimes MTimes // built pages whose modification times are read

	Jobs int // number of workers; 0 means the default of walker.Options

	// SitewalkPage is the path of the HTML page that sitewalk itself writes for visitors
	// (output.page), relative to the folder of each part. Learn leaves out a file with this path if
	// IsSitewalkPage returns true for the beginning of the file.
	SitewalkPage   string
	IsSitewalkPage func(head []byte) bool
	// ErrorPages are further page files that the host serves for URLs without a file. Files for
	// which page.IsErrorPage returns true need no entry.
	ErrorPages []string
	// If Remember is set, Learn stores findings with the facts of their file, so that Relearn can
	// drop the findings of a changed file.
	Remember bool
	// MaxKept is the maximum number of findings to keep for each code, as in diag.Report.
	MaxKept int
	// Progress, if not nil, is called after each file with the number of files read so far in the
	// pages tree or the content tree. Several goroutines call it, so the numbers may be out of
	// order.
	Progress func(files int)
	// Bodies, if not nil, is called with each page that could be read and has a valid URL, even if
	// its OwnReason excludes it. Pages are then read completely. Several goroutines call Bodies.
	Bodies func(b Body)
}

// MTimes selects the built pages whose modification times are read. Each of these pages needs an
// additional system call.
type MTimes uint8

const (
	NoMTimes        MTimes = iota
	MTimesOfUndated        // pages without a date in their HTML
	AllMTimes
)

// A Body contains the bytes of a page, at most page.MaxBytes+1. Src is valid only during the call
// of Options.Bodies.
type Body struct {
	File string // path in the pages tree
	Loc  string // URL that follows from File
	Src  []byte
}
