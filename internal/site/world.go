package site

import (
	"cmp"
	"context"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/gitdates"
	"github.com/sitewalk/sitewalk/internal/spelling"
	"github.com/sitewalk/sitewalk/internal/versions"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// A World is the facts of a site, and how they belong together: the page of each
// content file, what pages say of where they come from, and git's answers. It is
// never changed.
type World struct {
	o            Options
	facts        *facts.Set
	parts        []spelling.Part
	hosted       bool                   // a host decides about pages
	linkStyles   []spelling.LinkStyle   // how the links of each part spell addresses, where they decide
	pages        []*facts.Page          // sorted by file, each at the address by which the site calls it
	contentFiles []*ContentFile         // sorted by file
	pairs        []*ContentFile         // of each page, or nil; nil when no page has one
	edited       map[string]string      // the file that a page's edit link names, by the page's file
	given        map[string]bool        // the URLs of From; nil when they are not read
	versions     []*versions.Set        // of the folders that hold versions, by path
	copies       map[string]string      // the file of which each is a copy
	included     map[string]*facts.Page // the page that includes a file by name, by that file
	trouble      diag.List              // what is wrong with content files among the others
	mtime        string                 // why mtime is silent; "" when it may speak
	stamps       stamped                // dates that are none of a change
	mapping      *generator.Content     // that placed the content files
	git          *gitdates.Answers
	gitTime      *gitdates.Budget // what git has taken while this is related; nil afterwards
}

// A step of relating is wanted where it could find anything.
type step struct {
	name   string
	wanted func(w *World) bool // nil: always
	run    func(ctx context.Context, w *World) error
}

// steps are what relating does, in order.
var steps = []step{
	{"generator", func(w *World) bool { return w.o.Content != nil }, func(_ context.Context, w *World) error {
		w.mapping = w.o.Mapping.With(w.contentFacts())
		return nil
	}},
	{"place", func(w *World) bool { return len(w.facts.Contents) > 0 }, placeContentFiles},
	{"list", func(w *World) bool { return w.o.Pages == nil }, listContentFiles},
	{"pair", func(w *World) bool { return w.o.Pages != nil && len(w.contentFiles) > 0 }, pairContentFiles},
	{"includes", func(w *World) bool {
		return slices.ContainsFunc(w.pages, func(f *facts.Page) bool { return f.Rest != nil && len(f.Rest.Includes) > 0 })
	}, func(_ context.Context, w *World) error {
		findIncluded(w)
		return nil
	}},
	{"versions", mayRepeat, findVersions},
	{"copies", mayRepeat, findCopies},
	{"edits", func(w *World) bool {
		return w.o.Page.EditLinks && w.o.Pages != nil && w.o.Content != nil && w.o.Content.Dir != ""
	}, followEdits},
	{"links", func(w *World) bool {
		return w.o.Pages != nil && slices.ContainsFunc(w.pages, func(f *facts.Page) bool {
			return f.File != "index.html" && f.Own == page.Listed && f.Says == mapping.AnyEnding && f.OG == mapping.AnyEnding
		})
	}, followLinks},
	{"spell", func(w *World) bool {
		return w.o.From != nil || w.hosted || w.pairs != nil || len(w.linkStyles) > 0 || slices.ContainsFunc(w.pages, func(f *facts.Page) bool {
			return f.Says != mapping.AnyEnding || f.OG != mapping.AnyEnding || f.Rest != nil && f.Rest.Canonical != ""
		})
	}, spell},
	{"stamps", nil, findStamps},
	{"git", func(w *World) bool { return slices.Contains(w.o.LastMod, "git") }, askGit},
}

// Relate pairs each page with its content file. It asks git about the pages that no
// earlier source of dates speaks for at the time of the options, and that the
// options have no answer for.
func Relate(ctx context.Context, s *facts.Set, o Options) (*World, error) {
	w := &World{o: o.withDefaults(), facts: s, pages: s.Pages, git: cmp.Or(o.Git.Known, new(gitdates.Answers)), gitTime: new(gitdates.Budget)}
	w.mapping = &w.o.Mapping
	defer func() { w.gitTime = nil }()
	w.findParts()
	for _, st := range steps {
		if st.wanted == nil || st.wanted(w) {
			if err := st.run(ctx, w); err != nil {
				return nil, err
			}
		}
	}
	return w, nil
}

// contentOf returns the content file that speaks for page i, or nil.
func (w *World) contentOf(i int) *ContentFile {
	if w.pairs == nil {
		return nil
	}
	return w.pairs[i]
}

// Git returns what git said, those answers included that the options had.
func (w *World) Git() *gitdates.Answers { return w.git }

// Options returns those of the site, with their defaults in place.
func (w *World) Options() *Options { return &w.o }

// Facts returns what the files say.
func (w *World) Facts() *facts.Set { return w.facts }

// Parts returns the site itself and the parts in it.
func (w *World) Parts() []spelling.Part { return w.parts }

// ContentFiles returns all content files, sorted by file.
func (w *World) ContentFiles() []*ContentFile { return w.contentFiles }

// Mapping returns where the generator writes the pages of content files, now that all of
// them are known.
func (w *World) Mapping() *generator.Content { return w.mapping }

// EditFile returns the source file that the page's edit link names, "" without one.
func (w *World) EditFile(f *facts.Page) string { return w.edited[f.File] }

// Versions returns the versions of the site, by the path of their folder.
func (w *World) Versions() []*versions.Set { return w.versions }

// mayRepeat reports whether pages of a site may be there more than once: in versions, in
// previews, as copies.
func mayRepeat(w *World) bool { return w.o.Pages != nil && len(w.pages) > 1 }
