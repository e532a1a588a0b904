package site

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/generator"
)

// A World is the facts of a site, and who speaks for whom: the page of each
// content file, what pages say of where they come from, and git's answers. It is
// never changed.
type World struct {
	o            Options
	facts        *facts.Set
	parts        []part
	pages        []*facts.Page  // sorted by file, each at the address by which the site calls it
	contentFiles []*contentFile // sorted by file
	pairs        []*contentFile // of each page, or nil; nil when no page has one
	edits        edits
	links        map[string]links   // of the pages whose links were read, by file
	given        map[string]bool    // the URLs of From; nil when they are not read
	trouble      diag.List          // what is wrong with content files among the others
	mtime        string             // why mtime is silent; "" when it may speak
	stamps       stamps             // dates that are none of a change
	mapping      *generator.Content // that placed the content files
	git          gitAnswers
}

// Relate finds out who speaks for whom. It asks git about the pages that no
// earlier source of dates speaks for at the time of the options.
func Relate(ctx context.Context, s *facts.Set, o Options) (*World, error) {
	w := &World{o: o.withDefaults()}
	w.parts = partsOf(&w.o)
	return w.relate(ctx, s)
}

// Again is Relate for facts that were learned again at another time. What did
// not change is shared: no content file is placed anew, no page read for its
// edit links, and git not asked, without need.
func (w *World) Again(ctx context.Context, s *facts.Set, o Options) (*World, error) {
	next := *w
	next.o = o.withDefaults()
	return next.relate(ctx, s)
}

// ForgetGit returns the world without what git said, so that Again asks git
// anew.
func (w *World) ForgetGit() *World {
	next := *w
	next.git = gitAnswers{repositories: w.git.repositories}
	return &next
}

// relate relates the facts of s in place of those before, of which there may be
// none.
func (w *World) relate(ctx context.Context, s *facts.Set) (*World, error) {
	before := *w
	w.facts = s
	w.parts = slices.Clone(w.parts)
	for i := range w.parts {
		p := &w.parts[i]
		p.exists = w.existsIn(p)
	}
	w.trouble = nil
	placed := w.place(&before)
	if w.pages = s.Pages; w.o.Pages == nil {
		w.listContentFiles()
	} else if !placed || w.o.Page.EditLinks || !slices.EqualFunc(before.pages, w.pages, sameFile) {
		w.pair(before.facts == nil)
	}
	stamp := buildStamp(w.pages)
	w.mtime = cmp.Or(w.o.QuietMTime, stamp)
	if err := w.followEdits(ctx); err != nil {
		return nil, err
	}
	if err := w.followLinks(ctx); err != nil {
		return nil, err
	}
	w.spell(&before)
	w.findStamps(ctx, stamp != "")
	w.git.forget(w.changed(&before))
	if err := w.askGit(ctx); err != nil {
		return nil, err
	}
	w.findDeploys()
	return w, nil
}

func sameFile(a, b *facts.Page) bool { return a == b || a.File == b.File }

// changed returns the files of the operating system whose facts are not those
// that they were.
func (w *World) changed(before *World) (files []string) {
	if before.git.dates == nil {
		return nil
	}
	if w.o.Pages != nil {
		for was, now := range sideBySide(before.facts.Pages, w.facts.Pages, func(f *facts.Page) string { return f.File }) {
			if was != now {
				files = append(files, w.o.Pages.Path(cmp.Or(was, now).File))
			}
		}
	}
	if w.o.Content != nil {
		for was, now := range sideBySide(before.contents(), w.contents(), func(c *facts.Content) string { return c.File }) {
			if was != now {
				files = append(files, w.o.Content.Path(cmp.Or(was, now).File))
			}
		}
	}
	return files
}

func (w *World) contents() []*facts.Content {
	if w.facts == nil {
		return nil
	}
	return w.facts.Contents
}

// sideBySide yields what two lists hold that are sorted by name: together what has one
// name in both, and with nil what only one of them has.
func sideBySide[T any](a, b []*T, name func(*T) string) iter.Seq2[*T, *T] {
	return func(yield func(*T, *T) bool) {
		for len(a)+len(b) > 0 {
			var x, y *T
			order := cmp.Compare(len(b), len(a)) // where one of them is at its end
			if len(a) > 0 && len(b) > 0 {
				order = strings.Compare(name(a[0]), name(b[0]))
			}
			if order <= 0 {
				x, a = a[0], a[1:]
			}
			if order >= 0 {
				y, b = b[0], b[1:]
			}
			if !yield(x, y) {
				return
			}
		}
	}
}

// contentOf returns the content file that speaks for page i, or nil.
func (w *World) contentOf(i int) *contentFile {
	if w.pairs == nil {
		return nil
	}
	return w.pairs[i]
}

// record returns page i before any fold.
func (w *World) record(i int) record { return record{Page: w.pages[i], src: w.contentOf(i)} }

// Repositories returns the tops of the work trees that git was asked about,
// sorted, as the operating system names them.
func (w *World) Repositories() []string { return slices.Clone(w.git.repositories) }
