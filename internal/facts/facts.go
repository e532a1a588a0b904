// Package facts reads what each file of a site says, on its own.
//
// A fact depends on one file and on nothing else, so it stays true until that file
// changes. What the package returns is a value: it is never changed, neither by the
// package nor by its callers. It refuses to put two files together.
package facts

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/internal/glob"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/walker"
)

// A Tree is a folder of files that are pages or that speak for pages.
type Tree struct {
	Files  walker.Tree
	Filter *walker.Filter
	Name   string // the folder as the user would type it, for findings; "" is the working directory
	Dir    string // its path for the operating system; "" when it has none, and then git says nothing
}

// Path returns the path of a file for the operating system.
func (t *Tree) Path(file string) string { return filepath.Join(t.Dir, filepath.FromSlash(file)) }

// Show returns a file's path as the user would type it.
func (t *Tree) Show(file string) string { return path.Join(t.Name, file) }

// FileOf is the inverse of Show. It returns name and ok = false if name is not in
// the tree.
func (t *Tree) FileOf(name string) (file string, ok bool) {
	return strings.CutPrefix(name, strings.TrimSuffix(t.Show("file"), "file"))
}

// Visit is walker.Tree's for the files that the filter selects.
func (t *Tree) Visit(ctx context.Context, p string, visit func(*walker.File)) (bool, diag.List, error) {
	return t.Files.Visit(ctx, walker.Options{Filter: t.Filter}, p, visit)
}

// VisitFile visits a file of the folder, selected by the filter or not, and reports whether
// it is there.
func (t *Tree) VisitFile(ctx context.Context, file string, visit func(*walker.File)) bool {
	only, err := walker.NewFilter([]string{glob.Quote(file)}, nil)
	if err != nil {
		return false
	}
	there, _, _ := t.Files.Visit(ctx, walker.Options{Filter: only}, file, visit)
	return there
}

// A Part is a folder of the publish directory that is served as a site of its
// own: a domain for each language, say.
type Part struct {
	Dir   string // below the publish directory, slash-separated; "" is the site itself
	Base  mapping.Base
	Style mapping.Style
}

// Below returns a file's path in the part's folder.
func (p *Part) Below(file string) (string, bool) {
	if p.Dir == "" {
		return file, true
	}
	return strings.CutPrefix(file, p.Dir+"/")
}

// Parts are the site itself, as part 0, and the parts within it.
type Parts []Part

// Parts returns those of the options.
func (o *Options) Parts() Parts {
	return append(Parts{{Base: o.Base, Style: o.Style}}, o.Sites...)
}

// Of returns the part that a file belongs to, the one with the longest folder,
// and the file's path in it.
func (ps Parts) Of(file string) (part uint8, below string) {
	below = file
	for i := 1; i < len(ps); i++ {
		p := &ps[i]
		if rest, in := p.Below(file); in && (part == 0 || len(p.Dir) > len(ps[part].Dir)) {
			part, below = uint8(i), rest
		}
	}
	return part, below
}

// Owns reports whether a URL is below the base URL of one of the parts.
func (ps Parts) Owns(loc string) bool {
	return slices.ContainsFunc(ps, func(p Part) bool { return strings.HasPrefix(loc, p.Base.String()) })
}

// Folder returns the folder of the part with the longest base URL that a URL is below; "" is
// that of the site itself, or none.
func (ps Parts) Folder(loc string) (dir string) {
	longest := 0
	for _, p := range ps {
		if base := p.Base.String(); len(base) > longest && strings.HasPrefix(loc, base) {
			dir, longest = p.Dir, len(base)
		}
	}
	return dir
}

// Hosting returns the part on whose host a URL is; ok is false when it is on none.
func (ps Parts) Hosting(loc string) (part uint8, ok bool) {
	for i := range ps {
		if ps[i].Base.SameHost(loc) {
			return uint8(i), true
		}
	}
	return 0, false
}

// Options say what to read and what of it matters.
type Options struct {
	Pages   *Tree // the built output
	Content *Tree // the content files that speak for its pages

	Base  mapping.Base
	Style mapping.Style
	Sites []Part // folders that are sites of their own, at most 255

	Front frontmatter.Options
	Page  page.Options

	LastMod    []string // names of sources of dates, the first that speaks wins; an mtime is read only if it may win
	QuietMTime string   // why mtime is silent for all files; "" when it may speak

	Jobs int // 0: right for this machine

	// OwnPage is the name of the page for people, below each part's folder; what
	// an earlier run wrote there is not listed.
	OwnPage string
	// Remember makes facts hold what went wrong with their file, so that Again can
	// forget it.
	Remember bool
	// Findings is how many findings of one code are kept, as in diag.Report.
	Findings int
	// Progress is called with the number of files of a tree that were read so
	// far, and how many it has, 0 before that is known. It is called now and then,
	// from several goroutines.
	Progress func(files, total int)
	// Bodies, if not nil, is called with each page as it is read, from several
	// goroutines, each with its own number below walker.Workers. Pages are read
	// whole then.
	Bodies func(worker int, b Body)
}

// A Body is all bytes of a page. Src is valid for the call only.
type Body struct {
	File string // in the pages tree
	Loc  string // the URL of the file alone; "" when it has none
	Src  []byte
}
