package writer

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/sitemap"
)

// sections say where a URL belongs.
type sections struct {
	base  string
	group func(loc string) int // as in Options
	keys  []string             // of the groups
	by    bool                 // by section at all
}

func newSections(o *Options) *sections {
	s := &sections{base: o.Base, group: o.Group, by: o.Split != "none"}
	for _, g := range o.Groups {
		s.keys = append(s.keys, ":"+g.Name)
	}
	return s
}

// of returns the key of the section that loc belongs to: ":name" of its
// group, else "/segment" of a page below the base, "//host" of one
// that is not, and "" of a page at the root.
func (s *sections) of(loc string) string {
	if len(s.keys) > 0 {
		if i := s.group(loc); i >= 0 {
			return s.keys[i]
		}
	}
	if !s.by {
		return ""
	}
	return s.segment(loc)
}

// segment is of without groups.
func (s *sections) segment(loc string) string {
	rest, ok := strings.CutPrefix(loc, s.base)
	if !ok {
		return "//" + sitemap.HostOf(loc)
	}
	i := strings.IndexByte(rest, '/')
	if i <= 0 || strings.IndexByte(rest[:i], '?') >= 0 || strings.IndexByte(rest[:i], '#') >= 0 {
		return ""
	}
	return loc[len(s.base)-1 : len(s.base)+i]
}

// below returns the part of loc that stays when the site moves.
func (s *sections) below(loc string) string { return strings.TrimPrefix(loc, s.base) }

// A section is pages that belong together.
type section struct {
	key   string
	pages []int32
	weight
}

// A child is the pages of one file.
type child struct {
	name string // between the entry's name and the extension; "" of the entry itself
	leaf
}

// children divides the pages into files, sorted by name. One nameless child is
// the whole site.
func (m *measures) children(o *Options) ([]child, error) {
	secs, all := m.sections()
	single := m.fits(all)
	if all.urls == 0 && len(o.Index) == 0 || single && len(o.Groups) == 0 && len(o.Index) == 0 && o.Split != "section" {
		return []child{{leaf: leaf{pages: m.all(), weight: all}}}, nil
	}
	by := o.Split != "none" && (o.Split == "section" || !single || len(o.Groups) > 0)
	gathered := m.gather(secs, by)
	cuts, err := m.cuts(gathered)
	if err != nil {
		return nil, err
	}
	names, owners := namesOf(o), map[string]string{}
	var out []child
	for i, s := range gathered {
		name := names.of(s.key)
		if other, ok := owners[name]; ok {
			return nil, fmt.Errorf("sections %q and %q get the same file name; name one of them under output.sitemaps", other, s.key)
		}
		owners[name] = s.key
		for _, l := range cuts[i] {
			out = append(out, child{slotName(name, l.slot), l})
		}
	}
	return out, nil
}

// cuts returns the leaves of each section, sorted.
func (m *measures) cuts(secs []*section) ([][]leaf, error) {
	cuts, errs := make([][]leaf, len(secs)), make([]error, len(secs))
	inParallel(len(secs), runtime.GOMAXPROCS(0), func() func(int) {
		return func(i int) {
			cuts[i], errs[i] = m.cut(nil, leaf{pages: secs[i].pages, weight: secs[i].weight}, 0)
			slices.SortFunc(cuts[i], func(a, b leaf) int { return cmp.Compare(a.slot, b.slot) })
		}
	})
	return cuts, errors.Join(errs...)
}

// sections returns the weight of each section, and of all.
func (m *measures) sections() (secs map[string]*section, all weight) {
	secs = map[string]*section{}
	for _, r := range m.runs {
		s := secs[r.key]
		if s == nil {
			s = &section{key: r.key}
			secs[r.key] = s
		}
		s.add(r.weight)
		all.add(r.weight)
	}
	return secs, all
}

// end returns where the run at j ends.
func (m *measures) end(j int) int {
	if j+1 < len(m.runs) {
		return m.runs[j+1].from
	}
	return len(m.sizes)
}

// gather returns what shares a file, and then the groups and, where by says so,
// the large sections, sorted by key; each with its pages.
func (m *measures) gather(secs map[string]*section, by bool) []*section {
	rest := &section{}
	own := map[string]*section{}
	for key, s := range secs {
		if grouped(key) || key != "" && by && m.large(s.weight) {
			s.pages = make([]int32, 0, s.urls)
			own[key] = s
		} else {
			rest.add(s.weight)
		}
	}
	rest.pages = make([]int32, 0, rest.urls)
	for j, r := range m.runs {
		s := cmp.Or(own[r.key], rest)
		for i := r.from; i < m.end(j); i++ {
			if m.flags[i]&left == 0 {
				s.pages = append(s.pages, int32(i))
			}
		}
	}
	out := []*section{rest}
	for _, key := range slices.Sorted(maps.Keys(own)) {
		out = append(out, own[key])
	}
	return out
}

// empty returns the groups that no page is in.
func (m *measures) empty(groups []Group) []Group {
	secs, _ := m.sections()
	return slices.DeleteFunc(slices.Clone(groups), func(g Group) bool {
		s := secs[":"+g.Name]
		return s != nil && s.urls > 0
	})
}

func grouped(key string) bool { return strings.HasPrefix(key, ":") }

// all returns every page that is not left out.
func (m *measures) all() []int32 {
	pages := make([]int32, 0, len(m.flags))
	for i, f := range m.flags {
		if f&left == 0 {
			pages = append(pages, int32(i))
		}
	}
	return pages
}
