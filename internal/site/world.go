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

// A World is the facts of a site, and how they belong together: the page of each
// content file, what pages say of where they come from, and git's answers. It is
// never changed.
type World struct {
	Options      Options                // with their defaults in place
	Facts        *facts.Set             // what the files say
	Parts        []Part                 // the site itself, and the parts in it
	ContentFiles []*ContentFile         // sorted by file
	Mapping      *generator.Content     // that placed the content files, now that all of them are known
	Versions     []*VersionSet          // by the path of their folder
	Git          *git.Answers           // those included that the options had
	Edited       map[string]string      // the file that a page's edit link names, by the page's file
	Included     map[string]*facts.Page // the page that includes a file by name, by that file

	hosted          bool                   // a host decides about pages
	linkStyles      []LinkStyle            // how the links of each part spell addresses, where they decide
	pages           []*facts.Page          // sorted by file, each at the address by which the site calls it
	pairs           []*ContentFile         // of each page, or nil
	given           map[string]int         // the URLs of From, each with its place there; nil when they are not read
	returns         map[string]string      // the page that redirects to a page, if that page names it as canonical, by file
	copies          map[string]string      // the file of which each is a copy
	scriptRedirects map[string]string      // the version to which a home page leads by a script, by file
	versionsAt      map[string]*VersionSet // Versions by their parent folders
	trouble         diag.List              // what is wrong with content files among the others
	mtime           string                 // why mtime is silent; "" when it may speak
	stale           map[string]bool        // the files that an earlier build has left behind
	stamps          stamped                // dates that are none of a change
	gitSpeaks       bool                   // git knows a date of a file of the site
}

// Relate finds the relations between a set of facts. It asks git about the pages that have
// no date from an earlier source at the time of the options and no known answer.
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
		w.askGit(ctx)
	}
	return w, ctx.Err()
}

// relatePages finds what the pages of a built site have to do with content files and with
// each other.
func (w *World) relatePages(ctx context.Context) error {
	w.pairContentFiles()
	w.findIncluded()
	w.findVersions(ctx)
	w.findCopies(ctx)
	w.findReturns(ctx)
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

// newWorld returns a world of which only the parts are known.
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
