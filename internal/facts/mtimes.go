package facts

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/sitewalk/sitewalk/walker"
)

// StampWindow is within how many seconds of its own time a page was built.
const StampWindow = 10 * 60

// BuiltThen reports whether a page's file was written within StampWindow of the date
// that the page names, as far as that was asked.
func BuiltThen(r *Page) bool {
	apart := r.LastMod.Unix() - int64(r.MTime)
	return r.MTime != 0 && Clocked(r.LastMod) && apart > -StampWindow && apart < StampWindow
}

// An mtimes says which pages are asked when their file was written, where that can
// only tell that the date in the HTML is when they were built. It is one system call
// in eight of a build, and hardly a site needs it: of many pages a sample is asked
// first, and the others where one of the sample was built then.
type mtimes struct {
	all   bool         // ask every page
	asked atomic.Int64 // pages that might have been asked so far
	found atomic.Bool  // a page of the sample that was built then
}

const (
	fewMTimes   = 4096 // up to so many pages are asked, all of them
	mtimeSample = 64   // of more pages one in so many is
)

// sampled reports whether a page is in the sample, by its name alone: FNV-1a.
func sampled(file string) bool {
	h := uint32(2166136261)
	for i := range len(file) {
		h = (h ^ uint32(file[i])) * 16777619
	}
	return (h^h>>16)%mtimeSample == 0
}

// wants reports whether to ask a page now, while its file is open.
func (m *mtimes) wants(r *Page) bool {
	return m.all || m.asked.Add(1) <= fewMTimes || m.found.Load() || sampled(r.File)
}

// ask notes when a page's file was written.
func (m *mtimes) ask(r *Page, f *walker.File) {
	if info, err := f.Stat(); err == nil {
		r.MTime = uint32(min(max(info.ModTime().Unix(), 0), math.MaxUint32))
	}
	if !m.all && BuiltThen(r) && sampled(r.File) {
		m.found.Store(true)
	}
}

// settle lets what is known of the pages not depend on the order in which they were
// read: it asks those that were not asked, or forgets what was not needed.
func (s *Set) settle(ctx context.Context, m *mtimes) error {
	if m.all || m.asked.Load() <= fewMTimes {
		return nil
	}
	need := slices.ContainsFunc(s.Pages, func(r *Page) bool { return BuiltThen(r) && sampled(r.File) })
	for _, r := range s.Pages {
		switch {
		case !Clocked(r.LastMod):
		case !need:
			r.MTime = 0
		case r.MTime == 0:
			if _, _, err := s.o.Pages.Visit(ctx, r.File, func(f *walker.File) { m.ask(r, f) }); err != nil {
				return walkError(s.o.Pages, err)
			}
		}
	}
	return nil
}
