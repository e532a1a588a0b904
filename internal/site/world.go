package site

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/mapping"
)

// A World contains the facts of a site and the relations between its files: the content file and
// the address of each page, the versions of the site, and the dates from git. It is immutable.
type World struct {
	Options      Options                // options of Relate, with defaults set
	Facts        *facts.Set             // facts of single files
	Parts        []Part                 // the site itself, then its parts
	ContentFiles []*ContentFile         // sorted by file
	Mapping      *generator.Mapping     // maps content files to page files
	Versions     []*VersionSet          // in the order of their pages
	Git          *git.Answers           // includes the answers in Options
	Edited       map[string]string      // from a page file to the operating system path of the source file that its edit link names
	Included     map[string]*facts.Page // from an included file to the page that includes it

	hosted        bool                   // a host is known or has rules
	linkStyles    []LinkStyle            // how links end, for each part whose links decide about its URLs
	pages         []*facts.Page          // sorted by file, each with its final address
	pairs         []*ContentFile         // the content file of each page, or nil
	fromIndex     map[string]int         // from a URL to its index in Options.From; nil without From
	backRedirects map[string]string      // from the file of a page to the file of its canonical page, if that redirects to the page
	copies        map[string]string      // from a copied file to its original
	versionsAt    map[string]*VersionSet // Versions by Parent
	findings      diag.List              // findings about content files and lists of versions
	whyNoMTime    string                 // the reason not to use modification times, or ""
	stale         map[string]bool        // page files that an earlier build seems to have left behind
	stamps        buildStamps            // dates that builds printed into pages
	linkPrefix    linkPrefix             // folder that the base URL seems to lack
	gitHasDates   bool                   // git knows the history of at least one file of the site
}

// Relate finds out how the files of a site relate to each other, such as the content file and the
// address of each page. It asks git for the dates of pages that have no date from an earlier
// source.
func Relate(ctx context.Context, s *facts.Set, o Options) (*World, error) {
	w := newWorld(s, o)
	if o.Content != nil {
		w.findOutputFiles()
	}
	if o.Pages == nil {
		w.makePagesFromContent()
	} else if err := w.relatePages(ctx); err != nil {
		return nil, err
	}
	w.chooseAddresses()
	w.findBuildStamps(ctx)
	if slices.Contains(o.LastMod, SourceGit) {
		w.queryGit(ctx)
	}
	return w, ctx.Err()
}

// relatePages finds the relations of page files to content files and to other page files.
func (w *World) relatePages(ctx context.Context) error {
	if w.Options.Content != nil {
		w.pairContentFiles()
	}
	w.findIncludedFiles()
	w.findVersions(ctx)
	w.findCopiedPages(ctx)
	w.findBackRedirects(ctx)
	if w.Options.Page.EditLinks && w.Options.Content != nil && w.Options.Content.Dir != "" {
		if err := w.pairByEditLinks(ctx); err != nil {
			return err
		}
	}
	if w.Options.Content != nil {
		w.findStalePages(ctx)
	}
	if err := w.inferLinkStyles(ctx); err != nil {
		return err
	}
	return w.findLinkPrefix(ctx)
}

// newWorld returns a World with its options and parts, but without relations.
func newWorld(s *facts.Set, o Options) *World {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Rules == nil {
		o.Rules = new(mapping.Rules)
	}
	w := &World{Options: o, Facts: s, pages: s.Pages, pairs: make([]*ContentFile, len(s.Pages)), Git: cmp.Or(o.Git.Known, new(git.Answers))}
	w.Mapping = &w.Options.Mapping
	w.addParts()
	return w
}
