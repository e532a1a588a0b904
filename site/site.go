// Package site folds everything known of a site into the entries of its
// sitemap: who is in, under which URL, with which date, and why.
//
// Learn reads files, in parallel, into facts, and a fact depends on its own file
// only. Relate says who speaks for whom. Fold is pure: the same world at the same
// time gives the same result. The package refuses to write and to print.
package site

import (
	"path/filepath"
	"time"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/walker"
)

// A Tree is a folder of files that are pages or that speak for pages.
type Tree struct {
	Files  walker.Tree
	Filter *walker.Filter
	Name   string // the folder as the user would type it, for findings; "" is the working directory
	Dir    string // its path for the operating system; "" when it has none, and then git says nothing
}

// path returns the path of a file for the operating system.
func (t *Tree) path(file string) string { return filepath.Join(t.Dir, filepath.FromSlash(file)) }

// An Extra is a URL that no file stands for.
type Extra struct {
	URL sitemap.URL // Loc as written: absolute, or a path below the base URL
	Pos diag.Pos
}

// Options say what a site is. A nil Pages makes the content tree the list.
type Options struct {
	Pages   *Tree // the built output
	Content *Tree // the sources that speak for its pages

	Base    mapping.Base
	Style   mapping.Style
	Said    Said          // what of Style the user decided
	Host    *hosting.Site // nil: no host decides anything
	Mapping generator.Content
	Front   frontmatter.Options
	Page    page.Options

	Sites     []Part     // folders that are sites of their own, at most 255
	Languages []Language // of a site that has no hreflang of its own

	Rules    *mapping.Rules
	Defaults sitemap.URL
	Extra    []Extra
	From     []*Listed // URLs that another tool has listed; if not nil, no others are pages

	LastMod      []string // names of Sources, the first that speaks wins
	QuietMTime   string   // why mtime is silent whatever the files say; "" when it may speak
	Git          GitOptions
	Ledger       *ledger.Ledger // nil: no memory
	LedgerUpdate ledger.UpdateOptions
	ObeyRobots   bool

	Zone *time.Location // of dates without a zone; nil is UTC
	Now  time.Time
	Jobs int // 0: right for this machine

	// AllowLoss is the share of the site that one cause may take out before that
	// is a Collapse; 0 is DefaultLoss.
	AllowLoss float64
	// OwnPage is the name of the page for people, below each part's folder; what
	// an earlier run wrote there is not listed.
	OwnPage string
	// Remember makes records hold what went wrong with their file, so that
	// Relearn can say it again.
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

// A Language is a folder of pages in one language; the folders of a site hold
// translations of each other under the same names.
type Language struct {
	Dir      string   // below the publish directory; "" is the rest of the site
	Code     string   // BCP 47
	XDefault bool     // its pages are for readers of no listed language
	Pos      diag.Pos // where the user wrote it; that a folder is empty which the generator names is no mistake
}

// GitOptions say how git is asked for dates.
type GitOptions struct {
	Committer bool // the committer's date instead of the author's
	Getenv    func(string) string
}

// filled returns options whose defaults are filled in.
func (o Options) filled() Options {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Rules == nil {
		o.Rules = new(mapping.Rules)
	}
	return o
}
