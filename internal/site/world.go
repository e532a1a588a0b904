package site

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/gitdates"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
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
	Git          *gitdates.Answers      // those included that the options had
	Edited       map[string]string      // the file that a page's edit link names, by the page's file
	Included     map[string]*facts.Page // the page that includes a file by name, by that file

	hosted     bool              // a host decides about pages
	linkStyles []LinkStyle       // how the links of each part spell addresses, where they decide
	pages      []*facts.Page     // sorted by file, each at the address by which the site calls it
	pairs      []*ContentFile    // of each page, or nil
	given      map[string]int    // the URLs of From, each with its place there; nil when they are not read
	copies     map[string]string // the file of which each is a copy
	trouble    diag.List         // what is wrong with content files among the others
	mtime      string            // why mtime is silent; "" when it may speak
	stamps     stamped           // dates that are none of a change
	gitSpeaks  bool              // git knows a date of a file of the site
}

// A relation is found out by looking at several files. It is wanted where it could make
// a difference.
type relation struct {
	name   string
	wanted func(w *World) bool // nil: always
	find   func(ctx context.Context, w *World) error
}

// relations are found in this order.
var relations = []relation{
	{"place", func(w *World) bool { return w.Options.Content != nil }, placeContentFiles},
	{"list", func(w *World) bool { return w.Options.Pages == nil }, listContentFiles},
	{"pair", func(w *World) bool { return w.Options.Pages != nil && len(w.ContentFiles) > 0 }, pairContentFiles},
	{"includes", func(w *World) bool {
		return slices.ContainsFunc(w.pages, func(f *facts.Page) bool { return f.Rest != nil && len(f.Rest.Includes) > 0 })
	}, findIncluded},
	{"versions", mayRepeat, findVersions},
	{"copies", mayRepeat, findCopies},
	{"edits", func(w *World) bool {
		return w.Options.Page.EditLinks && w.Options.Pages != nil && w.Options.Content != nil && w.Options.Content.Dir != ""
	}, followEdits},
	{"links", func(w *World) bool {
		return w.Options.Pages != nil && slices.ContainsFunc(w.pages, func(f *facts.Page) bool {
			return f.File != "index.html" && f.Own == page.Listed && f.Says == mapping.AnyEnding && f.OG == mapping.AnyEnding
		})
	}, followLinks},
	{"spell", func(w *World) bool {
		return w.Options.From != nil || w.hosted || len(w.ContentFiles) > 0 || len(w.linkStyles) > 0 || slices.ContainsFunc(w.pages, func(f *facts.Page) bool {
			return f.Says != mapping.AnyEnding || f.OG != mapping.AnyEnding || f.Rest != nil && f.Rest.Canonical != ""
		})
	}, spell},
	{"stamps", nil, findStamps},
	{"git", func(w *World) bool { return slices.Contains(w.Options.LastMod, "git") }, askGit},
}

// Relate finds the relations of a set of facts. It asks git about the pages that no
// earlier source of dates speaks for at the time of the options, and that the
// options have no answer for.
func Relate(ctx context.Context, s *facts.Set, o Options) (*World, error) {
	w := newWorld(s, o)
	for _, r := range relations {
		if r.wanted == nil || r.wanted(w) {
			if err := r.find(ctx, w); err != nil {
				return nil, err
			}
		}
	}
	return w, nil
}

// newWorld returns a world of which only the parts are known.
func newWorld(s *facts.Set, o Options) *World {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Rules == nil {
		o.Rules = new(mapping.Rules)
	}
	w := &World{Options: o, Facts: s, pages: s.Pages, pairs: make([]*ContentFile, len(s.Pages)), Git: cmp.Or(o.Git.Known, new(gitdates.Answers))}
	w.Mapping = &w.Options.Mapping
	w.findParts()
	return w
}

// mayRepeat reports whether pages of a site may be there more than once: in versions, in
// previews, as copies.
func mayRepeat(w *World) bool { return w.Options.Pages != nil && len(w.pages) > 1 }
