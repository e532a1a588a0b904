package site

import (
	"cmp"
	"context"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/gitdates"
)

// A World is the facts of a site, and who speaks for whom: the page of each
// content file, what pages say of where they come from, and git's answers. It is
// never changed.
type World struct {
	o            Options
	facts        *facts.Set
	parts        []Part
	pages        []*facts.Page      // sorted by file, each at the address by which the site calls it
	contentFiles []*ContentFile     // sorted by file
	pairs        []*ContentFile     // of each page, or nil; nil when no page has one
	edited       map[string]string  // the file that a page's edit link names, by the page's file
	given        map[string]bool    // the URLs of From; nil when they are not read
	trouble      diag.List          // what is wrong with content files among the others
	mtime        string             // why mtime is silent; "" when it may speak
	stamps       stamps             // dates that are none of a change
	mapping      *generator.Content // that placed the content files
	git          GitAnswers
	gitTime      *gitdates.Budget // what git may still take while this is related; nil afterwards
}

// Relate finds out who speaks for whom. It asks git about the pages that no
// earlier source of dates speaks for at the time of the options, and that the
// options have no answer for.
func Relate(ctx context.Context, s *facts.Set, o Options) (*World, error) {
	w := &World{o: o.withDefaults(), facts: s, pages: s.Pages}
	if o.Git.Known != nil {
		w.git = *o.Git.Known
	}
	w.gitTime = gitdates.NewBudget()
	defer func() { w.gitTime = nil }()
	w.parts = partsOf(&w.o)
	for i := range w.parts {
		p := &w.parts[i]
		p.Exists = w.existsIn(p)
	}
	w.placeContentFiles()
	if w.o.Pages == nil {
		w.listContentFiles()
	} else {
		w.pair()
	}
	stamp := buildStamp(w.pages)
	w.mtime = cmp.Or(w.o.QuietMTime, stamp)
	if err := w.followEdits(ctx); err != nil {
		return nil, err
	}
	if err := w.followLinks(ctx); err != nil {
		return nil, err
	}
	w.spell()
	w.findStamps(ctx, stamp != "")
	if err := w.askGit(ctx); err != nil {
		return nil, err
	}
	w.findDeploys()
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
func (w *World) Git() *GitAnswers { return &w.git }

// Options returns those of the site, with their defaults in place.
func (w *World) Options() *Options { return &w.o }

// Facts returns what the files say.
func (w *World) Facts() *facts.Set { return w.facts }

// Parts returns the site itself and the parts in it.
func (w *World) Parts() []Part { return w.parts }

// ContentFiles returns all content files, sorted by file.
func (w *World) ContentFiles() []*ContentFile { return w.contentFiles }

// Aliases returns the files that would lead to the page of a content file by the
// further addresses that it names.
func (w *World) Aliases(src *ContentFile) []string { return w.mapping.Aliases(src.File, src.Facts) }
