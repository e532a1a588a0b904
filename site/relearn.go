package site

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/walker"
)

// A Change names paths to look at again: files that were created, changed or
// deleted, and folders that are gone. Nothing is said of what became of them.
type Change struct {
	Pages   []string // in the pages tree
	Content []string // in the content tree
}

// Relearn looks at the changed paths again. After it, Fold gives what it would
// give after Learn on the same files. It needs Options.Remember.
func (s *Site) Relearn(ctx context.Context, c Change) error {
	same := true
	if s.o.Pages != nil {
		var err error
		if same, err = s.relearnPages(ctx, c.Pages); err != nil {
			return err
		}
	}
	if s.o.Content != nil && (len(c.Content) > 0 || s.o.Pages == nil) {
		placed, err := s.relearnContent(ctx, c.Content)
		if err != nil {
			return err
		}
		same = same && placed
	}
	return s.relate(ctx, same && !s.editLinks)
}

// relearnPages reports whether the same files are pages as before; then each
// keeps its source.
func (s *Site) relearnPages(ctx context.Context, paths []string) (same bool, err error) {
	if len(paths) > manyPaths && len(paths) > len(s.pages)/4 {
		return s.walkPages(ctx, paths)
	}
	l := s.newLearner(false)
	if err := s.revisit(ctx, s.o.Pages, paths, func(f *walker.File) { l.page(f) }); err != nil {
		return false, err
	}
	again := l.records.appendTo(nil)
	same = true
	for j, r := range again {
		i, ok := findRecord(s.pages, r.file)
		if ok {
			r.src = s.pages[i].src
			again[j] = renew(s.pages[i], r)
		} else {
			again[j] = renew(new(record), r)
		}
		same = same && ok
	}
	before := len(s.pages)
	s.pages = replace(s.pages, again, paths, func(r *record) string { return r.file })
	return same && len(s.pages) == before, nil
}

// manyPaths is from how many paths on it may be quicker to walk the whole tree,
// which several workers do, than to look at one path after the other: of 10,000
// paths three times.
const manyPaths = 1000

// walkPages is relearnPages by looking at all pages.
func (s *Site) walkPages(ctx context.Context, paths []string) (same bool, err error) {
	s.forgetGit(s.o.Pages, paths)
	s.forgetListing(s.o.Pages, []string{"."})
	before := s.pages
	if err := s.learnPages(ctx); err != nil {
		return false, err
	}
	sortRecords(s.pages)
	for _, r := range s.pages {
		if i, ok := findRecord(before, r.file); ok {
			r.src = before[i].src
		}
	}
	return slices.EqualFunc(before, s.pages, func(a, b *record) bool { return a.file == b.file }), nil
}

// forgetListing forgets what went wrong while paths of a tree were listed.
func (s *Site) forgetListing(t *Tree, paths []string) {
	gone := under(paths)
	s.listing = slices.DeleteFunc(s.listing, func(d diag.Diagnostic) bool {
		file, in := d.Pos.File, true
		if t.Name != "" {
			file, in = strings.CutPrefix(file, path.Clean(t.Name)+"/")
		}
		return in && gone(file)
	})
}

// relearnContent reports whether the same files have the same places as before;
// then each speaks for the page that it spoke for. Where one came, went or
// speaks for its folder, all are placed again; so they are without a pages tree,
// as then a source that has no place is found out while they are listed.
func (s *Site) relearnContent(ctx context.Context, paths []string) (same bool, err error) {
	l := s.newSourceLearner()
	if err := s.revisit(ctx, s.o.Content, paths, l.source); err != nil {
		return false, err
	}
	again := l.sources.appendTo(nil)
	before, places := len(s.sources), make([]string, len(again))
	same = s.o.Pages != nil
	for j, src := range again {
		old := new(source)
		i, ok := findSource(s.sources, src.file)
		if ok {
			old = s.sources[i]
		}
		same, places[j] = same && ok && !mapping.IsIndex(src.file), old.out
		again[j] = renew(old, src)
	}
	s.sources = replace(s.sources, again, paths, func(src *source) string { return src.file })
	if !same || len(s.sources) != before {
		s.place()
		return false, nil
	}
	s.placeAll(again)
	for j, src := range again {
		same = same && src.out == places[j]
	}
	return same, nil
}

// renew puts what was learned in the place of old, so that values stay side by
// side, and one of them keeps no chunk of its own.
func renew[T any](old, now *T) *T {
	*old = *now
	return old
}

// revisit looks at paths of one tree and renews what was said of them.
func (s *Site) revisit(ctx context.Context, t *Tree, paths []string, visit func(*walker.File)) error {
	o := s.walkOptions(t)
	s.forgetGit(t, paths)
	s.forgetListing(t, paths)
	for _, p := range slices.Compact(slices.Sorted(slices.Values(paths))) {
		_, ds, err := t.Files.Visit(ctx, o, p, visit)
		if err != nil {
			return walkError(t, err)
		}
		s.listing = append(s.listing, inTree(t, "", ds)...)
	}
	return nil
}

// At sets what time it is for the next Fold.
func (s *Site) At(now time.Time) { s.o.Now = now }

// replace returns old, which is sorted by name, without what lies at or below
// the paths, and with what was found there again. Where few paths changed it
// looks at few names: a site may have a million.
func replace[T any](old, again []T, paths []string, name func(T) string) []T {
	const few = 100
	order := func(v T, p string) int { return cmp.Compare(name(v), p) }
	if len(paths)+len(again) > few || slices.Contains(paths, ".") {
		gone := under(paths)
		out := slices.DeleteFunc(old, func(v T) bool { return gone(name(v)) })
		out = append(out, again...)
		slices.SortFunc(out, func(a, b T) int { return cmp.Compare(name(a), name(b)) })
		return slices.CompactFunc(out, func(a, b T) bool { return name(a) == name(b) })
	}
	for _, p := range paths {
		if i, ok := slices.BinarySearchFunc(old, p, order); ok {
			old = slices.Delete(old, i, i+1)
		}
		from, _ := slices.BinarySearchFunc(old, p+"/", order)
		to, _ := slices.BinarySearchFunc(old, p+"0", order) // the byte after the slash
		old = slices.Delete(old, from, to)
	}
	for _, v := range again {
		if i, ok := slices.BinarySearchFunc(old, name(v), order); !ok {
			old = slices.Insert(old, i, v)
		}
	}
	return old
}

// under returns a test for names that are one of the paths or lie below one.
func under(paths []string) func(string) bool {
	set := make(map[string]bool, len(paths))
	for _, p := range paths {
		set[p] = true
	}
	return func(name string) bool {
		if set["."] || set[name] {
			return true
		}
		for i := len(name) - 1; i > 0; i-- {
			if name[i] == '/' && set[name[:i]] {
				return true
			}
		}
		return false
	}
}
