// Package facts reads the facts of each file of a site. The facts of a file depend on that file
// only, so they stay valid until the file changes.
//
// All results are immutable: neither the package nor its callers modify them. Package site
// combines the facts of several files. The package may change.
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

// A Tree is a folder of pages or of content files.
type Tree struct {
	Files  walker.Tree
	Filter *walker.Filter
	Name   string // the folder as the user would type it; "" is the working directory
	Dir    string // operating system path of the folder; "" if there is none, so git cannot date its files
}

// Path returns the operating system path of a file in the tree.
func (t *Tree) Path(file string) string { return filepath.Join(t.Dir, filepath.FromSlash(file)) }

// Show returns the path of a file as the user would type it.
func (t *Tree) Show(file string) string { return path.Join(t.Name, file) }

// FileOf is the inverse of Show. It returns name and ok = false if name is not in the tree.
func (t *Tree) FileOf(name string) (file string, ok bool) {
	return strings.CutPrefix(name, strings.TrimSuffix(t.Show("file"), "file"))
}

// Visit calls walker.Tree.Visit with the filter of the tree.
func (t *Tree) Visit(ctx context.Context, p string, visit func(*walker.File)) (bool, diag.List, error) {
	return t.Files.Visit(ctx, walker.Options{Filter: t.Filter}, p, visit)
}

// VisitFile calls visit for a file of the folder, even if the filter does not select the file.
// It reports whether the file exists.
func (t *Tree) VisitFile(ctx context.Context, file string, visit func(*walker.File)) bool {
	only, err := walker.NewFilter([]string{glob.Quote(file)}, nil)
	if err != nil {
		return false
	}
	there, _, _ := t.Files.Visit(ctx, walker.Options{Filter: only}, file, visit)
	return there
}

// A Part is a folder of the publish directory that is served as a separate site, such as a
// domain for each language.
type Part struct {
	Dir   string // relative to the publish directory, with slashes; "" is the site itself
	Base  mapping.Base
	Style mapping.Style
}

// Below returns the path of a file relative to the part's folder. It reports false if the file
// is not in the folder.
func (p *Part) Below(file string) (string, bool) {
	if p.Dir == "" {
		return file, true
	}
	return strings.CutPrefix(file, p.Dir+"/")
}

// Parts are the site itself, as part 0, and the separate sites in its folders.
type Parts []Part

// Parts returns the site and its Sites as Parts.
func (o *Options) Parts() Parts {
	return append(Parts{{Base: o.Base, Style: o.Style}}, o.Sites...)
}

// Of returns the part with the longest folder that contains the file, and the path of the file
// in that folder.
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

// Owns reports whether a URL is below the base URL of a part.
func (ps Parts) Owns(loc string) bool {
	return slices.ContainsFunc(ps, func(p Part) bool { return strings.HasPrefix(loc, p.Base.String()) })
}

// Folder returns the folder of the part with the longest base URL that contains loc. It returns
// "" for the site itself and for URLs of other sites.
func (ps Parts) Folder(loc string) (dir string) {
	longest := 0
	for _, p := range ps {
		if base := p.Base.String(); len(base) > longest && strings.HasPrefix(loc, base) {
			dir, longest = p.Dir, len(base)
		}
	}
	return dir
}

// Hosting returns the first part that has the host of loc. ok is false if no part has that
// host.
func (ps Parts) Hosting(loc string) (part uint8, ok bool) {
	for i := range ps {
		if ps[i].Base.SameHost(loc) {
			return uint8(i), true
		}
	}
	return 0, false
}

// Options configure Learn.
type Options struct {
	Pages   *Tree // built pages; may be nil
	Content *Tree // content files of the pages; may be nil

	Base  mapping.Base
	Style mapping.Style
	Sites []Part // folders that are separate sites, at most 255

	Front frontmatter.Options
	Page  page.Options

	LastMod    []string // date sources by priority; an mtime is read only if it may decide
	QuietMTime string   // why no file gets a date from its mtime; "" if mtimes count

	Jobs int // number of workers; 0 means the default of walker.Options

	// OwnPage is the file name of the page for people, relative to the folder of each part. A
	// page of this name is left out if IsOwnPage returns true for its beginning.
	OwnPage   string
	IsOwnPage func(head []byte) bool
	// Remember stores findings in the facts of their file, so that Again can drop them.
	Remember bool
	// Findings is the number of findings kept for each code, as in diag.Report.Keep.
	Findings int
	// Progress, if not nil, is called now and then with the number of files read. Several
	// goroutines call Progress.
	Progress func(files int)
	// Bodies, if not nil, is called with each page. Several goroutines call Bodies, each with
	// its own worker number below walker.Workers. With Bodies, pages are read completely.
	Bodies func(worker int, b Body)
}

// A Body contains all bytes of a page. Src is valid only during the call.
type Body struct {
	File string // path in the pages tree
	Loc  string // URL of the file; "" if it has none
	Src  []byte
}
