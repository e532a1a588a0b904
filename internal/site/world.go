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

// A World is the facts of a site and their relations: the content file of each page, the address
// of each page, versions, and git's dates. It does not change once it is made.
type World struct {
	Options      Options                // with their defaults in place
	Facts        *facts.Set             // what the files say
	Parts        []Part                 // the site itself, then its parts
	ContentFiles []*ContentFile         // sorted by file
	Mapping      *generator.Content     // maps content files to page files
	Versions     []*VersionSet          // by the path of their folder
	Git          *git.Answers           // includes the answers in Options
	Edited       map[string]string      // the source named by the edit link of a page, by the page's file
	Included     map[string]*facts.Page // the page that includes a file by name, by that file

	hosted          bool                   // a host is known or has rules
	linkStyles      []LinkStyle            // the spelling of links, for each part whose links decide
	pages           []*facts.Page          // sorted by file, each with its final address
	pairs           []*ContentFile         // the content file of each page, or nil
	fromIndex       map[string]int         // the index in From by URL; nil without From
	backRedirects   map[string]string      // by file: the page that redirects to the file and that the file names as canonical
	copies          map[string]string      // the original of each copied file
	scriptRedirects map[string]string      // the version to which a home page leads by a script, by file
	versionsAt      map[string]*VersionSet // Versions by their parent folders
	contentFindings diag.List              // findings about content files
	whyNoMTime      string                 // the reason not to use modification times, or ""
	stale           map[string]bool        // the files that an earlier build left behind
	stamps          buildStamps            // dates printed by builds
	gitHasDates     bool                   // git has a date of a file of the site
}

// Relate finds the relations between a set of facts. It queries git for the pages without a date
// from an earlier source.
func Relate(ctx context.Context, s *facts.Set, o Options) (*World, error) {
	w := newWorld(s, o)
	if o.Content != nil {
		w.placeContentFiles()
	}
	if o.Pages == nil {
		w.listContentFiles()
	} else if err := w.relatePages(ctx); err != nil {
		return nil, err
	}
	w.spellPages()
	w.findStamps(ctx)
	if slices.Contains(o.LastMod, "git") {
		w.queryGit(ctx)
	}
	return w, ctx.Err()
}

// relatePages finds the relations of built pages to content files and to each other.
func (w *World) relatePages(ctx context.Context) error {
	if w.Options.Content != nil {
		w.pairContentFiles()
	}
	w.findIncluded()
	w.findVersions(ctx)
	w.findCopies(ctx)
	w.findBackRedirects(ctx)
	if w.Options.Page.EditLinks && w.Options.Content != nil && w.Options.Content.Dir != "" {
		if err := w.pairByEditLinks(ctx); err != nil {
			return err
		}
	}
	if w.Options.Content != nil {
		w.findStale(ctx)
	}
	return w.inferLinkStyles(ctx)
}

// newWorld returns a world with its parts and without relations.
func newWorld(s *facts.Set, o Options) *World {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Rules == nil {
		o.Rules = new(mapping.Rules)
	}
	w := &World{Options: o, Facts: s, pages: s.Pages, pairs: make([]*ContentFile, len(s.Pages)), Git: cmp.Or(o.Git.Known, new(git.Answers))}
	w.Mapping = &w.Options.Mapping
	w.findParts()
	return w
}
